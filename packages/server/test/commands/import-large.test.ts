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
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'

const header = 'id,employee_id,att_date,status,hours'
const employeeCount = 50
const dateForLine = (line: number): string => new Date(Date.UTC(2000, 0, 1 + (line % 9_000))).toISOString().slice(0, 10)
const validLine = (line: number): string => `${line},${1 + (line % employeeCount)},${dateForLine(line)},present,7.5`

/** For each kind of error, an invalid line and the expected message. */
const errorKinds: readonly ((line: number) => { bytes: string | Buffer; message: string })[] = [
  (line) => ({
    bytes: `${line},999999,${dateForLine(line)},present,8`,
    message: 'employee_id: No employee has this id (999999)',
  }),
  (line) => ({
    bytes: `${line},1,2026-02-30,present,8`,
    message: 'att_date: Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken ("2026-02-30")',
  }),
  (line) => ({ bytes: `${line},1,,present,8`, message: 'att_date: Field required' }),
  (line) => ({
    bytes: `${line},1,${dateForLine(line)}," ",8`,
    message: 'status: String should have at least 1 character (" ")',
  }),
  (line) => ({
    bytes: `${line},1,${dateForLine(line)},present,eight`,
    message: 'hours: Input should be a valid number ("eight")',
  }),
  (line) => ({
    bytes: `${line - 1},1,${dateForLine(line)},present,8`,
    message: `id: Line ${line - 1} has this value already (${line - 1})`,
  }),
  (line) => ({
    bytes: `${10_000_000 + line},1,${dateForLine(line)},present,8`,
    message: `id: Another record has this value already (${10_000_000 + line})`,
  }),
  (line) => ({
    bytes: `${line},1,${dateForLine(line)},present`,
    message: 'The line should have 5 cells like the first line, but has 4',
  }),
  (line) => ({
    bytes: `${line},1,${dateForLine(line)},pre\u0000sent,8`,
    message: 'status: Input should be a valid string, unable to parse raw data as a unicode string ("pre\\u0000sent")',
  }),
]

describe('a large import', () => {
  let database: TestDatabase
  let client: pg.Client
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`insert into employees (status) select 'active' from generate_series(1, ${employeeCount})`)
    folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  })
  after(async () => {
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const countRows = async (): Promise<number> =>
    (await client.query('select count(*)::int from attendance')).rows[0].count

  it('reports exactly the 1,000 invalid lines among 10,000, and stores the others with --skip-bad', async () => {
    const lines: Buffer[] = [Buffer.from(`${header}\n`)]
    const expectedErrors: string[] = []
    for (let line = 2; line <= 10_001; line += 1) {
      const invalidLine = line % 10 === 0 ? errorKinds[(line / 10) % errorKinds.length]?.(line) : undefined
      lines.push(Buffer.from(invalidLine?.bytes ?? validLine(line)), Buffer.from('\n'))
      if (invalidLine !== undefined) expectedErrors.push(`standard input:${line}: ${invalidLine.message}`)
    }
    assert.equal(expectedErrors.length, 1_000)
    await client.query(
      `insert into attendance (id, att_date, status) select 10000000 + n, '2026-01-01', 'present' from generate_series(1, 10001) as n`,
    )
    const env = { DATABASE_URL: database.url }
    const args = ['import', 'attendance', '--format', 'csv']
    const file = [Buffer.concat(lines)]

    const strictResult = await muster(args, env, file)
    assert.deepEqual(strictResult.out.trimEnd().split('\n').slice(0, -1), expectedErrors)
    assert.match(strictResult.out, /\n10,000 lines read, 1,000 lines rejected: nothing was stored\..+\n$/)
    assert.deepEqual([strictResult.code, await countRows()], [1, 10_001])

    const lenientResult = await muster([...args, '--skip-bad'], env, file)
    assert.deepEqual(lenientResult.out.trimEnd().split('\n').slice(0, -1), expectedErrors)
    assert.match(lenientResult.out, /\n10,000 lines read, 1,000 lines rejected, 9,000 records stored in .+ s\.\n$/)
    assert.deepEqual([lenientResult.code, await countRows()], [0, 19_001])
    await client.query('truncate attendance')
  })

  it('reports the first 1,000 errors and counts the rest', async () => {
    const file = `${header}\n${'1,1,never,,\n'.repeat(3_000)}`
    const { out } = await muster(['import', 'attendance', '--format', 'csv'], { DATABASE_URL: database.url }, file)
    const printedLines = out.trimEnd().split('\n')
    assert.equal(printedLines.length, 1_002)
    assert.match(printedLines[999] ?? '', /^standard input:335: att_date: /)
    // 8,999 errors: each of the 3,000 lines has a bad date and no status, and all but the first have a duplicate id.
    assert.equal(printedLines[1_000], '… and 7,999 more errors')
    assert.match(printedLines[1_001] ?? '', /^3,000 lines read, 3,000 lines rejected: nothing was stored\./)
  })

  it('can read a file that is larger than the heap of the process', async () => {
    const hundredLines = `${JSON.stringify({ status: 'active', notes: 'n'.repeat(8_000) })}\n`.repeat(100)
    const musterFile = fileURLToPath(new URL('../../bin/muster.ts', import.meta.url))
    const args = ['--max-old-space-size=48', musterFile, 'import', 'candidates', '--format', 'ndjson', '--dry-run']
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, DATABASE_URL: database.url } })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    Readable.from(Array.from({ length: 80 }, () => Buffer.from(hundredLines))).pipe(child.stdin)
    assert.deepEqual(await once(child, 'close'), [0, null])
    assert.equal(output, '8,000 lines read, 0 lines rejected: 8,000 records would be stored.\n')
  })

  for (const [moment, statement] of [
    ['while it reads the file', 'copy pg_temp.%'],
    ['while it stores the rows', 'insert into public."attendance"%'],
  ] as const) {
    it(`leaves no rows if it is killed ${moment}`, async () => {
      const file = join(folder, 'attendance.csv')
      const rows = Array.from({ length: 60_000 }, (_, index) => validLine(index + 1))
      await writeFile(file, [header, ...rows, ''].join('\n'))
      const sequenceBefore = await client.query('select last_value, is_called from attendance_id_seq')
      const command = runCommand('muster.ts', ['import', 'attendance', file], { DATABASE_URL: database.url })
      const countSessions = async (queryPattern: string): Promise<number> =>
        (
          await client.query(
            `select count(*)::int from pg_stat_activity where datname = current_database()
             and application_name = 'muster-import' and query like $1`,
            [queryPattern],
          )
        ).rows[0].count
      const deadline = Date.now() + 60_000
      while ((await countSessions(statement)) === 0) assert.ok(Date.now() < deadline, command.output)
      command.signal('SIGKILL')
      assert.equal(await command.exitPromise, null)
      while ((await countSessions('%')) > 0)
        assert.ok(Date.now() < deadline, 'the session of the killed import never ended')
      assert.equal(await countRows(), 0)
      assert.deepEqual(
        (await client.query('select last_value, is_called from attendance_id_seq')).rows,
        sequenceBefore.rows,
      )
      const remainingTables = await client.query(`select count(*)::int from pg_class where relname like 'import\\_%'`)
      assert.equal(remainingTables.rows[0].count, 0)
    })
  }
})
