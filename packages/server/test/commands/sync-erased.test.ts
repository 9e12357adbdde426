import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

type RefusedFile = readonly [resource: string, header: string, line: string]

const itRefusesErased = (
  files: readonly RefusedFile[],
  run: (resource: string, input: string) => Promise<CommandResult>,
): void => {
  for (const [resource, header, line] of files)
    it(`refuses ${line} in ${resource}`, async () => {
      const result = await run(resource, joinLines(header, line))
      assert.deepEqual([result.code, result.out.includes('This person was erased')], [1, true], result.out)
    })
}

describe('muster sync after an erasure', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into candidates (first_name, email, status) values ('Ana', 'Ana@example.com', 'active'), ('Ben', 'ben@example.com', 'active');
       insert into employees (code, first_name, email, branch, status) values ('E1', 'Cleo', 'shared@example.com', 'Wien', 'active'), ('E2', 'Dan', 'shared@example.com', 'Graz', 'active');
       insert into leave_requests (employee_id, leave_type, from_date, reason) values (1, 'sick', '2026-02-02', 'private')`,
    )
    for (const args of [
      ['erase', 'candidate', '1'],
      ['erase', 'employee', '1'],
    ])
      assert.equal((await muster(args, { DATABASE_URL: database.url })).code, 0)
  })
  after(() => database.drop())

  const sync = (resource: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(
      ['sync', resource, '--format', 'csv', '--at-most', '100%', ...options],
      { DATABASE_URL: database.url },
      input,
    )
  const sentence =
    'This person was erased: remove the person from the system that writes the file, or add --restore-erased'

  it('refuses what an export without a token shows instead of a leave type, unless the record has it', async () => {
    await database.execute(
      `insert into leave_requests (id, employee_id, leave_type, from_date) values (50, 2, 'sick', '2026-03-02')`,
    )
    const result = await sync('leave', joinLines('id,leave_type', '1,withheld', '50,withheld'))
    assert.equal(result.code, 1)
    assert.match(result.out, /^standard input:3: leave_type: "withheld" stands for a value that the export left out/)
    assert.equal((await sync('leave', joinLines('id,leave_type', '1,withheld', '50,annual'))).code, 0)
    assert.deepEqual(await database.query('select leave_type from leave_requests order by id'), [
      { leave_type: 'withheld' },
      { leave_type: 'annual' },
    ])
  })

  it('refuses a person whose e-mail address was erased, whatever its case', async () => {
    const result = await sync('candidates', joinLines('email,first_name,status', 'ana@EXAMPLE.com,Ana,active'))
    assert.deepEqual([result.code, result.out.split('\n')[0]], [1, `standard input:2: email: ${sentence}`])
    const others = joinLines('email,first_name,status', 'ana@example.com,Ana,active', 'ben@example.com,Bea,active')
    assert.equal((await sync('candidates', others, '--skip-bad')).code, 0)
    assert.deepEqual(await database.query('select first_name from candidates order by id'), [
      { first_name: null },
      { first_name: 'Bea' },
    ])
  })

  it('refuses a disguised e-mail address', async () => {
    for (const address of [
      ' ana@example.com ',
      'ana @example.com',
      'a\u200Bna@example.com',
      'ana\u00A0@example.com',
      'ana@ex\u00ADample.com',
      'ana@example.com\u{E0041}',
      '\uFF21\uFF4E\uFF41@example.com',
    ]) {
      const result = await sync('candidates', joinLines('email,first_name,status', `"${address}",Ana,active`))
      assert.ok(result.out.includes(sentence), `${JSON.stringify(address)}: ${result.out}`)
    }
  })

  it('refuses an employee with another code and the erased e-mail address, but not a colleague who shares it', async () => {
    const file = (code: string) => joinLines('code,email,status', `${code},shared@example.com,active`)
    assert.ok((await sync('employees', file('E9'))).out.includes(sentence))
    assert.ok((await sync('employees', file('"E1 "'))).out.includes(sentence))
    const result = await sync('employees', joinLines('code,email,first_name', 'E2,Shared@example.com,Don'))
    assert.equal(result.code, 0, result.out)
  })

  it('refuses to fill the emptied fields of a record again, by key and by id, and accepts its other fields', async () => {
    for (const [resource, header, line] of [
      ['employees', 'code,first_name', 'E1,Cleo'],
      ['employees', 'id,first_name', '1,Cleo'],
      ['leave', 'employee_id,from_date,leave_type,reason', '1,2026-02-02,sick,private'],
    ] as const) {
      const result = await sync(resource, joinLines(header, line))
      assert.ok(result.out.includes(sentence), `${resource}: ${result.out}`)
    }
    assert.equal((await sync('employees', joinLines('code,first_name,branch', 'E1,,Linz'))).code, 0)
    assert.deepEqual(await database.query('select first_name, branch from employees where id = 1'), [
      { first_name: null, branch: 'Linz' },
    ])
  })

  it('does not fill a personal field of an erased record with --gone, unless --restore-erased is given', async () => {
    const mark = ['--gone', 'status=terminated,termination_date=today']
    const others = joinLines('code,branch', 'E2,Graz')
    const ended = () => database.query('select status, termination_date is null as empty from employees where id = 1')
    const dryRun = await sync('employees', others, ...mark, '--dry-run')
    assert.equal(dryRun.out.split('\n')[0], 'marked   employees 1 (code "E1"): status "active" → "terminated"')
    assert.equal((await sync('employees', others, ...mark)).code, 0)
    assert.deepEqual(await ended(), [{ status: 'terminated', empty: true }])
    assert.match((await sync('employees', others, ...mark)).out, /Nothing to change/)
    assert.equal((await sync('employees', others, ...mark, '--restore-erased')).code, 0)
    assert.deepEqual(await ended(), [{ status: 'terminated', empty: false }])
  })

  it('stores an HMAC of the key that only the owner can read', async () => {
    const [stored] = await database.query<{ key_hmac: Buffer; inner_key: Buffer }>(
      `select key_hmac, inner_key from muster_erased_keys, muster_erasure_secret where resource = 'candidates'`,
    )
    const secret = Buffer.from(stored?.inner_key.map((byte) => byte ^ 0x36) ?? []).subarray(0, 32)
    assert.deepEqual(stored?.key_hmac, createHmac('sha256', secret).update('ana@example.com').digest())
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      for (const table of ['muster_erased_keys', 'muster_erasure_secret'])
        await assert.rejects(
          withClient(url, (client) => client.query(`select from ${table}`)),
          /permission denied/,
        )
  })

  it('restores a person with --restore-erased, and accepts them from then on', async () => {
    const file = joinLines('email,first_name,status', 'ana@example.com,Ana,active')
    assert.equal((await sync('candidates', file, '--restore-erased')).code, 0)
    assert.deepEqual(await database.query(`select first_name from candidates where email = 'ana@example.com'`), [
      { first_name: 'Ana' },
    ])
    assert.match((await sync('candidates', file)).out, /Nothing to change/)
  })

  it('stores no keys in a dry run of erase', async () => {
    const count = () => database.query('select count(*) from muster_erased_keys')
    const before = await count()
    await muster(['erase', 'employee', '2', '--dry-run'], { DATABASE_URL: database.url })
    assert.deepEqual(await count(), before)
  })
})

describe('muster sync after the erasure of records without personal values', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into candidates (first_name, status) values ('Ana', 'hired'), ('Ben', 'active');
       insert into employees (code, email, status, candidate_id) values ('E1', 'ana@example.com', 'active', 1), ('E2', null, 'active', null), ('E3', 'eva@example.com', 'active', null), ('E4', ' ', 'active', null);
       insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open'), ('Cook', 1, 0, 'open');
       insert into leave_requests (employee_id, leave_type, from_date) values (1, 'sick', '2026-02-02'), (3, 'sick', '2026-02-02');
       insert into applications (candidate_id, job_id) values (1, 1), (2, 1)`,
    )
    for (const id of ['1', '2', '4'])
      assert.equal((await muster(['erase', 'employee', id], { DATABASE_URL: database.url })).code, 0)
  })
  after(() => database.drop())

  const sync = (resource: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(
      ['sync', resource, '--format', 'csv', '--at-most', '100%', ...options],
      { DATABASE_URL: database.url },
      input,
    )

  const refusedFiles: readonly RefusedFile[] = [
    ['leave', 'id,reason', '1,Chemotherapy'],
    ['leave', 'employee_id,from_date,leave_type,reason', '1,2026-03-03,annual,Chemotherapy'],
    ['leave', 'employee_id,from_date,leave_type', '1,2026-02-02,sick'],
    ['leave', 'id,leave_type', '1,sick'],
    ['applications', 'candidate_id,job_id,rejection_reason', '1,1,Was pregnant'],
    ['applications', 'candidate_id,job_id,rejection_reason', '1,2,Was pregnant'],
    ['employees', 'code,first_name,base_salary', 'E2,Eva,50000'],
    ['employees', 'code,first_name,candidate_id', 'E9,Ana,1'],
  ]
  itRefusesErased(refusedFiles, sync)

  it('accepts lines of the person without personal values, and lines of other people', async () => {
    for (const [resource, header, line] of [
      ['leave', 'id,days', '1,3'],
      ['leave', 'id,leave_type,reason', '1,withheld,'],
      ['leave', 'employee_id,from_date,leave_type,days', '1,2026-02-02,withheld,4'],
      ['employees', 'code,branch', 'E2,Wien'],
      ['leave', 'id,reason', '2,Wedding'],
      ['employees', 'code,first_name,manager_id', 'E3,Evi,1'],
      ['employees', 'code,email,status', 'E5,"",active'],
      ['candidates', 'id,first_name,referred_by', '2,Bea,1'],
      ['applications', 'candidate_id,job_id,rejection_reason', '2,1,None'],
    ] as const)
      assert.equal((await sync(resource, joinLines(header, line))).code, 0, line)
  })

  it('accepts the person from then on after --restore-erased', async () => {
    const nextLines = (reason: string) => joinLines('id,reason', `1,${reason}`)
    assert.equal((await sync('leave', nextLines('Flu'), '--restore-erased')).code, 0)
    assert.equal((await sync('leave', nextLines('Cold'))).code, 0)
    const employee = joinLines('code,first_name,candidate_id', 'E1,Ana,1')
    assert.equal((await sync('employees', employee, '--restore-erased')).code, 0)
    assert.equal((await sync('employees', joinLines('code,first_name,candidate_id', 'E1,Ann,1'))).code, 0)
  })
})

