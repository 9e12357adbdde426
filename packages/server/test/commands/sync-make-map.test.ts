import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { emptyDatabase, expectedRecords, resourceOf, sampleNames, samplePath, storedRecords } from './sync-samples.ts'

/** A change of one member: its path, and the new value. Without a value, the member is removed. */
type Edit = readonly [path: readonly (string | number)[], value?: unknown]

type Members = Record<string | number, unknown>

/** What a person changes in the draft of each file until the first dry run succeeds, beside its open questions. */
const edits: Readonly<Record<string, readonly Edit[]>> = {
  'bamboohr-employees': [
    [
      ['columns', 'Employment Status'],
      {
        field: 'employment_type',
        values: { 'Full-Time': 'full_time', 'Part-Time': 'part_time', Contractor: 'contract', Terminated: null },
      },
    ],
  ],
  'personio-employees': [[['columns', 'Employment type'], 'ignore']],
}

/** Each open question is an edit too: its `unsure` is removed. */
const questionsOf = (map: Members): Edit[] => [
  ...Object.keys((map.unsure ?? {}) as object).map((member): Edit => [['unsure', member]]),
  ...Object.entries(map.columns as object).flatMap(([column, rules]): Edit[] => {
    if (Array.isArray(rules))
      return rules.flatMap((rule, index): Edit[] => ('unsure' in rule ? [[['columns', column, index, 'unsure']]] : []))
    return typeof rules === 'object' && 'unsure' in rules ? [[['columns', column, 'unsure']]] : []
  }),
]

/** How many edits each draft needs until the first dry run succeeds. */
const editCounts: Readonly<Record<string, number>> = {
  'adp-employees': 0,
  'ashby-candidates': 1,
  'bamboohr-employees': 2,
  'datev-employees': 2,
  'greenhouse-candidates': 1,
  'hibob-employees': 1,
  'lever-candidates': 2,
  'personio-employees': 2,
  'rippling-employees': 0,
  'sheet-de-employees': 2,
  'successfactors-employees': 1,
  'workday-employees': 0,
}

/** What the shipped map reads beyond what the draft can know. */
const laterEdits: Readonly<Record<string, readonly Edit[]>> = {
  'lever-candidates': [
    [
      ['columns', 'Archive Reason'],
      { field: 'status', values: { '': 'active', Hired: 'hired', Underqualified: 'archived' } },
    ],
  ],
}

