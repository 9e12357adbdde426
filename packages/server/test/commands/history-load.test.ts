/** Loads the past of records from files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { fc } from '../../../../tests/support/fast-check.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { readParts, sheetPart, withPart } from './sheet-variants.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

const sampleFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The printed lines, without the duration of the run. */
const linesOf = ({ out }: CommandResult): string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ Stored in [\d.]+ s\.$/, ' Stored.'))

describe('muster history load', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-history-load-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() =>
    database.execute(`
      truncate departments, employees, candidates, leave_requests restart identity cascade;
      update muster_history_from set day = '2026-01-01';
      insert into departments (name) values ('Research'), ('Sales');
      insert into employees (code, branch, dept_id, designation, employment_type, date_of_joining, status)
        values ('E1', 'Linz', 2, 'Lead', 'full_time', '2015-03-02', 'active'),
          ('E2', 'Graz', 2, 'Clerk', 'full_time', '2016-09-01', 'active');
      update employees set manager_id = 1 where id = 2;
      delete from history`),
  )

  const load = (resource: string, format: string, input: string, ...options: string[]): Promise<CommandResult> =>
    muster(['history', 'load', resource, '--format', format, ...options], { DATABASE_URL: database.url }, input)

  const entries = async (): Promise<unknown[]> => {
    const rows = await database.query<{ row: unknown }>(
      `select json_build_array(record_id, field, old, new, since, "on") as row from history order by record_id, "on", id`,
    )
    return rows.map(({ row }) => row)
  }
  const historyFrom = async (resource = 'employees'): Promise<string | undefined> =>
    (
      await database.query<{ day: string }>('select day::text from muster_history_from where resource = $1', [resource])
    )[0]?.day

  /** Waits until the command waits for a lock. */
  const waitForLock = async (): Promise<void> => {
    const deadline = Date.now() + 30_000
    for (;;) {
      const [row] = await database.query<{ count: number }>(
        `select count(*) from pg_stat_activity where datname = current_database()
         and application_name = 'muster-history' and wait_event_type = 'Lock'`,
      )
      if (row?.count === 1) return
      assert.ok(Date.now() < deadline, 'the command never waited')
    }
  }

  const header = 'code,on,dept_id,designation,manager_id,branch,employment_type'
  const complete = joinLines(
    header,
    'E1,2015-03-02,1,Engineer,,Wien,part_time',
    'E2,2016-09-01,2,Clerk,1,Graz,full_time',
    'E1,2020-05-01,2,Lead,,Linz,full_time',
    'e1,2018-01-01,1,Engineer,,Linz,full_time',
  )

  it('stores the changes between the versions, in whatever order the lines are, and changes no record', async () => {
    const employees = () => database.query('select e.*, xmin::text from employees e order by id')
    const before = await employees()
    const result = await load('employees', 'csv', complete)
    assert.deepEqual(
      [result.code, linesOf(result)],
      [
        0,
        [
          'employees: 4 versions of 2 records, 4 changes loaded, 0 recorded changes replaced, 0 changes recorded already',
          'employees: the history is complete from 2015-03-02 on, before from 2026-01-01 on',
          '4 lines read, 0 lines rejected. Stored.',
        ],
      ],
    )
    assert.deepEqual(await entries(), [
      [1, 'branch', 'Wien', 'Linz', '2015-03-02', '2018-01-01'],
      [1, 'employment_type', 'part_time', 'full_time', '2015-03-02', '2018-01-01'],
      [1, 'dept_id', '1', '2', '2015-03-02', '2020-05-01'],
      [1, 'designation', 'Engineer', 'Lead', '2015-03-02', '2020-05-01'],
    ])
    assert.deepEqual(await employees(), before)
    const [{ versions } = { versions: '' }] = await database.query<{ versions: string }>(
      `select count(*) as versions from muster_versions_employees()`,
    )
    assert.equal(Number(versions), 4)
  })

  it('writes nothing the second time, and nothing in a dry run', async () => {
    const dryRun = await load('employees', 'csv', complete, '--dry-run')
    assert.equal(dryRun.code, 3)
    assert.equal(linesOf(dryRun).at(-1), '4 lines read, 0 lines rejected. Nothing was changed: this was a dry run.')
    assert.deepEqual([await entries(), await historyFrom()], [[], '2026-01-01'])
    await load('employees', 'csv', complete)
    const state = () =>
      database.query(
        'select (select sum(changes) from muster_table_versions) as changes, array_agg(id order by id) as ids from history',
      )
    const before = await state()
    const again = await load('employees', 'csv', complete)
    assert.deepEqual(
      [again.code, linesOf(again)[0], linesOf(again).at(-1)],
      [
        0,
        'employees: 4 versions of 2 records, 0 changes loaded, 0 recorded changes replaced, 4 changes recorded already',
        '4 lines read, 0 lines rejected. Nothing to change.',
      ],
    )
    assert.equal((await load('employees', 'csv', complete, '--dry-run')).code, 0)
    assert.deepEqual(await state(), before)
  })

  it('replaces the recorded changes of the fields and records in the file, and no others', async () => {
    await load('employees', 'csv', complete)
    await database.execute(`
      insert into history (resource, record_id, field, old, new, "on", at)
        values ('leave', 1, 'status', 'pending', 'approved', '2020-01-01', now()),
          ('employees', 2, 'branch', 'Rom', 'Graz', '2019-01-01', now())`)
    const file = joinLines('code,on,branch', 'E1,2015-03-02,Rom', 'E1,2017-01-01,Linz')
    const result = await load('employees', 'csv', file)
    assert.deepEqual(linesOf(result).slice(0, 2), [
      'employees: 2 versions of 1 record, 1 change loaded, 1 recorded change replaced, 0 changes recorded already',
      'employees: the history is still complete from 2015-03-02 on: 1 record is not in the file, and the file has no dept_id, designation, manager_id, employment_type',
    ])
    assert.deepEqual(await entries(), [
      [1, 'branch', 'Rom', 'Linz', '2015-03-02', '2017-01-01'],
      [1, 'employment_type', 'part_time', 'full_time', '2015-03-02', '2018-01-01'],
      [1, 'status', 'pending', 'approved', null, '2020-01-01'],
      [1, 'dept_id', '1', '2', '2015-03-02', '2020-05-01'],
      [1, 'designation', 'Engineer', 'Lead', '2015-03-02', '2020-05-01'],
      [2, 'branch', 'Rom', 'Graz', null, '2019-01-01'],
    ])
  })

  it('reports every kind of error with its line, also in a dry run, and stores nothing', async () => {
    const [{ tomorrow, today } = { tomorrow: '', today: '' }] = await database.query<{
      tomorrow: string
      today: string
    }>(`select (d + 1)::text as tomorrow, d::text as today from (select (now() at time zone 'utc')::date) as t (d)`)
    const file = joinLines(
      'code,on,dept_id,branch',
      'E9,2015-03-02,1,Wien',
      'E1,2015-03-02,1,Wien',
      'E1,2015-03-02,2,Wien',
      'E2,2016-09-01,2,Rom',
      `E2,${tomorrow},2,Graz`,
      'E1,2016-02-30,2,Linz',
      'E1,2017-01-01,9,Linz',
      'E1,,2,Linz',
      ',2017-02-01,2,Linz',
    )
    for (const options of [[], ['--dry-run']]) {
      const result = await load('employees', 'csv', file, ...options)
      assert.equal(result.code, 1)
      const name = 'standard input'
      assert.deepEqual(linesOf(result), [
        `${name}:2: code: No employee has this key ("E9")`,
        `${name}:4: on: Line 3 has this day of the same record already ("2015-03-02")`,
        `${name}:6: on: The day is after today, ${today} in UTC ("${tomorrow}")`,
        `${name}:7: on: Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken ("2016-02-30")`,
        `${name}:8: dept_id: No department has this id (9)`,
        `${name}:9: on: Field required`,
        `${name}:10: code: Field required`,
        '9 lines read, 7 lines rejected: nothing was changed. Fix them.',
      ])
    }
    assert.deepEqual(linesOf(await load('employees', 'csv', joinLines('code,on,branch', 'E1,2015-03-02,'))), [
      'standard input:2: branch: The last version must have the present value of the record, which is "Linz"',
      '1 line read, 1 line rejected: nothing was changed. Fix them.',
    ])
    // What else is wrong with the record follows from the rejected line.
    assert.deepEqual(linesOf(await load('employees', 'csv', joinLines('code,on,dept_id', 'E1,2015-03-02,9'))), [
      'standard input:2: dept_id: No department has this id (9)',
      '1 line read, 1 line rejected: nothing was changed. Fix them.',
    ])
    const other = joinLines('code,on,dept_id,branch', 'E2,2016-09-01,1,Rom', 'E1,2015-03-02,2,Linz')
    assert.deepEqual(linesOf(await load('employees', 'csv', other)), [
      'standard input:2: dept_id: The last version must have the present value of the record, which is 2 ("1")',
      'standard input:2: branch: The last version must have the present value of the record, which is "Graz" ("Rom")',
      '2 lines read, 1 line rejected: nothing was changed. Fix them.',
    ])
    assert.deepEqual([await entries(), await historyFrom()], [[], '2026-01-01'])
  })

  it('refuses a key that two records have', async () => {
    await database.execute(`update employees set code = 'E1' where id = 2`)
    const result = await load('employees', 'csv', joinLines('code,on,branch', 'E1,2016-01-01,Linz'))
    assert.equal(linesOf(result)[0], 'standard input:2: code: Two employees have this key: 1 and 2 ("E1")')
    const byId = await load('employees', 'csv', joinLines('id,on,branch', '1,2015-01-01,Rom', '1,2016-01-01,Linz'))
    assert.equal(byId.code, 0, byId.out)
  })

  it('refuses files with nothing to load, and resources without a history', async () => {
    const errorOf = async (resource: string, input: string) =>
      (await load(resource, 'csv', input)).err.split('\n').at(-2)
    assert.equal(
      await errorOf('employees', 'code,on,branch\n'),
      'standard input contains no versions of employees: nothing to load.',
    )
    assert.equal(
      await errorOf('employees', joinLines('code,on', 'E1,2016-01-01')),
      'The file has no tracked field of employees (dept_id, designation, manager_id, branch, employment_type): nothing to load.',
    )
    assert.equal(
      await errorOf('employees', joinLines('code,branch', 'E1,Linz')),
      'The file has no column on, with the day on which each version began: add it.',
    )
    assert.equal(
      await errorOf('employees', joinLines('on,branch', '2016-01-01,Linz')),
      'The file has neither the column id nor the key of employees (code): add it.',
    )
    assert.match(
      (await errorOf('employees', joinLines('code,on,branch,status', 'E1,2016-01-01,Linz,active'))) ?? '',
      /names a column "status", which versions of employees do not have.* write a map and name it with --map\.$/,
    )
    const departments = await load('departments', 'csv', joinLines('name,on', 'Research,2016-01-01'))
    assert.equal(departments.code, 2)
    assert.match(departments.err, /^departments have no tracked fields\. Those that have: employees, leave, /)
    const action = await muster(['history', 'lod', 'employees'], { DATABASE_URL: database.url })
    assert.match(action.err, /^There is no action "lod": it is load\.\n/)
  })

  it('moves the day of completeness only for all records and fields, and not before the first version of an older record', async () => {
    const withoutOne = complete
      .split('\n')
      .filter((line) => !line.startsWith('E2'))
      .join('\n')
    const partly = await load('employees', 'csv', withoutOne)
    assert.equal(
      linesOf(partly)[1],
      'employees: the history is still complete from 2026-01-01 on: 1 record is not in the file',
    )
    assert.equal(await historyFrom(), '2026-01-01')
    assert.equal(
      linesOf(
        await load(
          'employees',
          'csv',
          joinLines('code,on,branch', 'E1,2015-03-02,Wien', 'E1,2018-01-01,Linz', 'E2,2016-09-01,Graz'),
        ),
      )[1],
      'employees: the history is still complete from 2026-01-01 on: the file has no dept_id, designation, manager_id, employment_type',
    )
    assert.equal(await historyFrom(), '2026-01-01')
    const late = complete.replace('E2,2016-09-01', 'E2,2019-04-01')
    assert.equal(
      linesOf(await load('employees', 'csv', late))[1],
      'employees: the history is complete from 2019-04-01 on, before from 2026-01-01 on: line 3 is the first version of an older record, and begins on 2019-04-01',
    )
    assert.equal(await historyFrom(), '2019-04-01')
    await load('employees', 'csv', complete)
    assert.equal(await historyFrom(), '2015-03-02')
    assert.equal(await historyFrom('applications'), '2026-01-01')
  })

  it('refuses a first version after the known history of the record began', async () => {
    await load('employees', 'csv', complete)
    const before = await entries()
    const result = await load(
      'employees',
      'csv',
      joinLines('code,on,branch', 'E1,2019-01-01,Linz', 'E2,2016-09-01,Graz'),
    )
    assert.deepEqual(linesOf(result), [
      'standard input:2: on: This is the first version of the record, but its history is known from 2015-03-02 on: add what it was then ("2019-01-01")',
      '2 lines read, 1 line rejected: nothing was changed. Fix them.',
    ])
    assert.deepEqual(await entries(), before)
    await database.execute(`
      insert into candidates (email, status) values ('Ana@example.com', 'hired');
      insert into history (resource, record_id, field, old, new, "on", at) values ('candidates', 1, 'status', 'new', 'hired', '2020-01-01', now())`)
    const candidate = await load('candidates', 'csv', joinLines('email,on,status', 'ana@example.com,2020-01-02,hired'))
    assert.match(candidate.out, /^standard input:2: on: .* known from 2020-01-01 on/)
  })

  it('accepts a version of today, and a first version after recorded changes of other fields', async () => {
    const [{ today } = { today: '' }] = await database.query<{ today: string }>(
      `select (now() at time zone 'utc')::date::text as today`,
    )
    await database.execute(
      `insert into history (resource, record_id, field, old, new, "on", at) values ('employees', 1, 'dept_id', '1', '2', '2018-01-01', now())`,
    )
    const result = await load('employees', 'csv', joinLines('code,on,branch', 'E1,2019-01-01,Rom', `E1,${today},Linz`))
    assert.equal(result.code, 0, result.out)
    assert.deepEqual(await entries(), [
      [1, 'dept_id', '1', '2', null, '2018-01-01'],
      [1, 'branch', 'Rom', 'Linz', '2019-01-01', today],
    ])
  })

  it('changes the version of the history with the day of completeness, also if it loads no change', async () => {
    const version = () => database.query(`select changes from muster_table_versions where table_name = 'history'`)
    await load('employees', 'csv', complete)
    await database.execute(`update muster_history_from set day = '2026-01-01'`)
    const before = await version()
    assert.equal((await load('employees', 'csv', complete)).code, 0)
    assert.equal(await historyFrom(), '2015-03-02')
    assert.notDeepEqual(await version(), before)
  })

  it('reads files through a map: delimiters, dates, lookups, constants and ignored columns', async () => {
    const map = join(folder, 'job-history.json')
    await writeFile(
      map,
      JSON.stringify({
        resource: 'employees',
        delimiter: ';',
        date: 'DD.MM.YYYY',
        columns: {
          No: 'code',
          From: 'on',
          Department: { field: 'dept_id', by: 'departments.name' },
          Boss: { field: 'manager_id', by: 'employees.code', values: { none: null } },
          Type: { field: 'employment_type', values: { F: 'full_time', P: 'part_time' } },
          Note: 'ignore',
        },
      }),
    )
    const loadMapped = (...lines: string[]) => load('employees', 'csv', joinLines(...lines), '--map', map)
    const result = await loadMapped(
      'No;From;Department;Boss;Type;Note',
      'E2;01.09.2016;Research;none;P;hired',
      'E2;01.02.2021;Sales;E1;F;',
    )
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await entries(), [
      [2, 'dept_id', '1', '2', '2016-09-01', '2021-02-01'],
      [2, 'manager_id', null, '1', '2016-09-01', '2021-02-01'],
      [2, 'employment_type', 'part_time', 'full_time', '2016-09-01', '2021-02-01'],
    ])
    const wrong = await loadMapped(
      'No;From;Department;Boss;Type',
      'E2;01.09.2016;Legal;none;P',
      'E1;02.03.2015;Research;none;F',
    )
    assert.deepEqual(linesOf(wrong), [
      'standard input:2: column 3 "Department" (dept_id): No department has this name ("Legal")',
      'standard input:3: column 3 "Department" (dept_id): The last version must have the present value of the record, which is "Sales" ("Research")',
      '2 lines read, 2 lines rejected: nothing was changed. Fix them.',
    ])
    const otherResource = await load('leave', 'csv', 'x\n', '--map', map)
    assert.match(otherResource.err, /^The map job-history\.json is for employees, not for leave\./)
  })

  it('reads the job history of an HR system', async () => {
    const env = { DATABASE_URL: database.url }
    await database.execute(`truncate departments, employees, candidates restart identity cascade`)
    const sync = async (...args: string[]) => assert.equal((await muster(['sync', ...args], env)).code, 0)
    await sync('departments', sampleFile('sync-samples/departments.csv'))
    await sync('employees', sampleFile('sync-samples/bamboohr-employees.csv'), '--map', 'bamboohr-employees')
    const files = [
      sampleFile('history-samples/bamboohr-job-history.csv'),
      '--map',
      sampleFile('history-samples/job-history.json'),
    ]
    const result = await muster(['history', 'load', 'employees', ...files], env)
    assert.deepEqual(
      [result.code, linesOf(result).slice(0, 2)],
      [
        0,
        [
          'employees: 10 versions of 5 records, 9 changes loaded, 0 recorded changes replaced, 0 changes recorded already',
          'employees: the history is complete from 2015-03-02 on, before from 2026-01-01 on',
        ],
      ],
    )
    assert.deepEqual(
      await database.query(
        `select v.valid_from::text, v.valid_to::text, d.name as department, v.designation, m.code as manager, v.branch, v.employment_type
         from muster_versions_employees() v join employees e on e.id = v.record_id
         left join departments d on d.id = v.dept_id left join employees m on m.id = v.manager_id
         where e.code = '1003' order by version`,
      ),
      [
        ['2019-01-15', '2021-04-01', 'Management', 'Office Assistant', '1001', 'Vienna', 'full_time'],
        ['2021-04-01', '2023-02-01', 'Sales', 'Sales Assistant', '1002', 'Vienna', 'full_time'],
        ['2023-02-01', null, 'Sales', 'Account Manager', '1002', 'Graz', 'part_time'],
      ].map(([from, to, department, designation, manager, branch, type]) => ({
        valid_from: from,
        valid_to: to,
        department,
        designation,
        manager,
        branch,
        employment_type: type,
      })),
    )
  })

  it('reads an Excel file whose columns are named after fields', async () => {
    const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`
    // 42005 is 2015-01-01 and 43466 is 2019-01-01.
    const rows = [
      row(text('code'), text('on'), text('branch')),
      row(text('E1'), '<c s="1"><v>42005</v></c>', text('Wien')),
      row(text('E1'), '<c s="1"><v>43466</v></c>', text('Linz')),
    ]
    const file = join(folder, 'past.xlsx')
    await writeFile(
      file,
      withPart(await readParts(), sheetPart, (xml) =>
        xml.replace(/<sheetData>.*<\/sheetData>/, `<sheetData>${rows.join('')}</sheetData>`),
      ),
    )
    const result = await muster(['history', 'load', 'employees', file], { DATABASE_URL: database.url })
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await entries(), [[1, 'branch', 'Wien', 'Linz', '2015-01-01', '2019-01-01']])
  })

  it('makes one version of a day whose changes were recorded apart', async () => {
    await database.execute(`
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        ('employees', 1, 'branch', 'Wien', 'Linz', '2018-01-01', '2015-03-02', '2018-01-01 08:00Z'),
        ('employees', 1, 'employment_type', 'part_time', 'full_time', '2018-01-01', '2015-03-02', '2018-01-01 09:00Z')`)
    const result = await load('employees', 'csv', complete)
    assert.equal(
      linesOf(result)[0],
      'employees: 4 versions of 2 records, 4 changes loaded, 2 recorded changes replaced, 0 changes recorded already',
    )
    const versions = await database.query('select record_id from muster_versions_employees()')
    assert.equal(versions.length, 4)
  })

  it('reads NDJSON, in which each line names all fields of the file', async () => {
    const valid = joinLines(
      '{"code":"E1","on":"2015-03-02","branch":"Wien"}',
      '{"code":"E1","on":"2018-01-01","branch":"Linz"}',
    )
    assert.equal((await load('employees', 'ndjson', valid)).code, 0)
    assert.deepEqual(await entries(), [[1, 'branch', 'Wien', 'Linz', '2015-03-02', '2018-01-01']])
    const incomplete = joinLines(
      '{"code":"E1","on":"2015-03-02","branch":"Wien"}',
      '{"code":"E1","on":"2018-01-01","branch":"Linz","dept_id":2}',
    )
    assert.equal(linesOf(await load('employees', 'ndjson', incomplete))[0], 'standard input:1: dept_id: Field required')
  })

  it('takes an empty cell of a required status as an error, not as the default, and shows no e-mail address', async () => {
    await database.execute(`insert into candidates (email, status) values ('ana@example.com', 'active')`)
    const result = await load(
      'candidates',
      'csv',
      joinLines('email,on,status', 'ana@example.com,2020-01-01,', 'bo.quill@example.com,2020-01-01,active'),
    )
    assert.deepEqual(linesOf(result), [
      'standard input:2: status: Field required',
      'standard input:3: email: No candidate has this key (••.•••••@•••••••.•••)',
      '2 lines read, 2 lines rejected: nothing was changed. Fix them.',
    ])
  })

  it('refuses to store if another session has changed one of the records meanwhile', async () => {
    const other = new Client({ connectionString: database.url })
    await other.connect()
    try {
      await other.query('begin')
      await other.query(`update employees set branch = 'Rom' where id = 2`)
      const finished = load('employees', 'csv', complete)
      await waitForLock()
      await other.query('commit')
      const result = await finished
      assert.equal(result.code, 1)
      assert.match(
        result.err,
        /Another session changed the same records meanwhile: nothing was changed; try again\.\n$/,
      )
    } finally {
      await other.end()
    }
    assert.equal((await entries()).length, 1)
    assert.equal(await historyFrom(), '2026-01-01')
  })

  it('waits for a sync, an import or another load of the resource', async () => {
    const other = new Client({ connectionString: database.url })
    await other.connect()
    try {
      await other.query('begin; lock table employees in share update exclusive mode')
      const finished = load('employees', 'csv', complete)
      await waitForLock()
      await other.query('commit')
      assert.equal((await finished).code, 0)
    } finally {
      await other.end()
    }
  })

  it('gives each record on each day the values of its version', async () => {
    const branches = ['Wien', 'Linz', 'Graz', null]
    const version = fc.record({
      day: fc.integer({ min: 0, max: 4_000 }),
      dept: fc.constantFrom(1, 2),
      branch: fc.constantFrom(...branches),
    })
    const histories = fc.array(fc.uniqueArray(version, { selector: ({ day }) => day, minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 12,
    })
    const dayText = (day: number) => new Date(Date.UTC(2012, 0, 1 + day)).toISOString().slice(0, 10)
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(fc.integer({ min: 0, max: 4_100 }), { minLength: 5, maxLength: 5 }),
        async (all, days) => {
          const sorted = all.map((versions) => versions.toSorted((a, b) => a.day - b.day))
          const values = sorted.map((versions, index) => {
            const last = versions.at(-1)
            return `('P${index}', ${last?.dept}, ${last?.branch == null ? 'null' : `'${last.branch}'`}, 'active')`
          })
          await database.execute(
            `truncate employees restart identity cascade; update muster_history_from set day = '2026-01-01';
           insert into employees (code, dept_id, branch, status) values ${values.join(', ')}`,
          )
          const lines = all.flatMap((versions, index) =>
            versions.map(({ day, dept, branch }) => `P${index},${dayText(day)},${dept},${branch ?? ''}`),
          )
          const result = await load('employees', 'csv', joinLines('code,on,dept_id,branch', ...lines))
          assert.equal(result.code, 0, result.out + result.err)
          for (const day of days) {
            const rows = await database.query(
              'select dept_id, branch from muster_values_on_employees($1) order by record_id',
              [dayText(day)],
            )
            const expected = sorted.map((versions) => {
              const { dept, branch } =
                versions.findLast((each) => each.day <= day) ?? (versions[0] as (typeof versions)[0])
              return { dept_id: dept, branch }
            })
            assert.deepEqual(rows, expected)
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
