/** Searches in the demo company, and the record that somebody who types them looks for. */

/** `isPublic`: found without a token too, because the text has no personal value. */
type Sought = readonly [q: string, resource: 'employees' | 'candidates' | 'jobs', id: number, isPublic?: true]

export const soughtRecords: readonly Sought[] = [
  // Names, with and without accents, in both orders, in several scripts, of people who left too.
  ['Róża Ostrowska', 'employees', 2],
  ['roza ostrowska', 'employees', 2],
  ['huseyin sahinbas', 'employees', 9],
  ['SAHINBAS HUSEYIN', 'employees', 9],
  ['Quốc Bảo Lê', 'employees', 12],
  ['le quoc bao', 'employees', 12],
  ['franziska zollner', 'employees', 33],
  ['graca sa nogueira', 'employees', 55],
  ['Μυρτω Τσακιρη', 'employees', 60],
  ['jorg luders', 'employees', 180],
  ['ruprecht rössler', 'employees', 200],
  ['goncalo conceicao', 'employees', 240],
  ['石川 修', 'employees', 6],
  ['أحمد الزهراني', 'employees', 166],
  ['Elżbieta Jabłońska', 'candidates', 303],
  ['tomas galvao', 'candidates', 505],
  // Beginnings of names.
  ['sandeep mah', 'employees', 41],
  ['mah sandeep', 'employees', 41],
  ['volk lind', 'employees', 120],
  ['mafalda fig', 'employees', 140],
  ['peçan', 'employees', 170],
  ['დავით', 'employees', 230],
  ['q', 'employees', 52],
  ['xu', 'employees', 247],
  // Codes and e-mail addresses.
  ['K000077', 'employees', 77, true],
  ['k000100', 'employees', 100, true],
  ['REQ-00031', 'jobs', 31, true],
  ['saverio.dangelo@kontor.example', 'employees', 1],
  ['benedita.simoes@', 'employees', 4],
  ['ISHITA.DESHPANDE77@INBOX.EXAMPLE.NET', 'candidates', 77],
  // Job titles.
  ['Data Scientist', 'jobs', 31, true],
  ['it administrator', 'jobs', 22, true],
  ['legal counsel', 'jobs', 26, true],
  ['mobile engineer pune', 'jobs', 19, true],
  ['Chief Product Officer', 'employees', 3, true],
  // Namesakes: who is still here, or what tells them apart.
  ['iwona wojcik', 'employees', 27],
  ['Iwona Wójcik Kraków', 'employees', 246],
  ['nele bruggemann ha noi', 'employees', 249],
  ['慎吾 藤田', 'employees', 231],
  ['sonke wendt backend', 'candidates', 22],
]
