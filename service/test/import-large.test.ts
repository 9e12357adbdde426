/** Imports of size: exactly the bad lines are told, memory stays where it is, and a process that is killed leaves nothing behind. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { muster } from './support/muster.ts'
import { runCommand } from './support/process.ts'

const header = 'id,employee_id,att_date,status,hours'
const employees = 50
const day = (line: number): string => new Date(Date.UTC(2000, 0, 1 + (line % 9_000))).toISOString().slice(0, 10)
const good = (line: number): string => `${line},${1 + (line % employees)},${day(line)},present,7.5`

/** Each kind: a line made bad, and what has to be told of it. */
const kinds: readonly ((line: number) => { bytes: string | Buffer; told: string })[] = [
  (line) => ({ bytes: `${line},999999,${day(line)},present,8`, told: 'employee_id: No employee has this id (999999)' }),
  (line) => ({
    bytes: `${line},1,2026-02-30,present,8`,
    told: 'att_date: Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken ("2026-02-30")',
  }),
  (line) => ({ bytes: `${line},1,,present,8`, told: 'att_date: Field required' }),
  (line) => ({ bytes: `${line},1,${day(line)}," ",8`, told: 'status: String should have at least 1 character (" ")' }),
  (line) => ({
    bytes: `${line},1,${day(line)},present,eight`,
    told: 'hours: Input should be a valid number ("eight")',
  }),
  (line) => ({
    bytes: `${line - 1},1,${day(line)},present,8`,
    told: `id: Line ${line - 1} has this value already (${line - 1})`,
  }),
  (line) => ({
    bytes: `${10_000_000 + line},1,${day(line)},present,8`,
    told: `id: Another record has this value already (${10_000_000 + line})`,
  }),
  (line) => ({
    bytes: `${line},1,${day(line)},present`,
    told: 'The line should have 5 cells like the first line, and has 4',
  }),
  (line) => ({
    bytes: `${line},1,${day(line)},pre\u0000sent,8`,
    told: 'status: Input should be a valid string, unable to parse raw data as a unicode string ("pre\\u0000sent")',
  }),
]

describe('an import of size', () => {
  let database: TestDatabase
  let client: pg.Client
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`insert into employees (status) select 'active' from generate_series(1, ${employees})`)
    folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  })
  after(async () => {
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const count = async (): Promise<number> => (await client.query('select count(*)::int from attendance')).rows[0].count

  it('tells exactly the 1,000 bad lines of ten kinds among 50,000, and stores the others', async () => {
    const lines: Buffer[] = [Buffer.from(`${header}\n`)]
    const expected: string[] = []
    for (let line = 2; line <= 50_001; line += 1) {
      const bad = line % 50 === 0 ? kinds[(line / 50) % kinds.length]?.(line) : undefined
      lines.push(Buffer.from(bad?.bytes ?? good(line)), Buffer.from('\n'))
      if (bad !== undefined) expected.push(`standard input:${line}: ${bad.told}`)
    }
    assert.equal(expected.length, 1_000)
    await client.query(
      `insert into attendance (id, att_date, status) select 10000000 + n, '2026-01-01', 'present' from generate_series(1, 50001) as n`,
    )
    const env = { DATABASE_URL: database.url }
    const args = ['import', 'attendance', '--format', 'csv']
    const file = [Buffer.concat(lines)]

    const strict = await muster(args, env, file)
    assert.deepEqual(strict.out.trimEnd().split('\n').slice(0, -1), expected)
    assert.match(strict.out, /\n50,000 lines read, 1,000 lines refused: nothing was stored\..+\n$/)
    assert.deepEqual([strict.code, await count()], [1, 50_001])

    const lenient = await muster([...args, '--skip-bad'], env, file)
    assert.deepEqual(lenient.out.trimEnd().split('\n').slice(0, -1), expected)
    assert.match(lenient.out, /\n50,000 lines read, 1,000 lines refused, 49,000 records stored in .+ s\.\n$/)
    assert.deepEqual([lenient.code, await count()], [0, 99_001])
    await client.query('truncate attendance')
  })

  it('tells the first 1,000 faults and counts the rest', async () => {
    const file = `${header}\n${'1,1,never,,\n'.repeat(3_000)}`
    const { out } = await muster(['import', 'attendance', '--format', 'csv'], { DATABASE_URL: database.url }, file)
    const told = out.trimEnd().split('\n')
    assert.equal(told.length, 1_002)
    assert.match(told[999] ?? '', /^standard input:335: att_date: /)
    // Each line has a bad date and no status, and all but the first have an id that is taken.
    assert.equal(told[1_000], '… and 7,999 more faults')
    assert.match(told[1_001] ?? '', /^3,000 lines read, 3,000 lines refused: nothing was stored\./)
  })

  it('needs no more memory for a file that is larger than all the memory it has', async () => {
    const line = `${JSON.stringify({ status: 'active', notes: 'n'.repeat(8_000) })}\n`.repeat(100)
    const muster = fileURLToPath(new URL('../bin/muster.ts', import.meta.url))
    const args = ['--max-old-space-size=48', muster, 'import', 'candidates', '--format', 'ndjson', '--dry-run']
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, DATABASE_URL: database.url } })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    Readable.from(Array.from({ length: 120 }, () => Buffer.from(line))).pipe(child.stdin)
    assert.deepEqual(await once(child, 'close'), [0, null])
    assert.equal(said, '12,000 lines read, 0 lines refused: 12,000 records would be stored.\n')
  })

  for (const [moment, statement] of [
    ['while it reads', 'copy pg_temp.%'],
    ['while it stores', 'insert into public."attendance"%'],
  ] as const) {
    it(`leaves nothing half done when it is killed ${moment}`, async () => {
      const file = join(folder, 'attendance.csv')
      const rows = Array.from({ length: 200_000 }, (_, index) => good(index + 1))
      await writeFile(file, [header, ...rows, ''].join('\n'))
      const before = await client.query('select last_value, is_called from attendance_id_seq')
      const command = runCommand('muster.ts', ['import', 'attendance', file], { DATABASE_URL: database.url })
      const sessions = async (like: string): Promise<number> =>
        (
          await client.query(
            `select count(*)::int from pg_stat_activity where datname = current_database()
             and application_name = 'muster-import' and query like $1`,
            [like],
          )
        ).rows[0].count
      const deadline = Date.now() + 60_000
      while ((await sessions(statement)) === 0) assert.ok(Date.now() < deadline, command.said)
      command.signal('SIGKILL')
      assert.equal(await command.ended, null)
      while ((await sessions('%')) > 0) assert.ok(Date.now() < deadline, 'the session of the killed import never ended')
      assert.equal(await count(), 0)
      assert.deepEqual((await client.query('select last_value, is_called from attendance_id_seq')).rows, before.rows)
      const left = await client.query(`select count(*)::int from pg_class where relname like 'import\\_%'`)
      assert.equal(left.rows[0].count, 0)
    })
  }
})
