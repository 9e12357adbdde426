/** SQL for measuring PostgreSQL itself, and the columns and request bodies that all measured servers use. */

export const pageRows = 50

const commonTextColumns = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'location',
  'headline',
  'current_title',
  'current_employer',
]

/** The columns that the naive service searches. */
export const candidateTextColumns = [...commonTextColumns, 'source', 'status', 'notes']

/** The columns of all 17 fields of a candidate. */
export const candidateColumns = [
  'id',
  ...commonTextColumns,
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

export const keysetPageSql = (rows: number): string =>
  `\\set id random(1, ${rows - pageRows})\n` +
  `select ${candidateColumns} from candidates where id >= :id order by id limit ${pageRows};\n`

/** SQL for a page of a list as it is commonly written, with OFFSET and count(*). */
export const naivePageSql = (table: string, columns: string, offset: number): string =>
  `select ${columns} from ${table} order by id limit ${pageRows} offset ${offset};\nselect count(*) from ${table};\n`

export const offsetPageSql = (table: string, columns: string, offset: number): string =>
  `select ${columns} from ${table} order by id limit ${pageRows} offset ${offset};\n`

/** Inserts a leave request for a random employee, so that concurrent writers rarely lock the same employee row. */
export const leaveInsertSql = (employees: number): string =>
  `\\set employee random(1, ${employees})\n` +
  `insert into leave_requests (${leaveColumns}) values (:employee, 'annual', '2026-07-06', '2026-07-17', 10, 'pending', 'Two weeks by the sea', '2026-05-04') returning id;\n`

export const leaveBody = (employees: number): string =>
  `{"employee_id":{1..${employees}},"leave_type":"annual","from_date":"2026-07-06","to_date":"2026-07-17","days":10,` +
  '"status":"pending","reason":"Two weeks by the sea","applied_on":"2026-05-04"}'

/**
 * SQL for two good ways to read one page and the exact total of a search with the trigram index. Which of them is
 * faster depends on the number of hits.
 */
export const trigramSearchStatements = (table: string, columns: string, term: string): string[] => {
  const hits = `select id from ${table} where search_text like '%${term}%'`
  return [
    `with hits as materialized (${hits}) select ${columns}, (select count(*) from hits) from ${table} ` +
      `where id = any (array(select id from hits order by id limit ${pageRows})) order by id;\n`,
    `select count(*) from ${table} where search_text like '%${term}%';\n` +
      `select ${columns} from ${table} where search_text like '%${term}%' order by id limit ${pageRows};\n`,
  ]
}
