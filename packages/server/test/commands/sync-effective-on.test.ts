/** The day that a sync gives to its changes of tracked fields. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

describe('muster sync --effective-on', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-effective-on-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() =>
    database.execute(`
      truncate departments, employees, candidates, job_openings, applications restart identity cascade;
      insert into departments (name) values ('Research'), ('Sales');
      insert into employees (code, branch, dept_id, status)
        values ('E1', 'Wien', 1, 'active'), ('E2', 'Graz', 2, 'active'), ('E3', 'Rom', 2, 'active')`),
  )

  const sync = (resource: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(['sync', resource, '--format', 'csv', ...options], { DATABASE_URL: database.url }, input)

  const entries = async (): Promise<unknown[]> => {
    const rows = await database.query<{ row: unknown }>(
      `select json_build_array(record_id, field, old, new, "on") as row from history order by id`,
    )
    return rows.map(({ row }) => row)
  }

  const today = async (): Promise<string> => {
    const [row] = await database.query<{ day: string }>(`select (now() at time zone 'utc')::date::text as day`)
    return row?.day ?? ''
  }

  it('dates the changes of tracked fields, and only those of its run', async () => {
    const result = await sync(
      'employees',
      joinLines('code,branch,dept_id', 'E1,Linz,2'),
      '--effective-on',
      '2024-02-29',
    )
    assert.equal(result.code, 0, result.out)
    await sync('employees', joinLines('code,branch', 'E1,Bonn'))
    assert.deepEqual(await entries(), [
      [1, 'dept_id', '1', '2', '2024-02-29'],
      [1, 'branch', 'Wien', 'Linz', '2024-02-29'],
      [1, 'branch', 'Linz', 'Bonn', await today()],
    ])
  })

  it('refuses changes before the last one of the field of the record, with their lines, also in a dry run', async () => {
    await sync('employees', joinLines('code,branch', 'E1,Linz'), '--effective-on', '2024-03-01')
    const before = await entries()
    const file = joinLines('code,branch,dept_id', 'E3,Rom,1', 'E2,Linz,2', 'E1,Bonn,2')
    for (const options of [[], ['--dry-run']]) {
      const result = await sync('employees', file, '--effective-on', '2024-02-29', '--at-most', '100%', ...options)
      assert.deepEqual(
        [result.code, result.out.split('\n')],
        [
          1,
          [
            'standard input:4: branch: The last recorded change of this field is of 2024-03-01: the new value cannot begin before, on 2024-02-29',
            '3 lines read, 1 line rejected: nothing was changed. Fix them, or skip them with --skip-bad.',
            '',
          ],
        ],
      )
    }
    assert.deepEqual(await entries(), before)
    const skipping = await sync('employees', file, '--effective-on', '2024-02-29', '--at-most', '100%', '--skip-bad')
    assert.equal(skipping.code, 0, skipping.out)
    assert.deepEqual((await entries()).slice(before.length), [
      [2, 'branch', 'Graz', 'Linz', '2024-02-29'],
      [3, 'dept_id', '2', '1', '2024-02-29'],
    ])
  })

  it('accepts the day of the last change, and a line whose earlier change is of another field or that changes nothing', async () => {
    await sync(
      'employees',
      joinLines('code,branch', 'E1,Linz', 'E2,Bonn'),
      '--effective-on',
      '2024-03-01',
      '--at-most',
      '100%',
    )
    const file = joinLines('code,branch,dept_id', 'E1,Wien,1', 'E2,Bonn,1')
    const same = await sync('employees', file, '--effective-on', '2024-03-01', '--at-most', '100%')
    assert.equal(same.code, 0, same.out)
    const earlier = await sync(
      'employees',
      joinLines('code,branch,dept_id', 'E2,Bonn,2'),
      '--effective-on',
      '2024-03-01',
    )
    assert.equal(earlier.code, 0, earlier.out)
    assert.deepEqual((await entries()).slice(2), [
      [1, 'branch', 'Linz', 'Wien', '2024-03-01'],
      [2, 'dept_id', '2', '1', '2024-03-01'],
      [2, 'dept_id', '1', '2', '2024-03-01'],
    ])
  })

  it('refuses a day of the future, and a text that is no day', async () => {
    const [row] = await database.query<{ day: string }>(`select ((now() at time zone 'utc')::date + 1)::text as day`)
    const file = joinLines('code,branch', 'E1,Linz')
    for (const options of [[], ['--dry-run']]) {
      const future = await sync('employees', file, '--effective-on', row?.day ?? '', ...options)
      assert.equal(future.code, 1)
      assert.match(future.err, new RegExp(`--effective-on ${row?.day} is after today, `))
    }
    const wrong = await sync('employees', file, '--effective-on', '2026-02-30')
    assert.deepEqual(
      [wrong.code, wrong.err.split('\n')[0]],
      [2, '--effective-on takes a day such as 2026-11-01, not "2026-02-30".'],
    )
    assert.deepEqual(await entries(), [])
    assert.equal((await sync('employees', file, '--effective-on', await today())).code, 0)
  })

  it('refuses resources without tracked fields', async () => {
    const result = await sync('departments', joinLines('name', 'Legal'), '--effective-on', '2024-03-01')
    assert.deepEqual(
      [result.code, result.err.split('\n')[0]],
      [2, '--effective-on dates changes of tracked fields, and departments have none: leave it out.'],
    )
  })

  it('dates what --gone changes, and refuses it before the last change', async () => {
    await sync('employees', joinLines('code,branch', 'E2,Linz'), '--effective-on', '2024-03-01')
    const file = joinLines('code,branch', 'E1,Wien', 'E3,Rom')
    const gone = ['--gone', 'status=terminated,branch=', '--at-most', '100%']
    for (const options of [[], ['--dry-run']]) {
      const result = await sync('employees', file, ...gone, '--effective-on', '2024-02-01', ...options)
      assert.equal(result.code, 1)
      assert.match(
        result.out,
        /employees: --gone would change branch of 1 of the records, such as 2, before its last recorded change\. --effective-on can be 2024-03-01 at the earliest\./,
      )
    }
    assert.equal((await sync('employees', file, ...gone, '--effective-on', '2024-04-01')).code, 0)
    assert.deepEqual((await entries()).at(-1), [2, 'branch', 'Linz', null, '2024-04-01'])
  })

  it('leaves a stage the day on which it was entered, and dates the status', async () => {
    await database.execute(`
      insert into candidates (status) values ('active');
      insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
      insert into applications (candidate_id, job_id, stage, status, applied_on, stage_entered_on)
        values (1, 1, 'applied', 'active', '2024-01-01', '2024-01-01')`)
    const file = joinLines('id,stage,stage_entered_on,status', '1,interview,2024-01-15,rejected')
    const result = await sync('applications', file, '--effective-on', '2024-02-01', '--at-most', '100%')
    assert.equal(result.code, 0, result.out)
    assert.deepEqual(await entries(), [
      [1, 'stage', 'applied', 'interview', '2024-01-15'],
      [1, 'status', 'active', 'rejected', '2024-02-01'],
    ])
  })

  it('dates the changes of all files of a folder', async () => {
    await writeFile(join(folder, 'departments.csv'), joinLines('name', 'Legal'))
    await writeFile(join(folder, 'employees.csv'), joinLines('code,branch', 'E1,Linz'))
    const result = await muster(['sync', '--all', folder, '--effective-on', '2024-03-01'], {
      DATABASE_URL: database.url,
    })
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await entries(), [[1, 'branch', 'Wien', 'Linz', '2024-03-01']])
  })
})
