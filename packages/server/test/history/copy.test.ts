/** The history in a copy of all records: `muster export --all` and `muster import --all`. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const run = (args: readonly string[], { url }: TestDatabase): Promise<CommandResult> =>
  muster(args, { DATABASE_URL: url })
const runOk = async (...args: Parameters<typeof run>): Promise<void> => {
  const { code, out, err } = await run(...args)
  assert.equal(code, 0, out + err)
}

const readHistory = ({ query }: TestDatabase): Promise<object[]> =>
  query('select h::text as entry from history h order by id')
const readStarts = ({ query }: TestDatabase): Promise<object[]> =>
  query('select resource, day::text from muster_history_from order by resource')

describe('the history in a copy of all records', () => {
  let folder: string
  let source: TestDatabase
  let target: TestDatabase
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-history-copy-'))
    source = await createTestDatabase()
    target = await createTestDatabase()
    await source.execute(`
      insert into departments (id, name) values (3, 'Sales'), (5, 'Support');
      insert into employees (id, code, status, dept_id, designation) values (7, 'E7', 'active', 3, 'Clerk, "junior"'), (8, 'E8', 'active', 3, null);
      insert into candidates (id, status) values (3, 'active');
      insert into job_openings (id, title, headcount, filled, status) values (4, 'Clerk', 1, 0, 'open');
      insert into applications (id, candidate_id, job_id, stage, status, stage_entered_on) values (9, 3, 4, 'applied', 'active', '2020-01-05');
      update muster_history_from set day = '2020-01-02' where resource <> 'leave'`)
    for (const change of [
      `update employees set dept_id = 5, designation = '' where id = 7`,
      'update employees set designation = null where id = 7',
      `update employees set designation = 'Head' where id in (7, 8)`,
      `update applications set stage = 'interview', stage_entered_on = '2020-02-03'`,
      `update applications set stage = 'offer', stage_entered_on = '2020-02-03'`,
    ])
      await source.execute(change)
    // As after a load: the id is higher, and the day earlier than that of the change by the trigger.
    await source.execute(
      `insert into history (resource, record_id, field, old, new, "on", at) values ('employees', 8, 'designation', 'Intern', null, '2019-01-02', now())`,
    )
    for (const format of ['csv', 'ndjson'])
      await runOk(['export', '--all', join(folder, format), '--format', format], source)
  })
  after(async () => {
    await source.drop()
    await target.drop()
    await rm(folder, { recursive: true })
  })
  afterEach(() =>
    target.execute(`
      truncate departments, employees, candidates, job_openings, applications, history restart identity cascade;
      update muster_history_from set day = '2025-06-07'`),
  )

  /** Makes a copy whose file of the history is edited. */
  const editedCopy = async (edit: (text: string) => string): Promise<string> => {
    const copy = join(folder, 'edited')
    await cp(join(folder, 'csv'), copy, { recursive: true })
    const file = join(copy, 'history.csv')
    const text = await readFile(file, 'utf8')
    const edited = edit(text)
    assert.notEqual(edited, text)
    await writeFile(file, edited)
    return copy
  }

  for (const format of ['csv', 'ndjson'])
    it(`is the same in the database that imports it as ${format}, with the days from which on it is complete`, async () => {
      await runOk(['import', '--all', join(folder, format)], target)
      const entries = await readHistory(source)
      assert.equal(entries.length, 8)
      assert.deepEqual(await readHistory(target), entries)
      assert.deepEqual(await readStarts(target), await readStarts(source))
      const { out } = await run(['doctor'], target)
      assert.match(out, /^ok +history +The history ends with the present values\.$/m)
      assert.match(out, /^ok +counts +All stored row counts are correct\.$/m)
      await target.execute(`update employees set designation = 'Boss' where id = 8`)
      const [row] = await target.query<{ next: number }>('select max(id) as next from history')
      assert.equal(row?.next, 9)
    })

  it('is complete from the later day on if the table has other records', async () => {
    await target.execute(`
      insert into candidates (id, status) values (90, 'active');
      update muster_history_from set day = '2010-01-02' where resource = 'jobs'`)
    await runOk(['import', '--all', join(folder, 'csv')], target)
    const days = Object.fromEntries((await readStarts(target)).map((row) => Object.values(row) as [string, string]))
    assert.deepEqual([days.candidates, days.employees, days.jobs], ['2025-06-07', '2020-01-02', '2020-01-02'])
  })

  it('is not stored by a sync, which records its own changes', async () => {
    const copy = join(folder, 'synced')
    for (const name of ['departments.csv', 'employees.csv', 'history.csv'])
      await cp(join(folder, 'csv', name), join(copy, name))
    await runOk(['sync', '--all', copy], target)
    assert.deepEqual(await readHistory(target), [])
    assert.equal((await target.query('select from employees')).length, 2)
  })

  const damages = [
    {
      title: 'of a field without a history',
      edit: [',employees,7,dept_id,', ',employees,7,status,'],
      reason: 'field: This field of this resource has no history',
      leftOut: [[7, 'dept_id']],
    },
    {
      title: 'of a resource without a history',
      edit: [',employees,7,dept_id,', ',attendance,7,dept_id,'],
      reason: 'field: This field of this resource has no history',
      leftOut: [[7, 'dept_id']],
    },
    {
      title: 'of a record that is not in the copy',
      edit: [',employees,8,', ',employees,80,'],
      reason: 'record_id: The copy contains no such employee',
      leftOut: [[8, 'designation']],
    },
    {
      title: 'that does not end with the value of the record',
      edit: [',interview,offer,', ',interview,hired,'],
      reason: 'new: This is the last change, but the application has another stage',
      leftOut: [[9, 'stage']],
    },
    {
      title: 'that ends without the value of the record',
      edit: [',employees,8,designation,,Head,', ',employees,8,designation,Head,,'],
      reason: 'new: This is the last change, but the employee has another designation',
      leftOut: [[8, 'designation']],
    },
    {
      title: 'without a day',
      edit: [/(,Head,)[-0-9]+/, '$1'],
      reason: 'on: Field required',
      leftOut: [[7, 'designation']],
    },
  ] as const
  for (const { title, edit, reason, leftOut } of damages)
    it(`is refused with an entry ${title}; with --skip-bad, all changes of the field are left out`, async () => {
      let line = 0
      const copy = await editedCopy((text) => {
        const edited = text.replace(edit[0], edit[1])
        line = edited.split('\n').findIndex((each, index) => each !== text.split('\n')[index]) + 1
        return edited
      })
      const refused = await run(['import', '--all', copy], target)
      assert.equal(refused.code, 1)
      assert.match(refused.out, new RegExp(`^history\\.csv:${line}: ${RegExp.escape(reason)}$`, 'm'))
      assert.deepEqual(await target.query('select from employees'), [])
      await runOk(['import', '--all', copy, '--skip-bad'], target)
      const changedFields = `select distinct record_id, field from history order by 1, 2`
      const kept = (await source.query<{ record_id: number; field: string }>(changedFields)).filter(
        (entry) => !leftOut.some(([id, field]) => id === entry.record_id && field === entry.field),
      )
      assert.equal(kept.length, 3)
      assert.deepEqual(await target.query(changedFields), kept)
      assert.equal((await target.query('select from employees')).length, 2)
      // The history of the copy is not complete.
      const days = (await readStarts(target)).map((row) => Object.values(row)[1])
      assert.deepEqual([...new Set(days)], ['2025-06-07'])
    })

  it('is left out for records that --skip-bad leaves out', async () => {
    const copy = await editedCopy((text) => `${text}\n`)
    const file = join(copy, 'employees.csv')
    const lines = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, lines.map((line) => (line.startsWith('8,') ? line.replace('active', '') : line)).join('\n'))
    await runOk(['import', '--all', copy, '--skip-bad'], target)
    assert.deepEqual(await target.query('select id from employees'), [{ id: 7 }])
    assert.deepEqual(await target.query(`select distinct record_id from history where resource = 'employees'`), [
      { record_id: 7 },
    ])
  })

  it('changes the version of the history with the days, also if the copy has no changes', async () => {
    const copy = join(folder, 'unchanged')
    const version = (): Promise<object[]> =>
      target.query(`select changes from muster_table_versions where table_name = 'history'`)
    await runOk(['export', '--all', copy], target)
    const before = await version()
    await runOk(['import', '--all', copy], target)
    assert.notDeepEqual(await version(), before)
  })

  it('is refused if the manifest has no valid day', async () => {
    const copy = await editedCopy((text) => `${text}\n`)
    const file = join(copy, 'manifest.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('2020-01-02', '2020-02-30'))
    const { code, err } = await run(['import', '--all', copy], target)
    assert.equal(code, 1)
    assert.match(err, /manifest\.json is not as "muster export --all" writes it/)
  })
})
