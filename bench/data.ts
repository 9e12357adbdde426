/** In charge of the databases of the bench: made by SQL alone, the same on every machine, kept apart by their prefix. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { root } from './child-server.ts'
import { migrate } from './service-process.ts'

const prefix = 'bench_'
/** Begins the comment on every database made here: no other is ever dropped. */
const mark = 'muster bench'
const settlePatienceMs = 60_000
const chunkRows = 1_000_000
export const employeeCount = 500

/** Found in every twentieth candidate, and in a single one. */
export const frequentWord = 'terraform'
export const singleWord = 'glassblower'

/** How attendance is spread, in about these per mille of the rows; `jury_duty` stands in a single one. */
const shares = [
  ['present', 740],
  ['work_from_home', 120],
  ['on_leave', 80],
  ['half_day', 30],
  ['absent', 30],
] as const
export const singleStatus = 'jury_duty'
export const shareOf = (status: (typeof shares)[number][0]): number =>
  (shares.find(([name]) => name === status)?.[1] ?? 0) / 1_000

export class Databases {
  readonly #serverUrl: string
  readonly #checkout: string
  readonly #made = new Map<string, Promise<string>>()

  /** `checkout` is the release whose migrations make the schema. */
  constructor(serverUrl: string, checkout = root) {
    this.#serverUrl = serverUrl
    this.#checkout = checkout
  }

  /** Candidates, every one about 500 bytes of JSON. */
  people(rows: number): Promise<string> {
    return this.#database(`people_${rows}`, (url) => fillCandidates(url, rows))
  }

  /** Attendance: narrow rows, as many as asked for. */
  attendance(rows: number): Promise<string> {
    return this.#database(`attendance_${rows}`, (url) => fillAttendance(url, rows))
  }

  /** Employees only, to create leave requests for; without the triggers of the books where `plain`. */
  creation(plain: boolean): Promise<string> {
    return this.#database(plain ? 'create_plain' : 'create', plain ? dropBookTriggers : undefined)
  }