describe('muster import after an erasure', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into candidates (email, status) values ('ana@example.com', 'active');
       insert into employees (code, status, candidate_id) values ('E1', 'active', 1)`,
    )
    assert.equal((await muster(['erase', 'candidate', '1'], { DATABASE_URL: database.url })).code, 0)
  })
  after(() => database.drop())

  const runImport = (resource: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(['import', resource, '--format', 'csv', ...options], { DATABASE_URL: database.url }, input)

  const refusedFiles: readonly RefusedFile[] = [
    ['candidates', 'email,status', 'ana@example.com,active'],
    ['candidates', 'email,status', 'Ana@example.com ,active'],
    ['employees', 'code,first_name,status', 'E1,Ana,active'],
    ['employees', 'code,first_name,status,candidate_id', 'E9,Ana,active,1'],
    ['leave', 'employee_id,leave_type,reason', '1,withheld,Chemotherapy'],
    ['leave', 'employee_id,leave_type', '1,sick'],
  ]
  itRefusesErased(refusedFiles, runImport)

  it('accepts lines of the person without personal values, and with --skip-bad the lines of others', async () => {
    assert.equal((await runImport('leave', joinLines('employee_id,leave_type', '1,withheld'))).code, 0)
    const file = joinLines('email,status', 'ana@example.com,active', 'ben@example.com,active')
    assert.equal((await runImport('candidates', file, '--skip-bad')).code, 0)
    assert.deepEqual(await database.query('select email from candidates order by id'), [
      { email: null },
      { email: 'ben@example.com' },
    ])
  })

  it('accepts the person from then on after --restore-erased', async () => {
    const file = joinLines('email,status', 'ana@example.com,active')
    assert.equal((await runImport('candidates', file, '--restore-erased')).code, 0)
    assert.equal((await runImport('candidates', file)).code, 0)
  })
})
