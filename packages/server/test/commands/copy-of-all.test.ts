/** A copy of all records: `muster export --all` and `muster import --all`, with the keys of erased persons. */
import assert from 'node:assert/strict'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { resourceAt } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const keysFile = 'erased-keys.ndjson'
const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

const exportAll = (folder: string, env: Record<string, string>): Promise<CommandResult> =>
  muster(['export', '--all', folder], env)
const importAll = (folder: string, { url }: TestDatabase, ...options: string[]): Promise<CommandResult> =>
  muster(['import', '--all', folder, ...options], { DATABASE_URL: url })
const run = async (args: readonly string[], { url }: TestDatabase, input = ''): Promise<CommandResult> =>
  muster(args, { DATABASE_URL: url }, input)
const runOk = async (...args: Parameters<typeof run>): Promise<void> => {
  const { code, out, err } = await run(...args)
  assert.equal(code, 0, out + err)
}

/** The content of every file of a folder, by name. */
const contentsOf = async (folder: string): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

/** The rows of a CSV file, with the quotes of their cells. */
const cellsOf = (text: string): string[][] => {
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\n]*)(,|\n)/g)) {
    rows.at(-1)?.push(cell)
    if (end === '\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** `copy-of-all/README.md` says how the files were made. */
describe('the copy that a release with the earlier series of migrations has made', () => {
  const copy = join(import.meta.dirname, 'copy-of-all')
  const counts = {
    employees: 52,
    departments: 4,
    leave: 82,
    attendance: 1_002,
    jobs: 8,
    candidates: 124,
    applications: 182,
    organizations: 3,
    brands: 7,
    'career-sites': 17,
    'organization-teams': 29,
    'job-distributions': 20,
  }
  let folder: string
  let database: TestDatabase
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-copy-'))
    database = await createTestDatabase()
    const { code, out, err } = await importAll(copy, database)
    assert.equal(code, 0, out + err)
    assert.match(out, /^1,530 lines read, 0 lines rejected, 1,530 records and 9 keys of erased persons stored in /)
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('is written again byte for byte after it was imported, except for resources and fields of later releases', async () => {
    assert.equal((await exportAll(folder, { DATABASE_URL: database.url })).code, 0)
    const files = await contentsOf(copy)
    const exported = await contentsOf(folder)
    assert.equal(exported[keysFile], files[keysFile])
    for (const path of Object.keys(counts)) {
      const rows = cellsOf(files[`${path}.csv`] ?? '')
      const exportedRows = cellsOf(exported[`${path}.csv`] ?? '')
      const columns = rows[0]?.map((name) => exportedRows[0]?.indexOf(name) ?? -1) ?? []
      assert.equal(rows.length, counts[path as keyof typeof counts] + 1, path)
      assert.deepEqual(
        exportedRows.map((cells) => columns.map((column) => cells[column])),
        rows,
        path,
      )
    }
  })

  it('gives every table its records and correct row counts', async () => {
    for (const [path, count] of Object.entries(counts)) {
      const [row] = await database.query<{ count: number }>(`select count(*) from ${resourceAt(path).table}`)
      assert.equal(row?.count, count, path)
    }
    const { out } = await run(['doctor'], database)
    assert.match(out, /^ok +counts +All stored row counts are correct\.$/m)
  })

  it('gives the next record of every resource the id after the largest', async () => {
    for (const path of Object.keys(counts)) {
      const { table } = resourceAt(path)
      const [row] = await database.query<{ next: number; largest: number }>(
        `select nextval(pg_get_serial_sequence('${table}', 'id')) as next, (select max(id) from ${table}) as largest`,
      )
      assert.equal(row?.next, (row?.largest ?? 0) + 1, table)
    }
  })

  const erasedSentence = /This person was erased/
  const refusedFiles = [
    ['sync', 'candidates', 'id,first_name', '1000,Grace'],
    ['import', 'candidates', 'email,status', 'Grace@example.com ,active'],
    ['sync', 'employees', 'code,first_name', 'X-1000,Grace'],
    ['import', 'employees', 'code,email,status', 'X-2000,grace.hopper@EXAMPLE.org,active'],
    ['sync', 'employees', 'id,first_name', '3,Ana'],
    ['import', 'leave', 'employee_id,leave_type,reason', '1000,withheld,private'],
  ] as const
  for (const [command, resource, header, line] of refusedFiles)
    it(`leaves its erased persons erased: ${command} refuses ${line} in ${resource}`, async () => {
      const { code, out } = await run([command, resource, '--format', 'csv'], database, joinLines(header, line))
      assert.equal(code, 1)
      assert.match(out, erasedSentence)
    })

  it('contains a person who applied again after the erasure, and a colleague with the same e-mail address', async () => {
    assert.deepEqual(
      await database.query(
        `select first_name, email from candidates where email = 'grace@example.com'
         union all select first_name, email from employees where email = 'grace.hopper@example.org'`,
      ),
      [
        { first_name: 'Grace', email: 'grace@example.com' },
        { first_name: 'Alan', email: 'grace.hopper@example.org' },
      ],
    )
  })

  it('accepts an erased person with --restore-erased, and from then on without', async () => {
    const sync = (name: string, ...options: string[]) =>
      runOk(['sync', 'employees', '--format', 'csv', ...options], database, joinLines('id,first_name', `3,${name}`))
    await sync('Ana', '--restore-erased')
    await sync('Anna')
    assert.deepEqual(await database.query('select first_name from employees where id = 3'), [{ first_name: 'Anna' }])
  })
})

describe('a copy of all records with erased persons', () => {
  let folder: string
  let copy: string
  let source: TestDatabase
  let target: TestDatabase

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-copy-'))
    copy = join(folder, 'copy')
    source = await createTestDatabase()
    target = await createTestDatabase()
    await source.execute(
      `insert into candidates (id, first_name, email, status) values (3, 'Ana', 'ana@example.com', 'hired'), (5, 'Ben', 'ben@example.com', 'active');
       insert into employees (id, code, first_name, email, status, candidate_id) values (7, 'E7', 'Ana', 'ana@example.com', 'active', 3), (8, 'E8', 'Cleo', 'Ana@example.com', 'active', null);
       insert into leave_requests (employee_id, leave_type, from_date, reason) values (7, 'sick', '2026-02-02', 'private')`,
    )
    await runOk(['erase', 'employee', '7'], source)
    assert.equal((await exportAll(copy, { DATABASE_URL: source.url })).code, 0)
  })
  after(async () => {
    await rm(folder, { recursive: true })
  })
  afterEach(() =>
    target.execute(
      'truncate employees, candidates, leave_requests cascade; truncate muster_erased_keys, muster_erasure_secret',
    ),
  )

  const refusedFiles = [
    ['candidates', 'email,first_name,status', 'ana@example.com,Ana,active', 'sync'],
    ['candidates', 'id,email,status', '3,new@example.com,active', 'sync'],
    ['employees', 'code,first_name,status', 'E7,Ana,active', 'sync'],
    ['employees', 'code,email,status', 'E99,ANA@example.com,active', 'import'],
    ['leave', 'employee_id,leave_type,reason', '7,withheld,private', 'import'],
  ] as const
  const sentencesOf = (database: TestDatabase): Promise<boolean[]> =>
    Promise.all(
      refusedFiles.map(async ([resource, header, line, command]) => {
        const { out } = await run(
          [command, resource, '--format', 'csv', '--dry-run'],
          database,
          joinLines(header, line),
        )
        return out.includes('This person was erased')
      }),
    )

  const readKeys = ({ query }: TestDatabase): Promise<object[]> =>
    query(
      `select resource, record_id, key_hmac, erased_at, inner_key, outer_key from muster_erased_keys, muster_erasure_secret
       order by resource, record_id, key_hmac`,
    )

  it('contains the secret and the keys in a file that only its owner can read', async () => {
    const lines = (await readFile(join(copy, keysFile), 'utf8')).trimEnd().split('\n')
    assert.match(lines[0] ?? '', /^\{"inner_key":"[0-9a-f]{128}","outer_key":"[0-9a-f]{128}"\}$/)
    assert.deepEqual(
      lines.slice(1).map((line) => {
        const { resource, record_id, key_hmac } = JSON.parse(line)
        return [resource, record_id, key_hmac?.length ?? null]
      }),
      [
        ['candidates', 3, 64],
        ['employees', 7, 64],
        ['employees', 7, 64],
        ['leave', 1, 64],
      ],
    )
    assert.equal((await lstat(join(copy, keysFile))).mode & 0o777, 0o600)
  })

  it('gives an empty database the same records and keys, and refuses the person there', async () => {
    assert.deepEqual(await sentencesOf(target), [false, false, false, false, false])
    const { code, out } = await importAll(copy, target)
    assert.equal(code, 0, out)
    assert.match(out, /^5 lines read, 0 lines rejected, 5 records and 4 keys of erased persons stored in /)
    assert.deepEqual(await readKeys(target), await readKeys(source))
    const second = join(folder, 'second')
    assert.equal((await exportAll(second, { DATABASE_URL: target.url })).code, 0)
    assert.deepEqual(await contentsOf(second), await contentsOf(copy))
    assert.deepEqual(await sentencesOf(target), [true, true, true, true, true])
  })

  it('stores no keys in a dry run', async () => {
    const { out } = await importAll(copy, target, '--dry-run')
    assert.match(out, /: 5 records and 4 keys of erased persons would be stored\.\n$/)
    assert.deepEqual(await readKeys(target), [])
  })

  it('contains an empty file if nobody was erased', async () => {
    const empty = join(folder, 'empty')
    assert.equal((await exportAll(empty, { DATABASE_URL: target.url })).code, 0)
    assert.equal(await readFile(join(empty, keysFile), 'utf8'), '')
    await target.execute(`insert into candidates (status) values ('active')`)
    for (const name of ['candidates.csv', 'manifest.json']) await rm(join(empty, name))
    assert.equal((await importAll(empty, target)).code, 0)
  })

  it('is refused by a database with records, whose ids would count as erased', async () => {
    await target.execute(`insert into candidates (id, status) values (100, 'active')`)
    for (const options of [[], ['--skip-bad']]) {
      const { code, err } = await importAll(copy, target, ...options)
      assert.equal(code, 1)
      assert.match(
        err,
        /erased-keys\.ndjson names erased records by their ids, which belong to other records in this database: import the copy into a new database\.\n$/,
      )
    }
    assert.deepEqual(await target.query('select id from candidates'), [{ id: 100 }])
  })

  it('is refused by a database with another secret, and accepted by one with the same secret', async () => {
    await target.execute(`insert into candidates (id, email, status) values (1, 'eva@example.com', 'active')`)
    await runOk(['erase', 'candidate', '1'], target)
    await target.execute('truncate candidates cascade')
    const keys = await readKeys(target)
    const { code, err } = await importAll(copy, target)
    assert.equal(code, 1)
    assert.match(
      err,
      /Persons were erased in this database, and their keys have another secret than those in erased-keys\.ndjson: import the copy into a new database\.\n$/,
    )
    assert.deepEqual([await readKeys(target), await target.query('select from candidates')], [keys, []])
    // Without keys that depend on it, the secret is replaced.
    await target.execute('truncate muster_erased_keys')
    assert.equal((await importAll(copy, target)).code, 0)
    assert.deepEqual(await readKeys(target), await readKeys(source))
    await target.execute(`delete from muster_erased_keys where resource = 'leave'`)
    const part = join(folder, 'part')
    await mkdir(part)
    await cp(join(copy, keysFile), join(part, keysFile))
    await writeFile(join(part, 'candidates.csv'), 'status\n')
    assert.equal((await importAll(part, target)).code, 0)
    assert.deepEqual(await readKeys(target), await readKeys(source))
  })

  it('is refused as a whole if a line of the keys is damaged, also with --skip-bad', async () => {
    const damaged = join(folder, 'damaged')
    await cp(copy, damaged, { recursive: true })
    const [secret = '', key = ''] = (await readFile(join(copy, keysFile), 'utf8')).split('\n')
    const damages = [
      ['1: The line should be the secret of the keys', key],
      ['1: The line should be the secret of the keys', secret.replace(/"outer_key":"../, '"outer_key":"00')],
      ['1: The line should be the secret of the keys', 'x'],
      ['2: The line should be a key of an erased person', joinLines(secret, key.replace('candidates', 'departments'))],
      [
        '2: The line should be a key of an erased person',
        joinLines(secret, key.replace('"record_id":3', '"record_id":0')),
      ],
      ['2: The line should be a key of an erased person', joinLines(secret, key.slice(0, -20))],
      ['3: The line should be a key of an erased person', joinLines(secret, key, secret)],
    ] as const
    for (const [expected, text] of damages) {
      await writeFile(join(damaged, keysFile), text)
      const { code, err } = await importAll(damaged, target, '--skip-bad')
      assert.equal(code, 1)
      assert.ok(err.endsWith(`${keysFile}:${expected}, as "muster export --all" writes it: nothing was stored.\n`), err)
    }
    assert.deepEqual(await target.query('select from employees'), [])
  })

  it('is refused if its keys are not exactly those that an export wrote, in its order', async () => {
    const altered = join(folder, 'altered')
    await cp(copy, altered, { recursive: true })
    // Without it, nothing else says how many keys there should be.
    await rm(join(altered, 'manifest.json'))
    const text = await readFile(join(copy, keysFile), 'utf8')
    const [secret = '', first = '', second = '', third = '', fourth = ''] = text.split('\n')
    const key = 'a key of an erased person'
    const next = 'the key after that of the line before'
    const lineErrors = [
      ['1', 'the secret of the keys', joinLines(secret.replace('}', ',"more":1}'), first)],
      ['2', key, joinLines(secret, first.replace('}', ',"more":1}'))],
      ['2', key, joinLines(secret, first.replace('"record_id":3', '"record_id":"3"'))],
      ['2', key, joinLines(secret, first.replace('"record_id":3', '"record_id":9007199254740993'))],
      ['2', key, joinLines(secret, first.replace('"record_id":3', '"record_id":3,"record_id":3'))],
      ['2', key, joinLines(secret, first.replace(/"erased_at":"\d{4}-\d\d-\d\d/, '"erased_at":"2026-02-30'))],
      ['2', key, joinLines(secret, first.replace(/"erased_at":"\d{4}/, '"erased_at":"0000'))],
      ['3', next, joinLines(secret, first, first)],
      ['5', next, joinLines(secret, first, second, third, second)],
      ['6', next, joinLines(secret, first, second, third, fourth, fourth)],
    ] as const
    const expectRefused = async (content: string, sentence: string): Promise<void> => {
      await writeFile(join(altered, keysFile), content)
      const { code, err } = await importAll(altered, target, '--skip-bad')
      assert.equal(code, 1, content)
      assert.ok(err.endsWith(`${keysFile}:${sentence}: nothing was stored.\n`), err)
    }
    for (const [line, expected, content] of lineErrors)
      await expectRefused(content, `${line}: The line should be ${expected}, as "muster export --all" writes it`)
    const cut = 'The file ends after this line, which is not the end of a file that "muster export --all" wrote'
    await expectRefused(joinLines(secret), `1: ${cut}`)
    await expectRefused(joinLines(secret, first, second).slice(0, -1), `3: ${cut}`)
    assert.deepEqual(await target.query('select from employees'), [])
    await writeFile(join(altered, keysFile), text)
    assert.equal((await importAll(altered, target)).code, 0)
  })

  it('can only be made by the owner, also if reads use another role', async () => {
    const { DATABASE_MIGRATE_URL, ...otherRoles } = source.env
    const byWriter = join(folder, 'by-writer')
    const { code, err } = await exportAll(byWriter, otherRoles)
    assert.deepEqual(
      [code, err],
      [
        1,
        `"${new URL(otherRoles.DATABASE_URL).username}" may not read the keys of erased persons, which belong to a copy of all records: set DATABASE_MIGRATE_URL to the URL of the owner.\n`,
      ],
    )
    assert.deepEqual(await readdir(byWriter), [])
    assert.equal((await exportAll(byWriter, { DATABASE_MIGRATE_URL, ...otherRoles })).code, 0)
    assert.deepEqual(await contentsOf(byWriter), await contentsOf(copy))
  })

  it('can be synced, without its keys', async () => {
    const nightly = join(folder, 'nightly')
    await mkdir(nightly)
    for (const name of ['candidates.csv', keysFile]) await cp(join(copy, name), join(nightly, name))
    await runOk(['sync', '--all', nightly], target)
    assert.equal((await target.query('select from candidates')).length, 2)
    assert.deepEqual(await readKeys(target), [])
  })
})
