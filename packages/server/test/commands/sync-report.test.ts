import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const run = promisify(execFile)
const musterFile = fileURLToPath(new URL('../../bin/muster.js', import.meta.url))

describe('the report of muster sync', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-report-'))
    await database.execute(
      `truncate departments, employees restart identity cascade;
       insert into employees (code, status) select 'E' || n, 'active' from generate_series(1, 20) as n`,
    )
    await writeFile(join(folder, 'staff.csv'), 'code,status\nE1,active\nE2,leave\nE21,active\n')
    await writeFile(join(folder, 'bad.csv'), 'code,dept_id\nE1,99\n')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const sync = (file: string, report: string, ...options: string[]): Promise<CommandResult> =>
    muster(['sync', 'employees', join(folder, file), '--report', join(folder, report), ...options], {
      DATABASE_URL: database.url,
    })

  const countActive = async (): Promise<unknown> =>
    (await database.query(`select count(*)::int from employees where status = 'active'`))[0]

  it('is complete before the changes are stored: if it cannot be written, nothing is changed', async () => {
    const report = join(folder, 'report.ndjson')
    // No file can grow, so the report can be created, but not written.
    const script = `ulimit -f 0; exec "${process.execPath}" "${musterFile}" sync employees staff.csv --report "${report}"`
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    await assert.rejects(run('sh', ['-c', script], { cwd: folder, env }), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1)
      assert.equal(
        error.stderr.split('\n').at(-2),
        `The report ${report} cannot be written (EFBIG): nothing was changed.`,
      )
      return true
    })
    assert.deepEqual(await countActive(), { count: 20 })
    assert.equal((await readdir(folder)).includes('report.ndjson'), false)
  })

  it('never overwrites a file, such as the one that is read', async () => {
    const result = await sync('staff.csv', 'staff.csv', '--dry-run')
    assert.deepEqual(
      [result.code, result.err.split('\n').at(-2)],
      [1, `${join(folder, 'staff.csv')} already exists: name another file for the report.`],
    )
    assert.match(await readFile(join(folder, 'staff.csv'), 'utf8'), /^code,status\nE1/)
  })

  it('has a line for each change, and only its owner can read it', async () => {
    assert.equal((await sync('staff.csv', 'report.ndjson')).code, 0)
    const report = join(folder, 'report.ndjson')
    const changes = (await readFile(report, 'utf8')).trimEnd().split('\n')
    assert.deepEqual(
      changes.map((line) => JSON.parse(line)).map(({ kind, key }) => [kind, key.code]),
      [
        ['created', 'E21'],
        ['updated', 'E2'],
      ],
    )
    assert.equal((await stat(report)).mode & 0o777, 0o600)
  })

  it('does not exist after a run that was refused, or had a rejected line, or failed', async () => {
    const refused = await sync('staff.csv', 'refused.ndjson', '--gone', 'status=terminated')
    assert.match(refused.out, /refused, nothing was changed/)
    const dryRun = await sync('staff.csv', 'dry-run.ndjson', '--gone', 'status=terminated', '--dry-run')
    assert.match(dryRun.out, /^marked {3}employees 3 .*refused, nothing was changed/ms)
    assert.equal((await sync('bad.csv', 'rejected.ndjson')).code, 1)
    await writeFile(join(folder, 'empty.csv'), '')
    assert.equal((await sync('empty.csv', 'failed.ndjson')).code, 1)
    assert.deepEqual((await readdir(folder)).sort(), ['bad.csv', 'empty.csv', 'staff.csv'])
  })
})