const applied = (map: object, list: readonly Edit[]): object => {
  const changed = structuredClone(map) as Members
  for (const [path, value] of list) {
    let parent = changed
    for (const member of path.slice(0, -1)) parent = parent[member] as Members
    const last = path.at(-1) as string | number
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return changed
}

describe('muster sync --make-map', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-draft-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => emptyDatabase(database))

  const draft = async (file: string, ...resource: string[]) => {
    const { code, out, err } = await muster(['sync', ...resource, '--make-map', file], {})
    assert.equal(code, 0, err)
    return { map: JSON.parse(out), err }
  }

  const syncWith = async (map: object, name: string, ...options: string[]) => {
    const file = join(folder, 'draft.json')
    await writeFile(file, JSON.stringify(map))
    return muster(['sync', resourceOf(name), samplePath(name), '--map', file, ...options], {
      DATABASE_URL: database.url,
    })
  }

  for (const name of sampleNames)
    it(`drafts a map of ${name} that needs at most five edits until the first dry run succeeds`, async () => {
      const { map, err } = await draft(samplePath(name))
      assert.equal(map.resource, resourceOf(name))
      assert.match(err, new RegExp(`A map of this release has all columns of the file: --map .*${name}`))
      const questions = questionsOf(map)
      assert.match(
        err,
        new RegExp(questions.length === 0 ? 'no open questions' : `has ${questions.length} open question`),
      )
      const needed = [...(edits[name] ?? []), ...questions].filter(
        ([path], index, all) =>
          all.findIndex(([other]) => other.slice(0, 2).join() === path.slice(0, 2).join()) === index,
      )
      assert.equal(needed.length, editCounts[name], JSON.stringify(needed))
      assert.ok(needed.length <= 5)
      for (const [index] of needed.entries())
        assert.equal((await syncWith(applied(map, needed.slice(0, index)), name, '--dry-run')).code, 1)
      const dryRun = await syncWith(applied(map, needed), name, '--dry-run')
      assert.equal(dryRun.code, 3, dryRun.out + dryRun.err)
      const all = applied(map, [...needed, ...(laterEdits[name] ?? [])])
      assert.equal((await syncWith(all, name)).code, 0)
      assert.deepEqual(await storedRecords(database, name), expectedRecords[name])
    })

  it('needs as many edits of each file as the documents say', async () => {
    const document = await readFile(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8')
    const rows = [...document.matchAll(/^\| `([\w-]+)` \| (\d) \|/gm)]
    assert.deepEqual(Object.fromEntries(rows.map(([, name, count]) => [name, Number(count)])), editCounts)
  })

  const draftOf = async (text: string, ...resource: string[]) => {
    const file = join(folder, 'export.csv')
    await writeFile(file, text)
    return (await draft(file, ...resource)).map
  }

  it('marks what can be read in two ways', async () => {
    const map = await draftOf(
      'Personalnummer;Eintritt;Jahresgehalt;Status\n1;01/02/2026;58.000;Aktiv\n2;03/04/2026;61.500;Pausiert\n',
    )
    const { Eintritt, Jahresgehalt, Status } = map.columns
    assert.match(Eintritt.unsure, /"01\/02\/2026", can be read as DD\/MM\/YYYY or MM\/DD\/YYYY/)
    assert.match(Jahresgehalt.unsure, /^All numbers can be read in two ways/)
    assert.match(
      Status[0].unsure,
      /"Pausiert": unknown, and refused until "values" has a value for it\. Correct "values"\. Values: active, on_leave/,
    )
    assert.equal(map.delimiter, ';')
  })

  it('takes the format of one column for the others', async () => {
    const map = await draftOf(
      'Code,Hire date,Termination date,Annual salary\n1,01/02/2020,12/31/2025,"58,000"\n2,03/04/2021,,"1,250.50"\n',
    )
    assert.deepEqual(map.columns, {
      Code: 'code',
      'Hire date': 'date_of_joining',
      'Termination date': 'termination_date',
      'Annual salary': 'base_salary',
    })
    assert.deepEqual([map.date, map.decimal, map.thousands], ['MM/DD/YYYY', '.', ','])
    assert.deepEqual(map.defaults, { status: 'active' })
  })

  it('recognizes a column by its values, and says what it ignores', async () => {
    const map = await draftOf(
      'Mitarbeiter-ID,Kontakt,Vorgesetzter,Büro\n1,a@example.com,,Graz\n2,b@example.com,1,Linz\n',
    )
    assert.deepEqual(map.columns, {
      'Mitarbeiter-ID': 'code',
      Kontakt: { field: 'email', about: 'Recognized by its values.' },
      Vorgesetzter: { field: 'manager_id', by: 'employees.code' },
      Büro: 'ignore',
    })
    assert.match(map.about.join(' '), /Ignored, because no field is known for them: Büro\./)
  })

  for (const name of ['Gehalt mtl. brutto', 'Monatsgehalt', 'monthly salary', 'Gehalt/Monat', 'Stundenlohn'])
    it(`says why it ignores a column named ${name}`, async () => {
      const map = await draftOf(`Code,${name},Büro\n1,4000,Graz\n`, 'employees')
      assert.equal(map.columns[name], 'ignore')
      assert.deepEqual(map.about.slice(2), [
        'Ignored, because no field is known for them: Büro.',
        `Ignored for another reason: ${name} (base_salary is per year, and this is a salary per month or hour: add a column with the salary per year to the file).`,
      ])
    })

  it('takes no month of payroll, and no salary of another resource, for a salary', async () => {
    const map = await draftOf('Code,Payroll month,Gehaltsmonat\n1,3,3\n', 'employees')
    assert.deepEqual(map.about.slice(2), ['Ignored, because no field is known for them: Payroll month, Gehaltsmonat.'])
    const candidates = await draftOf('Email,Monatsgehalt\na@example.com,3\n', 'candidates')
    assert.deepEqual(candidates.about.slice(2), ['Ignored, because no field is known for them: Monatsgehalt.'])
  })

  for (const name of [
    'Vorgesetzter (Pers.-Nr.)',
    'Vorgesetzter Pers.-Nr.',
    'Führungskraft (Pers.-Nr.)',
    'Führungskraft (Personalnr.)',
    'Pers.-Nr. Vorgesetzte/r',
    'Vorgesetzter Personalnummer',
  ])
    it(`recognizes ${name} as the code of the manager, beside a column with names`, async () => {
      const { columns } = await draftOf(`Pers.-Nr.,Vorgesetzter,${name}\n00001,,\n00002,Anna Berg,00001\n`, 'employees')
      assert.deepEqual(columns, {
        'Pers.-Nr.': 'code',
        Vorgesetzter: 'ignore',
        [name]: { field: 'manager_id', by: 'employees.code' },
      })
    })

  it('recognizes "Jahresgehalt brutto" as the salary per year', async () => {
    const { columns } = await draftOf('Code,Jahresgehalt (brutto)\n1,58000\n', 'employees')
    assert.equal(columns['Jahresgehalt (brutto)'], 'base_salary')
  })

  it('drafts maps of leave and of other resources', async () => {
    const leave = await draftOf('Personalnummer;Abwesenheitsart;Von;Bis;Tage\n7;Urlaub;01.07.2026;14.07.2026;9,5\n')
    assert.deepEqual(leave, {
      ...leave,
      resource: 'leave',
      date: 'DD.MM.YYYY',
      decimal: ',',
      columns: {
        Personalnummer: { field: 'employee_id', by: 'employees.code' },
        Abwesenheitsart: { field: 'leave_type', values: { Urlaub: 'annual' } },
        Von: 'from_date',
        Bis: 'to_date',
        Tage: 'days',
      },
    })
    assert.deepEqual((await draftOf('Name,Head\nSales,x\n', 'departments')).columns, { Name: 'name', Head: 'ignore' })
  })

  describe('asks', () => {
    const questionOf = async (column: string, text: string): Promise<unknown> => {
      const rule = (await draftOf(text, 'employees')).columns[column]
      return Array.isArray(rule) ? rule[0] : rule
    }

    it('whether a row of totals may be skipped', async () => {
      const map = await draftOf('Personalnr;Nachname;Jahresgehalt\n1;A;58000\n2;B;61000\nSumme;;119000\n\n;Total:;\n')
      assert.deepEqual(map.skip_where, { Personalnr: 'Summe', Nachname: 'Total:' })
      assert.match(map.unsure.skip_where, /^Line 4, 6 looks like totals, so rows with this value are skipped/)
      assert.equal(map.columns.Jahresgehalt, 'base_salary')
    })

    it('whether notes among the records may be skipped', async () => {
      const file =
        'Nr.;PersNr;Name;Vorname;Jahresgehalt\nVertrieb;;;;\n1;7;A;B;1\n2;8;C;D;2\nSumme;;;;3\n;;Stand: 1.9.2026;;\nAnzahl: 2;;;;\n'
      const map = await draftOf(file, 'employees')
      assert.deepEqual(map.skip_where, { 'Nr.': 'Summe', PersNr: '' })
      assert.match(
        map.unsure.skip_where,
        /^Line 5 looks like totals, .*\. Line 2, 6, 7 looks like a note: rows without a value in the column "PersNr" are skipped/,
      )
      assert.equal(map.columns.Jahresgehalt, 'base_salary')
      assert.deepEqual(map.columns.Name, {
        field: 'last_name',
        unsure: 'If these are full names, they become last names, because a map does not split names',
      })
      const record = await draftOf(file.replace('Anzahl: 2;;;;', '3;;E;F;3'), 'employees')
      assert.deepEqual(record.skip_where, { 'Nr.': 'Summe' })
    })

    it('about cells that are no numbers, by their shape', async () => {
      assert.deepEqual(
        await questionOf('Brutto/Jahr', 'Code;Brutto/Jahr\n1;58.000\n2;41.200,-\n3;31.250,50\n4;k.A.\n5;9.100,00\n'),
        {
          field: 'base_salary',
          decimal: ',',
          thousands: '.',
          unsure:
            'Not all cells are numbers: there are "••.•••,-", "•.•." (a dot is a letter or digit). Correct the file, or write "ignore"',
        },
      )
    })

    it('what yes and no mean, and says that the status decides "alumni" too', async () => {
      assert.deepEqual(await questionOf('aktiv', 'Code,aktiv\n1,ja\n2,nein\n'), {
        field: 'status',
        values: {},
        unsure:
          '"ja", "nein": unknown, and refused until "values" has a value for it. Correct "values". Values: active, on_leave, suspended, terminated, pending. Former employees also have 1 in "alumni"',
      })
    })

    it('what unknown words mean, which are refused until the map says so', async () => {
      const text = 'Code,Vertragsart\n1,VZ\n2,XY\n3,TZ\n4,-\n'
      const { unsure, ...rule } = (await questionOf('Vertragsart', text)) as { unsure: string }
      assert.deepEqual(rule, { field: 'employment_type', values: { VZ: 'full_time', TZ: 'part_time', '-': null } })
      assert.match(unsure, /"VZ": This is usually short for "Vollzeit" or "full-time"/)
      assert.match(unsure, /"XY": unknown, and refused until .* Values: full_time, .*, or null for none$/)
      assert.doesNotMatch(unsure, /"-"/)
      const map = {
        resource: 'employees',
        columns: { Code: 'code', Vertragsart: rule },
        constants: { status: 'active' },
      }
      const [file, mapFile] = [join(folder, 'export.csv'), join(folder, 'map.json')]
      const dryRun = async (members: object) => {
        await writeFile(mapFile, JSON.stringify(members))
        return muster(['sync', 'employees', file, '--map', mapFile, '--dry-run'], { DATABASE_URL: database.url })
      }
      const left = await dryRun(map)
      assert.equal(left.code, 1)
      assert.match(left.out, /^export\.csv:3: column 2 "Vertragsart" .*no translation of this value/m)
      const columns = {
        ...map.columns,
        Vertragsart: { ...rule, values: { VZ: 'full_time', TZ: 'part_time', '-': null, XY: null } },
      }
      assert.equal((await dryRun({ ...map, columns })).code, 3)
    })

    it('about the cells that do not fit the date format of the others', async () => {
      const days = ['01.03.2019', '15.10.2021', '03.04.2022', '30.11.2023', '24.12.2024', '01.01.2025', '31.02.2021']
      const lines = days.map((day, index) => `${index},${day},${day.replace('31.02', '28.02')}\n`)
      const file = `Code,Eintritt,Austritt\n${lines.join('')}`
      assert.deepEqual(await questionOf('Eintritt', file), {
        field: 'date_of_joining',
        date: 'DD.MM.YYYY',
        unsure: 'All cells have the format DD.MM.YYYY, except "31.02.2021", line 8. Correct them in the file',
      })
      assert.deepEqual(await questionOf('Austritt', file), { field: 'termination_date', date: 'DD.MM.YYYY' })
      const few = `Code,Eintritt\n${lines
        .slice(4)
        .map((line) => line.split(',').slice(0, 2).join())
        .join('\n')}\n`
      assert.match(
        ((await questionOf('Eintritt', few)) as { unsure: string }).unsure,
        /^No known date format fits all dates/,
      )
    })

    it('whether a salary is one per year', async () => {
      for (const name of ['Base salary', 'Gehalt', 'Grundgehalt', 'Salary'])
        assert.match(
          ((await questionOf(name, `Code,${name}\n1,58000\n`)) as { unsure: string }).unsure,
          /^Muster stores the salary per year\./,
        )
      assert.equal(await questionOf('base_salary', 'Code,base_salary\n1,58000\n'), 'base_salary')
    })

    it('about words with several meanings, and never takes one for its opposite', async () => {
      const rule = (await questionOf(
        'Vertragsart',
        'Code,Vertragsart\n1,Unbefristet\n2,Befristet\n3,Teilzeit befristet\n4,Intern\n5,Vollzeit\n',
      )) as { values: object; unsure: string }
      assert.deepEqual(rule.values, {
        Unbefristet: 'full_time',
        Befristet: 'contract',
        'Teilzeit befristet': 'contract',
        Intern: 'intern',
        Vollzeit: 'full_time',
      })
      assert.match(rule.unsure, /^"Unbefristet": "permanent" says how long a contract runs/)
      assert.match(rule.unsure, /"Teilzeit befristet": this can mean "contract" or "part_time"/)
      assert.match(rule.unsure, /"Intern": "Intern" is an internship in English, but "internal" in German/)
      assert.doesNotMatch(rule.unsure, /"Befristet"|"Vollzeit"/)
    })

    it('which of two columns has the field', async () => {
      assert.deepEqual(await questionOf('Hire date', 'Code,Hire date,Original hire date\n1,2020-01-31,2019-01-31\n'), {
        field: 'date_of_joining',
        unsure:
          'The column "Original hire date" may have this field too, with other values. Keep the right one, and write "ignore" for the other',
      })
      assert.equal(
        await questionOf('Hire date', 'Code,Hire date,Start date\n1,2020-01-31,2020-01-31\n'),
        'date_of_joining',
      )
    })

    it('whether cells with leading zeros are numbers', async () => {
      assert.deepEqual(await questionOf('Jahresgehalt', 'Code,Jahresgehalt\n1,058000\n2,061000\n'), {
        field: 'base_salary',
        decimal: '.',
        unsure: 'Some cells have leading zeros, so the column may have codes. Keep the field only if they are numbers',
      })
      assert.match(
        ((await questionOf('Jahresgehalt', 'Code,Jahresgehalt\n1,0.500\n2,0.750\n')) as { unsure: string }).unsure,
        /^All numbers can be read in two ways/,
      )
    })

    it('in which zone the times are', async () => {
      const { columns } = await draftOf('Email,Created at\na@example.com,13.03.2026 10:15\n', 'candidates')
      assert.deepEqual(columns['Created at'], {
        field: 'created',
        date: 'DD.MM.YYYY',
        time_zone: 'UTC',
        unsure: 'The times name no time zone. Correct "time_zone"',
      })
    })

    it('what "-" means in a text', async () => {
      assert.match(
        ((await questionOf('Job title', 'Code,Job title\n1,-\n2,Clerk\n')) as { unsure: string }).unsure,
        /^The cells "-" are stored as they are\. If they mean "none", empty them in the file/,
      )
    })

    it('whether a manager column has codes if none of them is in the file', async () => {
      assert.match(
        ((await questionOf('Manager ID', 'Code,Manager ID\n1,900\n2,901\n')) as { unsure: string }).unsure,
        /^No cell is a code of this file/,
      )
    })

    it('for the key and the status if no column is known for them', async () => {
      const { unsure } = await draftOf('Vorname,Nachname\nA,B\n', 'employees')
      assert.match(unsure.columns, /^No column is known for code\. Map one, or name another key with --key/)
      assert.match(unsure.defaults, /^No column is known for the status, so new records are "active"/)
    })

    it('for the resource if the columns fit several', async () => {
      const file = join(folder, 'export.csv')
      await writeFile(file, 'Name\nx\n')
      const { code, err } = await muster(['sync', '--make-map', file], {})
      assert.equal(code, 1)
      assert.match(
        err,
        /^The columns of export\.csv fit employees, departments, .*candidates.*: name the resource before --make-map\.$/m,
      )
    })

    it('for the resource if only one of several columns is known', async () => {
      const file = join(folder, 'export.csv')
      await writeFile(file, 'Shift,Currency,Room\n1,EUR,2\n')
      const { code, out, err } = await muster(['sync', '--make-map', file], {})
      assert.deepEqual([code, out], [1, ''])
      assert.match(
        err,
        /^Only one column of export\.csv is known, .*: name it before --make-map \(employees, .*jobs, .*\)\.$/m,
      )
      assert.equal((await draft(file, 'jobs')).map.columns.Currency, 'currency')
    })

    it('for another resource if there is none of the name', async () => {
      const { code, out, err } = await muster(['sync', 'shifts', '--make-map', 'export.csv'], {})
      assert.deepEqual([code, out], [2, ''])
      assert.match(
        err,
        /^There is no resource "shifts"\. The resources are employees, departments, leave, .*job-distributions.*\.$/m,
      )
    })

    it('for the delimiter if two separate the columns equally well', async () => {
      const { unsure } = await draftOf('Code;Name,Branch\n1;A,B\n', 'employees')
      assert.equal(unsure.delimiter, 'The columns can be separated by commas or semicolons')
    })
  })

  it('reads UTF-16 and Windows-1252', async () => {
    const file = join(folder, 'export.csv')
    await writeFile(file, Buffer.from('Code\tNachname\n1\tBöhm\n', 'utf16le'))
    assert.equal((await draft(file, 'employees')).map.encoding, 'utf-16le')
    await writeFile(file, Buffer.from('Code\tNachname\n1\tBöhm\n', 'latin1'))
    const { map } = await draft(file, 'employees')
    assert.equal(map.encoding, 'windows-1252')
    assert.match(
      map.unsure.encoding,
      /The file is not UTF-8\. Read as Windows-1252, it contains ö\. If these are not letters/,
    )
  })

  it('refuses the options of a sync', async () => {
    const { code, err } = await muster(['sync', '--make-map', 'export.csv', '--map', 'x'], {})
    assert.equal(code, 2)
    assert.match(err, /^--make-map only drafts a map: leave out --map\./)
  })

  it('refuses a file whose columns it does not know', async () => {
    const file = join(folder, 'export.csv')
    await writeFile(file, 'Foo,Bar\n1,2\n')
    const { code, err } = await muster(['sync', '--make-map', file], {})
    assert.deepEqual(
      [code, err],
      [1, 'No column of export.csv is known in the first 20 lines: name the resource, or write the map by hand.\n'],
    )
  })
})
