/** Copies of all records that lack something, or whose files are of different times. */
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { listedResources, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const keysFile = 'erased-keys.ndjson'
const manifestFile = 'manifest.json'
const withoutLastLine = (text: string): string => text.replace(/[^\n]*\n$/, '')

describe('an incomplete copy of all records', () => {
  let folder: string
  /** A copy from before the erasure, and one from after it. */
  let early: string
  let late: string
  let copy: string
  let source: TestDatabase
  let target: TestDatabase

  const exportAll = (to: string, ...options: string[]): Promise<CommandResult> =>
    muster(['export', '--all', to, ...options], { DATABASE_URL: source.url })
  const importAll = (...options: string[]): Promise<CommandResult> =>
    muster(['import', '--all', copy, ...options], { DATABASE_URL: target.url })
  const run = (args: readonly string[], { url }: TestDatabase, input = ''): Promise<CommandResult> =>
    muster(args, { DATABASE_URL: url }, input)

  /** Makes `copy` a copy of another one, with some files of a third. */
  const copyOf = async (from: string, others: readonly string[] = [], othersFrom = from): Promise<void> => {
    await rm(copy, { recursive: true, force: true })
    await cp(from, copy, { recursive: true })
    for (const name of others) await cp(join(othersFrom, name), join(copy, name))
  }
  const edit = async (name: string, change: (text: string) => string): Promise<void> =>
    writeFile(join(copy, name), change(await readFile(join(copy, name), 'utf8')))

  const countStored = async (): Promise<number[]> => {
    const tables = ['candidates', 'employees', 'leave_requests', 'muster_erased_keys']
    const counts = tables.map((table) => `(select count(*)::int from ${table})`)
    const [row] = await target.query<{ stored: number[] }>(`select array[${counts.join(', ')}] as stored`)
    return row?.stored ?? []
  }
  const assertRefused = async (sentence: RegExp, options: readonly string[] = ['--skip-bad']): Promise<void> => {
    const { code, out, err } = await importAll(...options)
    assert.equal(code, 1)
    assert.match(out + err, sentence)
    assert.deepEqual(await countStored(), [0, 0, 0, 0])
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-copy-'))
    early = join(folder, 'early')
    late = join(folder, 'late')
    copy = join(folder, 'copy')
    source = await createTestDatabase()
    target = await createTestDatabase()
    await source.execute(
      `insert into candidates (id, first_name, email, status) values (3, 'Ana', 'ana@example.com', 'hired'), (5, 'Ben', 'ben@example.com', 'active');
       insert into employees (id, code, first_name, status, candidate_id) values (7, 'E7', 'Ana', 'active', 3);
       insert into leave_requests (employee_id, leave_type, from_date, reason) values (7, 'sick', '2026-02-02', 'private')`,
    )
    assert.equal((await exportAll(early)).code, 0)
    assert.equal((await run(['erase', 'employee', '7'], source)).code, 0)
    assert.equal((await exportAll(late)).code, 0)
  })
  after(async () => {
    await source.drop()
    await target.drop()
    await rm(folder, { recursive: true })
  })
  afterEach(() =>
    target.execute(
      'truncate employees, candidates, leave_requests cascade; truncate muster_erased_keys, muster_erasure_secret',
    ),
  )

  it('is recognised by the number of records in each file, which the last file of an export contains', async () => {
    const expected = { candidates: 2, employees: 1, leave: 1 } as Record<string, number>
    const counts = listedResources.map(({ path }) => [`${path}.csv`, expected[path] ?? 0])
    const days = await source.query<{ resource: string; day: string }>(
      'select resource, day::text from muster_history_from',
    )
    assert.deepEqual(JSON.parse(await readFile(join(late, manifestFile), 'utf8')), {
      records: { ...Object.fromEntries(counts), [keysFile]: 4 },
      history_from: Object.fromEntries(days.map(({ resource, day }) => [resource, day])),
    })
    await copyOf(late)
    const { code, err } = await importAll()
    assert.equal(code, 0)
    assert.doesNotMatch(err, /incomplete/)
    assert.deepEqual(await countStored(), [2, 1, 1, 4])
  })

  for (const [name, count] of [
    [keysFile, 4],
    ['candidates.csv', 2],
  ] as const) {
    it(`is refused if the last line of ${name} is missing`, async () => {
      await copyOf(late)
      await edit(name, withoutLastLine)
      const sentence = `${name} contains ${count - 1} records, but ${count} according to manifest.json. Nothing was stored: copy all files of the export again, or delete manifest.json to import what is there.\n`
      await assertRefused(new RegExp(`${RegExp.escape(sentence)}$`))
    })

    it(`is refused if ${name} is missing`, async () => {
      await copyOf(late)
      await rm(join(copy, name))
      await assertRefused(new RegExp(`${RegExp.escape(name)} of manifest\\.json is missing: copy all files`))
    })
  }

  it('is refused if the file of the keys is empty', async () => {
    await copyOf(late)
    await edit(keysFile, () => '')
    await assertRefused(/erased-keys\.ndjson contains 0 records, but 4 according to manifest\.json/)
  })

  it('is refused if its manifest is damaged', async () => {
    for (const text of ['', '{', 'null', '{"records":{"leave.csv":"1"}}']) {
      await copyOf(late)
      await edit(manifestFile, () => text)
      await assertRefused(
        /manifest\.json is not as "muster export --all" writes it: copy all files of the export again/,
      )
    }
  })

  it('is imported with a warning if it has no manifest, as copies of earlier releases and files made by hand', async () => {
    await copyOf(late)
    for (const name of [manifestFile, keysFile, 'leave.csv']) await rm(join(copy, name))
    const { code, err } = await importAll()
    assert.equal(code, 0)
    assert.ok(
      err.includes(
        `${copy} has no manifest.json, which "muster export --all" writes last: if it is such a copy, it may be incomplete.\n`,
      ),
      err,
    )
    assert.deepEqual(await countStored(), [2, 1, 0, 0])
  })

  it('has no manifest if an export that replaces its files was interrupted', async () => {
    await copyOf(early)
    // The export cannot replace a folder by a file.
    await rm(join(copy, 'leave.csv'))
    await mkdir(join(copy, 'leave.csv'))
    assert.equal((await exportAll(copy, '--force')).code, 1)
    assert.equal(
      await readFile(join(copy, 'employees.csv'), 'utf8'),
      await readFile(join(late, 'employees.csv'), 'utf8'),
    )
    assert.equal((await readdir(copy)).includes(manifestFile), false)
  })

  it('keeps its manifest if an export fails before it has replaced a file', async () => {
    await copyOf(early)
    const { code } = await muster(['export', '--all', copy, '--force'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
    assert.equal(code, 1)
    assert.ok((await readdir(copy)).includes(manifestFile))
  })

  for (const [name, record] of [
    ['employees.csv', 7],
    ['candidates.csv', 3],
    ['leave.csv', 1],
  ] as const)
    it(`is refused if its ${name} is from before the erasure of a person in its keys`, async () => {
      await copyOf(late, [name], early)
      await assertRefused(
        new RegExp(
          `^${RegExp.escape(name)}:2: id: This person was erased according to erased-keys\\.ndjson, so this file is of another time: make the copy again, or add --restore-erased$`,
          'm',
        ),
        [],
      )
      const { code } = await importAll('--restore-erased')
      assert.equal(code, 0)
      assert.deepEqual(
        await target.query('select from muster_erased_keys where resource = $1 and record_id = $2', [
          name.slice(0, -'.csv'.length),
          record,
        ]),
        [],
      )
    })

  it('is refused as a whole by a database with the same secret whose records have ids of its keys', async () => {
    await copyOf(late)
    assert.equal((await importAll()).code, 0)
    // The database was copied before the erasure, and has given the ids to other people since.
    const sentence =
      /erased-keys\.ndjson contains a key of candidates 3, a record with personal values in this database\. If it is the same person, erase it here first\. If not, import the copy into a new database\.\n$/
    await target.execute(
      `truncate employees, candidates, leave_requests cascade; truncate muster_erased_keys;
       insert into candidates (id, first_name, status) values (3, 'Eva', 'active')`,
    )
    for (const name of resources.map(({ path }) => `${path}.csv`)) if (name !== 'jobs.csv') await rm(join(copy, name))
    await rm(join(copy, manifestFile))
    for (const options of [[], ['--restore-erased'], ['--skip-bad']]) {
      const { code, err } = await importAll(...options)
      assert.equal(code, 1)
      assert.match(err, sentence)
    }
    assert.deepEqual(await target.query('select from muster_erased_keys'), [])
    await target.execute('update candidates set first_name = null')
    assert.equal((await importAll()).code, 0)
    assert.deepEqual(await countStored(), [1, 0, 0, 4])
  })

  it('gives no new record the id of an erased record that was deleted', async () => {
    await copyOf(late)
    await edit(manifestFile, (text) => text.replace('"leave.csv": 1', '"leave.csv": 0'))
    await edit('leave.csv', withoutLastLine)
    await target.execute('alter sequence leave_requests_id_seq restart with 1')
    assert.equal((await importAll()).code, 0)
    const line = 'leave_type,employee_id,from_date,reason\nsick,,2026-03-03,private\n'
    assert.equal((await run(['import', 'leave', '--format', 'csv'], target, line)).code, 0)
    assert.deepEqual(await target.query('select id from leave_requests'), [{ id: 2 }])
  })
})
