/** Files as HR systems write them, one for each map of this release, and the records that they contain. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from '../../../../tests/support/database.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(`sync-samples/${name}`, import.meta.url))

export const expectedRecords: Readonly<Record<string, readonly object[]>> = JSON.parse(
  readFileSync(fileOf('expected.json'), 'utf8'),
)

/** The names of the maps, in alphabetical order. */
export const sampleNames = Object.keys(expectedRecords)

const sheets: readonly string[] = ['workday-employees']

export const samplePath = (name: string): string => fileOf(`${name}.${sheets.includes(name) ? 'xlsx' : 'csv'}`)

export const resourceOf = (name: string): 'employees' | 'candidates' =>
  name.endsWith('candidates') ? 'candidates' : 'employees'

/** The records to which the files refer. */
export const emptyDatabase = async (database: TestDatabase): Promise<void> => {
  await database.execute(
    `truncate departments, employees, candidates restart identity cascade;
     insert into departments (name) values ('Management'), ('Sales'), ('Research'),
       ('Geschäftsführung'), ('Vertrieb'), ('Entwicklung');
     insert into employees (code, email, status) values ('lead', 'lead@example.com', 'active')`,
  )
}

const statements = {
  employees: `select e.code, e.first_name, e.last_name, e.email, d.name as department, e.designation, m.code as manager,
      e.branch, e.status, e.date_of_joining::text, e.gender, e.base_salary, e.employment_type, e.termination_date::text,
      e.alumni
    from employees e left join departments d on d.id = e.dept_id left join employees m on m.id = e.manager_id
    where e.code <> 'lead' order by e.code collate "C"`,
  candidates: `select c.first_name, c.last_name, c.email, c.phone, c.location, c.headline, c.current_title,
      c.current_employer, c.linkedin_url, c.source, r.email as referrer, c.status, c.notes,
      case when c.created < '2026-06-01' then to_char(c.created at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') end as created
    from candidates c left join employees r on r.id = c.referred_by order by c.email collate "C"`,
} as const

export const storedRecords = (database: TestDatabase, name: string): Promise<object[]> =>
  database.query(statements[resourceOf(name)])
