/** In charge of the SQL that the engine is measured by, and of the columns and rows it shares with the other servers. */

export const pageRows = 50

const texts = ['first_name', 'last_name', 'email', 'phone', 'location', 'headline', 'current_title', 'current_employer']

/** What a search in candidates looks at. */
export const candidateTexts = [...texts, 'source', 'status', 'notes']

/** All 17 fields of a candidate. */
export const candidateColumns = [
  'id',
  ...texts,
  'years_experience',
  'linkedin_url',
  'source',
  'referred_by',
  'consent_at',
  'status',
  'notes',
  'created',
].join(', ')

export const attendanceColumns = 'id, employee_id, att_date, status, hours'

export const leaveColumns = 'employee_id, leave_type, from_date, to_date, days, status, reason, applied_on'

export const keysetPage = (rows: number): string =>
  `\\set id random(1, ${rows - pageRows})\n` +
  `select ${candidateColumns} from candidates where id >= :id order by id limit ${pageRows};\n`

/** The list as it is commonly written: skip by OFFSET, count by count(*). */
export const naivePage = (table: string, columns: string, offset: number): string =>
  `select ${columns} from ${table} order by id limit ${pageRows} offset ${offset};\nselect count(*) from ${table};\n`

export const offsetPage = (table: string, columns: string, offset: number): string =>
  `select ${columns} from ${table} order by id limit ${pageRows} offset ${offset};\n`

/** One leave request; the employee differs, so that no two writers share a row they refer to more than they must. */
export const leaveInsert = (employees: number): string =>
  `\\set employee random(1, ${employees})\n` +
  `insert into leave_requests (${leaveColumns}) values (:employee, 'annual', '2026-07-06', '2026-07-17', 10, 'pending', 'Two weeks by the sea', '2026-05-04') returning id;\n`

export const leaveBody = (employees: number): string =>
  `{"employee_id":{1..${employees}},"leave_type":"annual","from_date":"2026-07-06","to_date":"2026-07-17","days":10,` +
  '"status":"pending","reason":"Two weeks by the sea","applied_on":"2026-05-04"}'

/** Page and exact total of a search by the trigram index, in the ways known to be good; which is best depends on the hits. */
export const trigramSearches = (table: string, columns: string, term: string): string[] => {
  const hits = `select id from ${table} where search_text like '%${term}%'`
  return [
    `with hits as materialized (${hits}) select ${columns}, (select count(*) from hits) from ${table} ` +
      `where id = any (array(select id from hits order by id limit ${pageRows})) order by id;\n`,
    `select count(*) from ${table} where search_text like '%${term}%';\n` +
      `select ${columns} from ${table} where search_text like '%${term}%' order by id limit ${pageRows};\n`,
  ]
}
