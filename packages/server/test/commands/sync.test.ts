import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

/** The printed lines, without the duration of the run. */
const linesOf = ({ out }: CommandResult): string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ Stored in [\d.]+ s\.$/, ' Stored.'))

describe('muster sync', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-sync-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(async () => {
    await database.execute(
      'truncate departments, employees, candidates, organizations, muster_erased_keys restart identity cascade',
    )
    await database.execute(
      `insert into departments (name) values ('Research'), ('Sales');
       insert into employees (code, first_name, branch, dept_id, status, alumni)
         values ('E1', 'Ada', 'Wien', 1, 'active', 0), ('E2', 'Bo', 'Graz', 2, 'active', 0), ('E3', 'Cy', null, 2, 'active', 0)`,
    )
  })

  const sync = (resource: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(['sync', resource, '--format', 'csv', ...options], { DATABASE_URL: database.url }, input)

  const employees = (): Promise<object[]> =>
    database.query('select id, code, first_name, branch, status from employees order by id')

  it('creates, updates and leaves alone by the natural key, and changes only the columns of the file', async () => {
    const file = joinLines('code,branch,status', 'E1,Linz,active', 'e2,Graz,active', 'E3,,active', 'E4,Bonn,active')
    const result = await sync('employees', file, '--at-most', '100%')
    assert.deepEqual(
      [result.code, linesOf(result)],
      [0, ['employees: 1 created, 2 updated, 1 unchanged', '4 lines read, 0 lines rejected. Stored.']],
    )
    assert.deepEqual(await employees(), [
      { id: 1, code: 'E1', first_name: 'Ada', branch: 'Linz', status: 'active' },
      { id: 2, code: 'e2', first_name: 'Bo', branch: 'Graz', status: 'active' },
      { id: 3, code: 'E3', first_name: 'Cy', branch: null, status: 'active' },
      { id: 4, code: 'E4', first_name: null, branch: 'Bonn', status: 'active' },
    ])
  })

  it('writes nothing the second time: no version changes', async () => {
    const file = joinLines('code,branch,status', 'E1,Linz,active', 'E2,Graz,active', 'E3,Rom,active', 'E4,Bonn,active')
    assert.equal((await sync('employees', file, '--at-most', '100%')).code, 0)
    const state = () =>
      database.query(
        `select (select sum(changes) from muster_table_versions) as changes, array_agg(xmin::text order by id) as versions,
           (select last_value from employees_id_seq) as sequence from employees`,
      )
    const before = await state()
    const result = await sync('employees', file, '--gone', 'status=terminated')
    assert.deepEqual([result.code, linesOf(result).at(-1)], [0, '4 lines read, 0 lines rejected. Nothing to change.'])
    assert.deepEqual(await state(), before)
  })

  it('empties a field whose cell is empty, and keeps it with --empty keep', async () => {
    const file = joinLines('code,branch,first_name', 'E1,,Ada', 'E2,,Bea')
    await sync('employees', file, '--empty', 'keep', '--at-most', '100%')
    assert.deepEqual(await database.query(`select branch, first_name from employees where id < 3 order by id`), [
      { branch: 'Wien', first_name: 'Ada' },
      { branch: 'Graz', first_name: 'Bea' },
    ])
    await sync('employees', file, '--at-most', '100%')
    assert.deepEqual(await database.query(`select branch from employees where id < 3`), [
      { branch: null },
      { branch: null },
    ])
  })

  it('keeps, marks once or deletes records that are missing from the file', async () => {
    const file = joinLines('code,branch', 'E1,Wien')
    assert.equal(linesOf(await sync('employees', file))[0], 'employees: 0 created, 0 updated, 1 unchanged')
    const mark = ['--gone', 'status=terminated,alumni=1,termination_date=today']
    assert.equal(
      linesOf(await sync('employees', file, ...mark))[0],
      'employees: 0 created, 0 updated, 2 marked, 1 unchanged',
    )
    const marked = () =>
      database.query(`select status, alumni, termination_date::text from employees where id > 1 order by id`)
    const [{ day } = { day: '' }] = await database.query<{ day: string }>(
      `select (now() at time zone 'utc')::date::text as day`,
    )
    assert.deepEqual(await marked(), [
      { status: 'terminated', alumni: 1, termination_date: day },
      { status: 'terminated', alumni: 1, termination_date: day },
    ])
    await database.execute(`update employees set termination_date = '2020-01-01' where id = 2`)
    assert.match((await sync('employees', file, ...mark)).out, /Nothing to change/)
    const deletion = await sync('employees', file, '--delete')
    assert.equal(linesOf(deletion)[0], 'employees: 0 created, 0 updated, 2 deleted, 1 unchanged')
    assert.deepEqual(await database.query('select id from employees'), [{ id: 1 }])
  })

  it('keeps a date that --gone would set to today', async () => {
    await database.execute(`update employees set termination_date = '2020-01-01' where id = 2`)
    const options = ['--gone', 'status=terminated,termination_date=today', '--show-values']
    const file = joinLines('code,branch', 'E1,Wien', 'E3,')
    const dryRun = await sync('employees', file, ...options, '--dry-run')
    assert.equal(linesOf(dryRun)[0], 'marked   employees 2 (code "E2"): status "active" → "terminated"')
    assert.equal((await sync('employees', file, ...options)).code, 0)
    assert.deepEqual(await database.query(`select status, termination_date::text from employees where id = 2`), [
      { status: 'terminated', termination_date: '2020-01-01' },
    ])
  })

  it('refuses a value of --gone that refers to no record, or to one that is deleted', async () => {
    const file = joinLines('code,branch', 'E1,Wien')
    for (const options of [[], ['--dry-run']]) {
      const result = await sync('employees', file, '--gone', 'dept_id=777,manager_id=1', ...options)
      assert.deepEqual(
        [result.code, linesOf(result).slice(-2)],
        [
          1,
          [
            'employees: --gone sets dept_id to 777, but no department has this id.',
            '1 line read, 0 lines rejected: refused, nothing was changed.',
          ],
        ],
      )
    }
    const nightly = await mkdtemp(join(folder, 'nightly-'))
    await database.execute(`insert into departments (name) values ('Legal')`)
    await writeFile(join(nightly, 'departments.csv'), joinLines('id,name', '1,Research', '2,Sales', '9,Alumni'))
    await writeFile(join(nightly, 'employees.csv'), joinLines('code,dept_id', 'E1,1'))
    const syncAll = (department: number) =>
      muster(['sync', '--all', nightly, '--delete', '--gone', `employees:dept_id=${department}`], {
        DATABASE_URL: database.url,
      })
    const removed = await syncAll(3)
    assert.match(removed.out, /^employees: --gone sets dept_id to 3, but no department has this id\.$/m)
    const added = await syncAll(9)
    assert.equal(added.code, 0, added.out + added.err)
  })

  it('sets updated of a marked record, unless --gone sets it', async () => {
    await database.execute(
      `insert into organizations (name, slug) values ('One', 'a');
       insert into recruitment_brands (organization_id, name, slug, updated)
         values (1, 'First', 'x', '2020-01-01'), (1, 'Second', 'y', '2020-01-01')`,
    )
    const file = joinLines('organization_id,slug', '1,x')
    const recent = () =>
      database.query(`select id, updated > now() - interval '1 hour' as recent from recruitment_brands order by id`)
    assert.equal((await sync('brands', file, '--gone', 'custom_domain=gone.example')).code, 0)
    assert.deepEqual(await recent(), [
      { id: 1, recent: false },
      { id: 2, recent: true },
    ])
    assert.equal((await sync('brands', file, '--gone', 'updated=2021-01-01T00:00:00Z')).code, 0)
    assert.deepEqual((await recent())[1], { id: 2, recent: false })
  })

  it('checks the order of dates also of the values of --gone', async () => {
    await database.execute(
      `insert into leave_requests (employee_id, leave_type, from_date, to_date)
       values (1, 'sick', '2026-05-04', '2026-05-08'), (2, 'sick', '2026-05-04', '2026-05-08')`,
    )
    const file = joinLines('employee_id,from_date,leave_type', '1,2026-05-04,sick')
    const result = await sync('leave', file, '--gone', 'to_date=2020-01-01')
    assert.deepEqual(
      [result.code, linesOf(result)[1]],
      [1, 'leave: --gone would set to_date before from_date of 1 of the records, such as 2.'],
    )
  })

  it('refuses to delete records that others refer to, and says which', async () => {
    const result = await sync('departments', joinLines('name', 'Research'), '--delete')
    assert.equal(result.code, 1)
    assert.equal(
      linesOf(result)[1],
      'departments: 1 of the records to delete (such as id 2) are referenced by dept_id of 2 employees (such as id 2). Use --gone instead of --delete, or sync employees in the same run (--all).',
    )
  })

  it('reports every error of every line as import does, and changes nothing', async () => {
    const file = joinLines('code,status,dept_id,date_of_joining', 'E1,active,9,2026-02-30', 'E2," ",1,', ',active,1,')
    const result = await sync('employees', file)
    assert.deepEqual(
      [result.code, linesOf(result)],
      [
        1,
        [
          'standard input:2: dept_id: No department has this id (9)',
          'standard input:2: date_of_joining: Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken ("2026-02-30")',
          'standard input:3: status: String should have at least 1 character (" ")',
          'standard input:4: code: Field required',
          '3 lines read, 3 lines rejected: nothing was changed. Fix them, or skip them with --skip-bad.',
        ],
      ],
    )
    assert.equal((await employees()).length, 3)
  })

  it('reports rejected lines, and no missing key, if the file names the key but no line can be read', async () => {
    const csv = await sync('departments', joinLines('name', '"Manage"ment'))
    assert.equal(linesOf(csv)[0], 'standard input:2: A closing quote should be followed by a comma')
    const noIds = await sync('employees', joinLines('id,branch', ',Linz'))
    assert.equal(linesOf(noIds)[0], 'standard input:2: id: Field required')
    const emptyKeys = await sync('employees', joinLines('code,branch', ',Linz'), '--empty', 'keep')
    assert.equal(linesOf(emptyKeys)[0], 'standard input:2: code: Field required')
    const args = ['sync', 'departments', '--format', 'ndjson']
    const ndjson = await muster(args, { DATABASE_URL: database.url }, '{"name"\n')
    assert.match(linesOf(ndjson)[0] ?? '', /^standard input:1: /)
    for (const result of [csv, noIds, emptyKeys, ndjson]) assert.equal(result.code, 1)
  })

  it('names the maps for a file of another product', async () => {
    const messageOf = async (resource: string, ...columns: string[]) =>
      (await sync(resource, joinLines(columns.join(',')))).err.split('\n').at(-2)
    assert.equal(
      await messageOf('employees', 'Employee #', 'Status'),
      'The first line names a column "Employee #", which employees do not have. If the file comes from another product, name a map with --map: adp-employees, bamboohr-employees, datev-employees, hibob-employees, personio-employees, rippling-employees, sheet-de-employees, successfactors-employees, workday-employees; or draft one with --make-map.',
    )
    assert.equal(
      await messageOf('jobs', 'titel'),
      'The first line names a column "titel", which job openings do not have; did you mean title? If the file comes from another product, draft a map with --make-map and name it with --map.',
    )
  })

  it('requires a field of a new record that a change of an existing one may omit', async () => {
    const result = await sync('employees', joinLines('code,branch', 'E1,Linz', 'E9,Rom'))
    assert.deepEqual([result.code, linesOf(result)[0]], [1, 'standard input:3: status: Field required'])
  })

  it('checks the order of dates also against the stored value', async () => {
    await database.execute(
      `insert into leave_requests (employee_id, leave_type, from_date, to_date) values (1, 'sick', '2026-05-04', '2026-05-08')`,
    )
    const file = joinLines('id,to_date', '1,2026-05-01')
    const result = await sync('leave', file, '--at-most', '100%')
    assert.deepEqual(
      [result.code, linesOf(result)[0]],
      [1, 'standard input:2: to_date: Input should not be before from_date'],
    )
  })

  it('refuses a key that occurs twice, with both places', async () => {
    const inFile = await sync('employees', joinLines('code,branch', 'E1,Linz', 'E2,Rom', 'e1,Bonn'))
    assert.deepEqual(
      [inFile.code, linesOf(inFile)[0]],
      [1, 'standard input:4: code: Line 2 has this value already ("e1")'],
    )
    await database.execute(`update employees set code = 'E1' where id = 3`)
    const inTable = await sync('employees', joinLines('code,branch', 'E1,Linz'))
    assert.deepEqual(
      [inTable.code, linesOf(inTable)[0]],
      [1, 'standard input:2: code: Two employees have this key: 1 and 3 ("E1")'],
    )
  })

  it('finds records by the id if the file has it, and by --key if that is given', async () => {
    const byId = await sync(
      'employees',
      joinLines('id,code,status', '1,X1,active', '77,X77,active'),
      '--at-most',
      '100%',
    )
    assert.equal(linesOf(byId)[0], 'employees: 1 created, 1 updated, 0 unchanged')
    assert.deepEqual(await database.query(`select id from employees where code in ('X1', 'X77') order by id`), [
      { id: 1 },
      { id: 77 },
    ])
    const byName = await sync('employees', joinLines('first_name,branch', 'bo,Rom'), '--key', 'first_name')
    assert.equal(byName.code, 0)
    assert.deepEqual(await database.query(`select first_name, branch from employees where id = 2`), [
      { first_name: 'bo', branch: 'Rom' },
    ])
    const otherId = await sync('employees', joinLines('id,code', '1,E2'), '--key', 'code')
    assert.deepEqual(linesOf(otherId)[0], 'standard input:2: id: The record with this key has the id 2 ("1")')
    const [next] = await database.query<{ id: number }>(`insert into employees (status) values ('active') returning id`)
    assert.equal(next?.id, 78)
  })

  it('lets records swap a unique value', async () => {
    await database.execute(`insert into organizations (name, slug) values ('One', 'a'), ('Two', 'b'), ('Three', 'c')`)
    const file = joinLines('id,name,slug', '1,One,b', '2,Two,a', '4,Four,c', '3,Three,d')
    assert.equal((await sync('organizations', file, '--at-most', '100%')).code, 0)
    assert.deepEqual(await database.query('select id, slug from organizations order by id'), [
      { id: 1, slug: 'b' },
      { id: 2, slug: 'a' },
      { id: 3, slug: 'd' },
      { id: 4, slug: 'c' },
    ])
    const taken = await sync('organizations', joinLines('id,slug', '1,a'))
    assert.equal(linesOf(taken)[0], 'standard input:2: slug: Another record has this value already ("a")')
  })

  it('lets records swap a part of a unique value that the file contains, and keeps the other part', async () => {
    await database.execute(
      `insert into organizations (name, slug) values ('One', 'a'), ('Two', 'b');
       insert into recruitment_brands (organization_id, name, slug) values (1, 'First', 'main'), (2, 'Second', 'main')`,
    )
    assert.equal((await sync('brands', joinLines('id,organization_id', '1,2', '2,1'), '--at-most', '100%')).code, 0)
    assert.deepEqual(await database.query('select id, organization_id, slug from recruitment_brands order by id'), [
      { id: 1, organization_id: 2, slug: 'main' },
      { id: 2, organization_id: 1, slug: 'main' },
    ])
  })

  it('creates a team below a team that is moved to another organization', async () => {
    await database.execute(
      `insert into organizations (name, slug) values ('One', 'a'), ('Two', 'b');
       insert into organization_teams (organization_id, name) values (1, 'Sales')`,
    )
    const file = joinLines('id,organization_id,parent_id,name', '1,2,,Sales', '2,2,1,Inside sales')
    const { code, err } = await sync('organization-teams', file, '--at-most', '100%')
    assert.equal(code, 0, err)
    assert.deepEqual(
      await database.query('select id, organization_id, parent_id from organization_teams order by id'),
      [
        { id: 1, organization_id: 2, parent_id: null },
        { id: 2, organization_id: 2, parent_id: 1 },
      ],
    )
  })

  it('stops if a file that was cut in half would mark more than 5 %, unless --at-most allows it', async () => {
    await database.execute(
      `insert into employees (code, status) select 'X' || n, 'active' from generate_series(1, 100) as n`,
    )
    const lines = Array.from({ length: 50 }, (_, index) => `X${index + 1}`)
    const mark = ['--gone', 'status=terminated']
    const stopped = await sync('employees', joinLines('code', ...lines), ...mark)
    assert.deepEqual(
      [stopped.code, linesOf(stopped)],
      [
        1,
        [
          'employees: 0 created, 0 updated, 53 marked, 50 unchanged',
          'employees: the sync would mark 53 of 103 records, more than 5 %. If this is intended, add --at-most 52%.',
          '50 lines read, 0 lines rejected: refused, nothing was changed.',
        ],
      ],
    )
    assert.equal((await sync('employees', joinLines('code', ...lines), ...mark, '--at-most', '30%')).code, 1)
    assert.equal((await sync('employees', joinLines('code', ...lines), ...mark, '--at-most', '52%')).code, 0)
  })

  it('refuses to mark or delete a single record with --at-most 0, which does not lower the limit on updates', async () => {
    const file = joinLines('code,branch', 'E1,Linz', 'E2,Graz')
    for (const option of [['--gone', 'status=terminated'], ['--delete']]) {
      const result = await sync('employees', file, ...option, '--at-most', '0')
      assert.equal(result.code, 1)
      assert.match(
        result.out,
        /^employees: the sync would (mark|delete) 1 of 3 records, more than 0 %\. .+ --at-most 34%/m,
      )
    }
    assert.equal((await sync('employees', file, '--at-most', '0')).code, 0)
    assert.equal((await sync('employees', file, '--delete')).code, 0)
  })

  it('stops if a file would update more than 50 %, unless --at-most allows it', async () => {
    const file = joinLines('code,branch', 'E1,Linz', 'E2,Linz')
    const stopped = await sync('employees', file, '--at-most', '10%')
    assert.equal(
      linesOf(stopped)[1],
      'employees: the sync would update 2 of 3 records, more than 50 %. If this is intended, add --at-most 67%.',
    )
    assert.equal((await sync('employees', file, '--at-most', '67%')).code, 0)
  })

  it('refuses to delete more than half of a small table', async () => {
    await database.execute(`insert into employees (code, status) values ('E4', 'x'), ('E5', 'x'), ('E6', 'x')`)
    const stopped = await sync('employees', joinLines('code', 'E1'), '--delete')
    assert.deepEqual(
      [stopped.code, linesOf(stopped)[1]],
      [1, 'employees: the sync would delete 5 of 6 records, more than 5 %. If this is intended, add --at-most 84%.'],
    )
    assert.equal((await sync('employees', joinLines('code', 'E1', 'E2', 'E3'), '--delete')).code, 0)
    await database.execute(`insert into employees (code, status) values ('E4', 'x')`)
    assert.equal((await sync('employees', joinLines('code', 'E1'), '--delete', '--at-most', '75%')).code, 0)
  })

  it('refuses a file of which hardly a line fits a record, because its keys have another form', async () => {
    await database.execute(
      `insert into employees (code, status) select 'X' || n, 'active' from generate_series(1, 97) as n;
       insert into attendance (employee_id, att_date, status) select 1, date '2026-01-01' + n, 'present' from generate_series(1, 20) as n`,
    )
    const lines = Array.from({ length: 100 }, (_, index) => `X-${index + 1},active`)
    const file = joinLines('code,status', 'E1,active', ...lines)
    const stopped = await sync('employees', file)
    assert.deepEqual(
      [stopped.code, linesOf(stopped)],
      [
        1,
        [
          'employees: 100 created, 0 updated, 1 unchanged',
          'employees: the sync would create 100 records beside the 100 that exist, because 100 of 101 lines have the key of no existing record. Check that the keys still have the same form. If this is intended, add --at-most 100%.',
          '101 lines read, 0 lines rejected: refused, nothing was changed.',
        ],
      ],
    )
    assert.equal((await sync('employees', file, '--at-most', '100%')).code, 0)
    const days = Array.from({ length: 28 }, (_, index) => `1,2026-02-${String(index + 1).padStart(2, '0')},present`)
    assert.equal((await sync('attendance', joinLines('employee_id,att_date,status', ...days))).code, 0)
  })

  it('loads a first file into a table that has only a few records', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `X${index + 1},active`)
    assert.equal((await sync('employees', joinLines('code,status', ...lines))).code, 0)
  })

  it('succeeds if the records are stored, also if their statistics cannot be updated', async () => {
    await database.execute(
      `create function fail_in_analyze(code text) returns text language plpgsql immutable as $$
         begin if current_query() like 'analyze%' then raise 'no statistics'; end if; return code; end $$;
       create index failing_idx on employees (fail_in_analyze(code))`,
    )
    try {
      const result = await sync('employees', joinLines('code,branch', 'E1,Linz'))
      assert.deepEqual([result.code, linesOf(result)[0]], [0, 'employees: 0 created, 1 updated, 0 unchanged'])
      assert.equal(
        result.err.split('\n').at(-2),
        'The records are stored, but the planner statistics could not be updated (no statistics): run ANALYZE, or leave it to autovacuum.',
      )
    } finally {
      await database.execute('drop index failing_idx; drop function fail_in_analyze')
    }
  })

  it('refuses an empty file, whatever is allowed', async () => {
    const result = await sync('employees', joinLines('code,branch'), '--at-most', '100%', '--delete')
    assert.deepEqual(
      [result.code, result.err.split('\n').at(-2)],
      [1, 'standard input contains no employees: an empty file is not synced.'],
    )
  })

  it('skips invalid lines with --skip-bad, and never takes their records as missing', async () => {
    const file = joinLines('code,status,alumni', 'E1,active,no', 'E2,active,1', 'E4,active,x')
    const result = await sync('employees', file, '--skip-bad', '--delete')
    assert.deepEqual(
      [result.code, linesOf(result).slice(-2)],
      [0, ['employees: 0 created, 1 updated, 1 deleted, 0 unchanged', '3 lines read, 2 lines rejected. Stored.']],
    )
    assert.deepEqual(await database.query('select id, alumni from employees order by id'), [
      { id: 1, alumni: 0 },
      { id: 2, alumni: 1 },
    ])
    const noKey = await sync('employees', joinLines('code,status', ',active', 'E1,active'), '--skip-bad', '--delete')
    assert.equal(noKey.code, 1)
    assert.match(noKey.out, /standard input:2: the skipped line has no valid key/)
  })

  it('refuses --delete and --gone if a skipped line fits several records', async () => {
    await database.execute(
      `insert into departments (name) values ('SALES'), ('HR'); delete from employees where dept_id = 2`,
    )
    const twice = await sync('departments', joinLines('name', 'Sales', 'HR', 'Research'), '--skip-bad', '--delete')
    assert.deepEqual(
      [twice.code, linesOf(twice).at(-2)],
      [
        1,
        'standard input:2: the skipped line fits several records, which could be taken as missing. Fix the line, or leave out --gone and --delete.',
      ],
    )
    const otherId = joinLines('id,name', '4,Research', '3,HR')
    const result = await sync('departments', otherId, '--key', 'name', '--skip-bad', '--delete')
    assert.match(result.out, /standard input:2: the skipped line fits several records/)
    assert.equal((await database.query('select id from departments')).length, 4)
  })

  it('shows the differences in a dry run, masks personal values, and reports by its exit code', async () => {
    const file = joinLines(
      'code,first_name,branch,status',
      'E1,Eve,Linz,active',
      'E2,Bo,Graz,active',
      'E5,Flo,Rom,active',
    )
    const options = ['--dry-run', '--gone', 'status=terminated', '--at-most', '100%']
    const report = join(folder, 'changes.ndjson')
    const result = await sync('employees', file, ...options, '--report', report)
    assert.deepEqual(
      [result.code, linesOf(result)],
      [
        3,
        [
          'created  employees line 4 (code "E5"): code "E5", first_name ***, branch "Rom", status "active"',
          'updated  employees 1 (code "E1"): first_name *** → ***, branch "Wien" → "Linz"',
          'marked   employees 3 (code "E3"): status "active" → "terminated"',
          'employees: 1 created, 1 updated, 1 marked, 1 unchanged',
          '3 lines read, 0 lines rejected. Nothing was changed: this was a dry run.',
        ],
      ],
    )
    assert.deepEqual(
      (await readFile(report, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))[1],
      {
        resource: 'employees',
        kind: 'updated',
        id: 1,
        line: 2,
        key: { code: 'E1' },
        fields: { first_name: { old: '***', new: '***' }, branch: { old: 'Wien', new: 'Linz' } },
      },
    )
    assert.match((await sync('employees', file, ...options, '--show-values')).out, /first_name "Ada" → "Eve"/)
    assert.deepEqual((await employees()).length, 3)
    assert.equal((await sync('employees', joinLines('code,branch', 'E1,Wien'), '--dry-run')).code, 0)
    assert.equal((await sync('employees', joinLines('code,dept_id', 'E1,99'), '--dry-run')).code, 1)
  })

  it('masks the personal values of rejected lines and of marked records, unless --show-values is given', async () => {
    const file = joinLines('code,base_salary,alumni', 'E1,82.000 EUR,no')
    const reason = 'base_salary: Input should be a valid number'
    const linesWith = async (text: string, ...options: string[]) =>
      linesOf(await sync('employees', text, '--dry-run', ...options))
    assert.deepEqual((await linesWith(file)).slice(0, 2), [
      `standard input:2: ${reason} (••.••• •••)`,
      'standard input:2: alumni: Input should be a valid integer ("no")',
    ])
    assert.equal((await linesWith(file, '--show-values'))[0], `standard input:2: ${reason} ("82.000 EUR")`)
    const gone = ['--gone', 'base_salary=1,termination_date=today,dept_id=']
    const others = joinLines('code,branch', 'E1,Wien', 'E2,Graz')
    assert.equal(
      (await linesWith(others, ...gone))[0],
      'marked   employees 3 (code "E3"): base_salary null → ***, termination_date null → ***, dept_id 2 → null',
    )
    assert.match((await linesWith(others, ...gone, '--show-values'))[0] ?? '', /base_salary null → 1,/)
  })

  it('syncs all files of a folder in one transaction', async () => {
    const nightly = join(folder, 'nightly')
    await mkdir(nightly)
    await writeFile(join(nightly, 'departments.csv'), joinLines('id,name', '1,Research', '2,Sales', '3,Legal'))
    await writeFile(join(nightly, 'employees.csv'), joinLines('code,dept_id,status', 'E1,3,active', 'E8,3,active'))
    const args = ['sync', '--all', nightly, '--gone', 'employees:status=terminated']
    const result = await muster(args, { DATABASE_URL: database.url })
    assert.deepEqual(
      [result.code, linesOf(result).slice(0, 2)],
      [0, ['departments: 1 created, 0 updated, 2 unchanged', 'employees: 1 created, 1 updated, 2 marked, 0 unchanged']],
    )
  })

  it('skips a line that takes the unique value of a record whose line is skipped', async () => {
    await database.execute(
      `insert into organizations (name, slug) values ('One', 'one');
       insert into recruitment_brands (organization_id, name, slug) values (1, 'First', 'a'), (1, 'Second', 'b')`,
    )
    const files = join(folder, 'skipped')
    await mkdir(files)
    await writeFile(join(files, 'organizations.csv'), joinLines('id,name,slug', '1,One,one', '9,Nine,one'))
    await writeFile(join(files, 'brands.csv'), joinLines('id,organization_id,slug', '1,1,b', '2,9,b'))
    const args = ['sync', '--all', files, '--skip-bad', '--at-most', '100%']
    const result = await muster(args, { DATABASE_URL: database.url })
    assert.ok(linesOf(result).includes('brands.csv:2: slug: Another record has this value already ("b")'), result.out)
    assert.deepEqual(await database.query('select organization_id, slug from recruitment_brands order by id'), [
      { organization_id: 1, slug: 'a' },
      { organization_id: 1, slug: 'b' },
    ])
  })

  it('explains wrong options', async () => {
    const messageOf = async (...options: string[]) => (await sync('employees', '', ...options)).err.split('\n')[0]
    assert.equal(
      await messageOf('--gone', 'statsu=x'),
      '--gone names the field "statsu", which employees do not have; did you mean status?',
    )
    assert.equal(await messageOf('--gone', 'code=x'), '--gone cannot set code, by which records are found.')
    assert.equal(
      await messageOf('--key', 'email', '--gone', 'email=x'),
      '--gone cannot set email, by which records are found.',
    )
    for (const value of ['no', '0x1', ' 1', '1e400', '9007199254740993'])
      assert.equal(await messageOf('--gone', `dept_id=${value}`), `--gone cannot set dept_id to "${value}".`)
    assert.equal(
      await messageOf('--gone', 'status=x', '--delete'),
      '--gone and --delete contradict each other: leave one of them out.',
    )
    assert.equal(await messageOf('--at-most', '101%'), '--at-most takes a share from 0% to 100%, not "101%".')
    assert.equal(
      await messageOf('--key', 'cod'),
      '--key names the field "cod", which employees do not have; did you mean code?',
    )
    assert.match((await messageOf('--map', 'bamboohr-employes')) ?? '', /did you mean bamboohr-employees\?/)
    assert.match(
      (await sync('employees', joinLines('branch', 'Wien'))).err,
      /The file has neither the column id nor the key of employees \(code\)/,
    )
  })

  it('runs as the owner, because the service may not change records', async () => {
    const result = await muster(
      ['sync', 'employees', '--format', 'csv'],
      { DATABASE_URL: database.env.DATABASE_URL },
      joinLines('code,branch', 'E1,Linz'),
    )
    assert.equal(result.code, 1)
    assert.match(result.err, /permission denied/)
  })
})