  /** Waits until nothing runs in them any more: statements of clients that have gone, and vacuum after many writes. */
  async settle(): Promise<void> {
    const busy = `select 1 from pg_stat_activity where starts_with(datname, '${prefix}') and state = 'active' and pid <> pg_backend_pid()`
    const started = performance.now()
    while (performance.now() - started < settlePatienceMs && (await sql(this.#serverUrl, busy)).length > 0)
      await pause(200)
  }

  async dropAll(): Promise<void> {
    const made = await sql<{ datname: string }>(
      this.#serverUrl,
      `select datname from pg_database where starts_with(datname, '${prefix}') and shobj_description(oid, 'pg_database') like '${mark}%'`,
    )
    for (const { datname } of made) await sql(this.#serverUrl, `drop database if exists "${datname}" with (force)`)
  }

  /** Made once, and taken as it is where an earlier run with the same migrations left it. */
  #database(name: string, fill?: (url: string) => Promise<void>): Promise<string> {
    const known = this.#made.get(name)
    if (known !== undefined) return known
    const making = this.#make(prefix + (this.#checkout === root ? '' : 'other_') + name, fill)
    this.#made.set(name, making)
    return making
  }

  async #make(name: string, fill?: (url: string) => Promise<void>): Promise<string> {
    const url = new URL(this.#serverUrl)
    url.pathname = `/${name}`
    const recipe = `${mark} ${await recipeDigest(this.#checkout)}`
    const [left] = await sql<{ recipe: string | null }>(
      this.#serverUrl,
      `select shobj_description(oid, 'pg_database') as recipe from pg_database where datname = '${name}'`,
    )
    if (left?.recipe === recipe) return url.href
    console.log(`  making ${name}`)
    if (left?.recipe?.startsWith(mark)) await sql(this.#serverUrl, `drop database "${name}" with (force)`)
    await sql(this.#serverUrl, `create database "${name}" encoding 'UTF8' template template0`)
    await sql(this.#serverUrl, `comment on database "${name}" is '${mark} unfinished'`)
    await migrate(url.href, this.#checkout)
    await sql(url.href, employees)
    await fill?.(url.href)
    await sql(url.href, 'select muster_upkeep()')
    await sql(url.href, 'vacuum (analyze, freeze)')
    await sql(url.href, 'checkpoint')
    await sql(this.#serverUrl, `comment on database "${name}" is '${recipe}'`)
    return url.href
  }
}

/** Changes with the migrations and with this file, and makes an older database stale. */
const recipeDigest = async (checkout: string): Promise<string> => {
  const folder = join(checkout, 'service', 'migrations')
  const files = (await readdir(folder)).sort().map((name) => join(folder, name))
  const hash = createHash('sha256')
  for (const file of [...files, import.meta.filename]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

export const sql = async <T extends object>(url: string, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

const array = (words: string): string => `'{${words}}'::text[]`
/** The n-th of a list of words, over and over. */
const nth = (words: string, n: string): string => `(${array(words)})[1 + (${n}) % ${words.split(',').length}]`

const employees = `insert into employees (code, first_name, last_name, email, designation, branch, status, date_of_joining)
  select 'E' || lpad(n::text, 5, '0'), 'Given' || n, 'Family' || n, 'e' || n || '@company.example', 'Analyst', 'Lisbon', 'active', date '2020-01-06' + n
  from generate_series(1, ${employeeCount}) n`

const fillCandidates = (url: string, rows: number): Promise<void> =>
  fill(url, 'candidates', rows, (from, to) => {
    const given = nth('Amara,Bastian,Chiara,Daniel,Elif,Femi,Greta,Hiroto,Inés,Jakub,Katya,Liam,Mina', 'n')
    const family = nth(
      'Almeida,Bergström,Costa,Dimitrov,Eriksen,Fontaine,Gupta,Hoffmann,Ivanova,Jansen,Kowalski',
      'n / 13',
    )
    const city = nth('Lisbon,Munich,Nairobi,Osaka,Porto,Quito,Riga,Seville,Tallinn', 'n / 3')
    const title = nth(
      'Data engineer,Product designer,Account manager,Site manager,Payroll specialist,Nurse,Test engineer',
      'n / 7',
    )
    const firm = nth('Northwind Freight,Bluefin Analytics,Harbour Clinics,Kestrel Energy,Old Mill Foods', 'n / 11')
    return `insert into candidates (${columnsOf.candidates})
      select n, ${given}, ${family}, 'candidate.' || n || '@mail.example', '+351 9' || lpad((n * 7919 % 100000000)::text, 8, '0'),
        ${city}, ${title} || ' with a liking for clear processes', ${title}, ${firm},
        (n % 38) / 2.0, 'https://profiles.example/in/candidate-' || n,
        ${nth('career_site,referral,agency,linkedin,sourced', 'n / 17')}, case when n % 9 = 0 then 1 + n % ${employeeCount} end,
        timestamptz '2025-01-01T08:00:00Z' + n % 500000 * interval '1 minute',
        ${nth('new,active,active,active,hired,rejected,archived', 'n / 5')},
        'Spoke on the phone about notice period and place of work' ||
          case when n % 20 = 7 then '; has years of Terraform' when n = ${rows / 2} then '; was a glassblower' else '; will send papers' end,
        timestamptz '2025-01-01T07:30:00Z' + n % 500000 * interval '1 minute'
      from generate_series(${from}, ${to}) n`
  })

const fillAttendance = (url: string, rows: number): Promise<void> =>
  fill(url, 'attendance', rows, (from, to) => {
    let upTo = 0
    const cases = shares.map(([status, share]) => {
      upTo += share
      // By a hash, so that days of one kind stand as unevenly among the others as they do in life.
      return `when (hashint8(n)::bigint & 2147483647) % 1000 < ${upTo} then '${status}'`
    })
    return `insert into attendance (${columnsOf.attendance})
      select n, case when n % 100 > 0 then 1 + n % ${employeeCount} end, date '2015-01-01' + (n / ${employeeCount} % 4000)::int,
        case when n = ${Math.floor(rows / 2)} then '${singleStatus}' ${cases.join(' ')} end,
        case when n % 10 < 8 then 8 else (n % 17) / 2.0 end
      from generate_series(${from}::bigint, ${to}) n`
  })

const columnsOf = {
  candidates:
    'id, first_name, last_name, email, phone, location, headline, current_title, current_employer, years_experience, linkedin_url, source, referred_by, consent_at, status, notes, created',
  attendance: 'id, employee_id, att_date, status, hours',
}

/** Loads a table in chunks, its indexes made afterwards: several times quicker than keeping them up row by row. */
const fill = async (
  url: string,
  table: keyof typeof columnsOf,
  rows: number,
  insert: (from: number, to: number) => string,
): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set maintenance_work_mem = '1GB'; set synchronous_commit = on")
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = '${table}'::regclass and not i.indisprimary and not i.indisunique`,
    )
    for (const { name } of indexes) await client.query(`drop index "${name}"`)
    for (let from = 1; from <= rows; from += chunkRows)
      await client.query(insert(from, Math.min(from + chunkRows - 1, rows)))
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${rows})`)
    for (const { definition } of indexes) await client.query(definition)
  } finally {
    await client.end()
  }
}

const dropBookTriggers = async (url: string): Promise<void> => {
  const triggers = await sql<{ name: string }>(
    url,
    "select tgname as name from pg_trigger where tgrelid = 'leave_requests'::regclass and tgname like 'muster\\_books\\_%'",
  )
  if (triggers.length === 0) throw new Error('leave_requests has no trigger muster_books_*: what keeps its books now?')
  for (const { name } of triggers) await sql(url, `drop trigger "${name}" on leave_requests`)
}
