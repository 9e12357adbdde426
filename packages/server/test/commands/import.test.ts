import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

let database: TestDatabase
let client: pg.Client

const createDatabase = async (): Promise<void> => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
}

const dropDatabase = async (): Promise<void> => {
  await client.end()
  await database.drop()
}

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

const importText = (
  resource: string,
  format: 'csv' | 'ndjson',
  input: string | Uint8Array[],
  ...options: string[]
): Promise<CommandResult> =>
  muster(['import', resource, '--format', format, ...options], { DATABASE_URL: database.url }, input)

const rowsOf = async (sql: string): Promise<unknown[][]> => (await client.query({ text: sql, rowMode: 'array' })).rows

/** The errors that an import printed, without the summary in the last line. */
const errorsOf = ({ out }: CommandResult): string[] => out.trimEnd().split('\n').slice(0, -1)

const summaryOf = ({ out }: CommandResult): string =>
  out
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/ in [\d.]+ s\.$/, '.') ?? ''

describe('muster import', () => {
  before(createDatabase)
  after(dropDatabase)

  it('rejects a nonzero number that would underflow to zero, in both formats', async () => {
    const errorPattern = /: days: Input should be 0 or at least 5e-324 away from it/
    for (const [format, input] of [
      ['csv', joinLines('leave_type,status,days', 'annual,pending,1e-400')],
      ['ndjson', joinLines('{"leave_type":"annual","status":"pending","days":1e-400}')],
    ] as const) {
      const result = await importText('leave', format, input)
      assert.equal(result.code, 1)
      assert.match(errorsOf(result).join(), errorPattern)
    }
  })

  it('reads an empty CSV cell as null, and a quoted empty cell as an empty string', async () => {
    const result = await importText(
      'departments',
      'csv',
      joinLines('id,name', '1,Research', '2,"Sales, ""North"" and\nSouth"'),
    )
    assert.deepEqual([result.code, summaryOf(result)], [0, '2 lines read, 0 lines rejected, 2 records stored.'])
    const employeesCsv = joinLines(
      'code,first_name,last_name,dept_id,status,base_salary,date_of_joining',
      'A1,Ada,,1,active,1.5e3,2024-02-29',
      'A2,"",Østby,,active,-0,',
    )
    assert.equal((await importText('employees', 'csv', employeesCsv)).code, 0)
    assert.deepEqual(await rowsOf('select name from departments order by id'), [
      ['Research'],
      ['Sales, "North" and\nSouth'],
    ])
    assert.deepEqual(
      await rowsOf(
        'select first_name, last_name, dept_id, base_salary, date_of_joining::text, alumni from employees order by id',
      ),
      [
        ['Ada', null, '1', 1500, '2024-02-29', '0'],
        ['', 'Østby', null, -0, null, '0'],
      ],
    )
  })

  it('applies defaults to missing fields in NDJSON, and keeps null in a nullable field', async () => {
    const result = await importText(
      'leave',
      'ndjson',
      joinLines(
        '{"id": 10, "employee_id": 1, "leave_type": "annual", "applied_on": null, "days": 2.5}',
        '',
        '{"leave_type": "sick", "status": null, "reason": ""}',
      ),
    )
    assert.deepEqual([result.code, result.out.split(',')[0]], [0, '2 lines read'])
    const todayRows = await rowsOf(`select (now() at time zone 'utc')::date::text`)
    assert.deepEqual(
      await rowsOf(
        'select id::int, leave_type, status, days, reason, applied_on::text from leave_requests order by id',
      ),
      [
        [10, 'annual', 'pending', 2.5, null, null],
        [11, 'sick', 'pending', null, '', todayRows[0]?.[0]],
      ],
    )
  })

  it('accepts a record as the API returns it, including the field password_hash, which is always null', async () => {
    const recordJson = '{"id":70,"code":"Z","status":"active","alumni":1,"password_hash":null}'
    assert.equal((await importText('employees', 'ndjson', joinLines(recordJson))).code, 0)
    const result = await importText('employees', 'csv', joinLines('status,password_hash', 'active,', 'active,secret'))
    assert.deepEqual(errorsOf(result), ['standard input:3: password_hash: Extra inputs are not permitted'])
  })

  it('keeps the ids of the file, and continues after the largest id', async () => {
    assert.equal(
      (await importText('organizations', 'csv', joinLines('id,name,slug', '900,A,a', ',B,b', '5,C,c', ',D,d'))).code,
      0,
    )
    assert.deepEqual(await rowsOf('select slug, id::int from organizations order by slug'), [
      ['a', 900],
      ['b', 901],
      ['c', 5],
      ['d', 902],
    ])
    await client.query(`insert into organizations (name, slug) values ('E', 'e')`)
    assert.deepEqual(await rowsOf(`select id::int from organizations where slug = 'e'`), [[903]])
  })

  it('rejects an id so large that it would leave too few ids for later records', async () => {
    const result = await importText('organizations', 'csv', joinLines('id,name,slug', '9000000000000001,Last,last'))
    assert.deepEqual(errorsOf(result), [
      'standard input:2: id: Input should be less than or equal to 9000000000000000 (9000000000000001)',
    ])
  })

  it('never lowers the next id of a table', async () => {
    assert.equal((await importText('organizations', 'csv', joinLines('id,name,slug', '6,F,f'))).code, 0)
    await client.query(`insert into organizations (name, slug) values ('G', 'g')`)
    assert.deepEqual(await rowsOf(`select id::int from organizations where slug = 'g'`), [[904]])
  })

  it('accepts references between records of one file, in any order', async () => {
    const employeesCsv = joinLines('id,status,manager_id', '501,active,502', '502,active,', '503,active,501')
    assert.equal((await importText('employees', 'csv', employeesCsv)).code, 0)
    const teamsCsv = joinLines(
      'id,organization_id,parent_id,name',
      '20,900,21,Below',
      '21,900,,Above',
      '22,5,21,Elsewhere',
    )
    const result = await importText('organization-teams', 'csv', teamsCsv)
    assert.deepEqual(errorsOf(result), ['standard input:4: parent_id: No organization team has this id (21)'])
    assert.equal((await importText('organization-teams', 'csv', teamsCsv, '--skip-bad')).code, 0)
    assert.deepEqual(await rowsOf('select id::int, parent_id::int from organization_teams order by id'), [
      [20, 21],
      [21, null],
    ])
  })

  it('stores nothing if a line is invalid or with --dry-run, and only the valid lines with --skip-bad', async () => {
    const file = joinLines('id,name', '100,Good', '101,', '102,Fine')
    const errors = ['standard input:3: name: Field required']
    const strictResult = await importText('departments', 'csv', file)
    assert.deepEqual([strictResult.code, errorsOf(strictResult)], [1, errors])
    assert.equal(
      summaryOf(strictResult),
      '3 lines read, 1 line rejected: nothing was stored. Fix them, or skip them with --skip-bad.',
    )
    const dryResult = await importText('departments', 'csv', file, '--skip-bad', '--dry-run')
    assert.deepEqual(
      [dryResult.code, errorsOf(dryResult), summaryOf(dryResult)],
      [0, errors, '3 lines read, 1 line rejected: 2 records would be stored.'],
    )
    assert.deepEqual(await rowsOf('select id from departments where id >= 100'), [])
    const lenientResult = await importText('departments', 'csv', file, '--skip-bad')
    assert.deepEqual([lenientResult.code, errorsOf(lenientResult)], [0, errors])
    assert.deepEqual(await rowsOf('select id::int from departments where id >= 100 order by id'), [[100], [102]])
  })

  it('reports every error of a line, with the field and the value', async () => {
    const invalidRecord = {
      id: 0,
      candidate_id: 1.5,
      job_id: 7,
      stage: ' ',
      status: 1,
      applied_on: '2026-02-30',
      rating: '5',
      more: 1,
    }
    const result = await importText('applications', 'ndjson', joinLines(JSON.stringify(invalidRecord)))
    assert.deepEqual(errorsOf(result), [
      'standard input:1: id: Input should be greater than or equal to 1 (0)',
      'standard input:1: candidate_id: Input should be a valid integer, got a number with a fractional part (1.5)',
      'standard input:1: job_id: No job opening has this id (7)',
      'standard input:1: stage: String should have at least 1 character (" ")',
      'standard input:1: status: Input should be a valid string (1)',
      'standard input:1: applied_on: Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken ("2026-02-30")',
      'standard input:1: rating: Input should be a valid number ("5")',
      'standard input:1: more: Extra inputs are not permitted',
    ])
  })

  it('rejects a to_date before from_date, a blank required string, and invalid JSON', async () => {
    const leaveResult = await importText(
      'leave',
      'csv',
      joinLines('leave_type,from_date,to_date', 'annual,2026-05-02,2026-05-01'),
    )
    assert.deepEqual(errorsOf(leaveResult), [
      'standard input:2: to_date: Input should not be before from_date ("2026-05-01")',
    ])
    const jobsResult = await importText(
      'jobs',
      'csv',
      joinLines('title,headcount,filled,status,stages_json', '\u00a0 ,1,0,open,"[1,"'),
    )
    assert.deepEqual(errorsOf(jobsResult), [
      'standard input:2: title: String should have at least 1 character ("\u00a0 ")',
      'standard input:2: stages_json: Input should be valid JSON: not a JSON document ("[1,")',
    ])
  })

  it('reports whether a duplicate value is in the table or on an earlier line', async () => {
    const result = await importText(
      'organizations',
      'csv',
      joinLines('id,name,slug', '900,H,h', '910,I,i', '910,J,a', '911,K,i'),
    )
    assert.deepEqual(errorsOf(result), [
      'standard input:2: id: Another record has this value already (900)',
      'standard input:4: id: Line 3 has this value already (910)',
      'standard input:4: slug: Another record has this value already ("a")',
      'standard input:5: slug: Line 3 has this value already ("i")',
    ])
  })

  it('reports no error for a reference to an invalid line of the file, except with --skip-bad', async () => {
    const file = joinLines('id,status,manager_id', '601,,', '602,active,601', '603,active,602', '604,active,')
    assert.deepEqual(errorsOf(await importText('employees', 'csv', file, '--dry-run')), [
      'standard input:2: status: Field required',
    ])
    const result = await importText('employees', 'csv', file, '--skip-bad')
    assert.deepEqual(errorsOf(result), [
      'standard input:2: status: Field required',
      'standard input:3: manager_id: No employee has this id (601)',
      'standard input:4: manager_id: No employee has this id (602)',
    ])
    assert.deepEqual(await rowsOf('select id::int from employees where id between 601 and 699'), [[604]])
  })

  it('allows another line to use the unique value of a skipped line', async () => {
    const file = joinLines('id,name,slug', '920,,z', '921,Z,z')
    assert.deepEqual(errorsOf(await importText('organizations', 'csv', file, '--skip-bad')), [
      'standard input:2: name: Field required',
    ])
    assert.deepEqual(await rowsOf(`select id::int from organizations where slug = 'z'`), [[921]])
  })

  it('waits for a concurrent insert, and reports a conflict with the inserted value', async () => {
    await client.query(`begin; insert into organizations (name, slug) values ('First', 'wanted')`)
    const pendingImport = importText('organizations', 'csv', joinLines('name,slug', 'Second,wanted'))
    const waitingLocksSql = `select from pg_locks where not granted and relation = 'organizations'::regclass
      and database = (select oid from pg_database where datname = current_database())`
    await waitUntil('the import waits', async () => (await rowsOf(waitingLocksSql)).length > 0, 60_000)
    await client.query('commit')
    const result = await pendingImport
    assert.deepEqual(
      [result.code, errorsOf(result)],
      [1, ['standard input:2: slug: Another record has this value already ("wanted")']],
    )
  })

  it('stores the values of only one of two concurrent imports with the same unique values, and the other reports all conflicts', async () => {
    const file = joinLines('name,slug', ...Array.from({ length: 200 }, (_, index) => `Concurrent,concurrent-${index}`))
    const results = await Promise.all([
      importText('organizations', 'csv', file),
      importText('organizations', 'csv', file),
    ])
    const [storedImport, failedImport] = results.toSorted((a, b) => a.code - b.code)
    assert.deepEqual(
      [storedImport?.code, failedImport?.code, failedImport && errorsOf(failedImport).length],
      [0, 1, 200],
    )
    assert.deepEqual(await rowsOf(`select count(*)::int from organizations where name = 'Concurrent'`), [[200]])
  })
})

describe('an import file', () => {
  before(createDatabase)
  after(dropDatabase)

  const badFiles: [title: string, resource: string, input: string | Uint8Array[], sentence: string][] = [
    ['is empty', 'departments', '', 'The file is empty: its first line should name fields of departments.\n'],
    [
      'names an unknown column',
      'employees',
      'id,statsu\n',
      'The first line names a column "statsu", which employees do not have; did you mean status?\n',
    ],
    [
      'names an unknown column that resembles none',
      'departments',
      'id,foo\n',
      'The first line names a column "foo", which departments do not have.\n',
    ],
    [
      'names a column twice',
      'departments',
      'name,id,name\n',
      'The first line names the column "name" twice: keep one of them.\n',
    ],
    [
      'lacks a required column',
      'attendance',
      'employee_id,status\n',
      'The first line lacks the column "att_date", which every attendance record needs.\n',
    ],
    [
      'is separated by semicolons',
      'departments',
      'id;name\n',
      'The columns of the first line are separated by semicolons: save the file as CSV with commas, or sync it with a map, which reads other delimiters.\n',
    ],
    [
      'is separated by semicolons and quoted',
      'departments',
      '"id";"name"\n"1";"One"\n',
      'The columns of the first line are separated by semicolons: save the file as CSV with commas, or sync it with a map, which reads other delimiters.\n',
    ],
    [
      'is separated by tabs and quoted in part',
      'departments',
      'id\t"name, in full"\n',
      'The columns of the first line are separated by tabs: save the file as CSV with commas, or sync it with a map, which reads other delimiters.\n',
    ],
    [
      'has a first line that is no CSV',
      'departments',
      '"id"x,name\n1,One\n',
      'The first line cannot be read: A closing quote should be followed by a comma.\n',
    ],
    [
      'never closes a quote',
      'departments',
      'name\nA\n"B\nC\n',
      'The record that starts on line 3 has a quote that is never closed in column 1: close it and try again.\n',
    ],
    [
      'has a record of more than a million characters, as after a quote that is never closed',
      'departments',
      Array.from({ length: 80 }, (_, index) => Buffer.from(index === 0 ? 'name\nA\nK1,"\n' : '""\n'.repeat(66_000))),
      'The record that starts on line 3 is longer than a million characters: a quote in it is probably never closed.\n',
    ],
    [
      'is encoded in UTF-16',
      'departments',
      [Buffer.from('\uFEFFname\nA\n', 'utf16le')],
      'Standard input is encoded in UTF-16, not in UTF-8. Convert it first, for example: iconv -f UTF-16 -t UTF-8\n',
    ],
    [
      'is encoded in Latin-1, from the second block on',
      'departments',
      [Buffer.from('name\nAé\nB\n'), Buffer.concat([Buffer.from('C\uFFFD\n'), Buffer.from('Café\n', 'latin1')])],
      'Standard input is not UTF-8: line 5 has the byte 0xE9 at position 4. Convert it first, for example: iconv -f WINDOWS-1252 -t UTF-8\n',
    ],
    [
      'has a line of more than 16 MiB',
      'departments',
      Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024, 'x')),
      'A line is longer than 16 MiB: this is not CSV or NDJSON.\n',
    ],
  ]
  for (const [title, resource, input, sentence] of badFiles) {
    it(`is rejected with one sentence if it ${title}`, async () => {
      const { code, out, err } = await importText(resource, 'csv', input)
      assert.deepEqual([code, out, err.replace(/^Database .+\n/, '')], [1, '', sentence])
    })
  }

  it('with malformed CSV lines is reported line by line', async () => {
    const input = Buffer.concat([
      Buffer.from('\uFEFFid,name\r\n1,One\r\n\r\n2,"T"wo"\r\n3,Th"ree\r\n4\r\n5,Five,5'),
      Buffer.from('\r\n6,S\u0000x\r\n"7","Se\nven"\r\n8,Eight,8\r\n, '),
    ])
    const result = await importText('departments', 'csv', [input], '--skip-bad')
    assert.deepEqual(errorsOf(result), [
      'standard input:4: A closing quote should be followed by a comma',
      'standard input:5: A cell with a quote in it should be quoted, and the quote doubled',
      'standard input:6: The line should have 2 cells like the first line, but has 1',
      'standard input:7: The line should have 2 cells like the first line, but has 3',
      'standard input:8: name: Input should be a valid string, unable to parse raw data as a unicode string ("S\\u0000x")',
      'standard input:11: The line should have 2 cells like the first line, but has 3',
      'standard input:12: The row is empty',
    ])
    assert.deepEqual(await rowsOf('select id::int, name from departments order by id'), [
      [1, 'One'],
      [7, 'Se\nven'],
    ])
  })

  it('with NDJSON lines that are not one JSON object each is reported line by line', async () => {
    const input = joinLines('[1]', '{"id": 1', 'null', '{"name": "a", "name": "b"}', '{"name": "say \\"name\\": c"}')
    assert.deepEqual(errorsOf(await importText('departments', 'ndjson', input)), [
      'standard input:1: The line should be a JSON object',
      'standard input:2: The line should be a JSON document',
      'standard input:3: The line should be a JSON object',
      'standard input:4: A name occurs twice in the object',
    ])
  })
})

describe('muster import --all', () => {
  let folder: string
  before(async () => {
    await createDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  })
  after(async () => {
    await dropDatabase()
    await rm(folder, { recursive: true })
  })

  const importFolder = (...options: string[]): Promise<CommandResult> =>
    muster(['import', '--all', folder, ...options], { DATABASE_URL: database.url })

  it('accepts references between files, even circular ones, and names the file of each error', async () => {
    await writeFile(join(folder, 'employees.csv'), joinLines('id,status,candidate_id', '1,active,1', '2,active,2'))
    await writeFile(
      join(folder, 'candidates.ndjson'),
      joinLines('{"id":1,"status":"hired","referred_by":2}', '{"id":2}'),
    )
    await writeFile(join(folder, 'notes.txt'), 'not a resource')
    const strictResult = await importFolder()
    assert.deepEqual([strictResult.code, errorsOf(strictResult)], [1, ['candidates.ndjson:2: status: Field required']])
    const lenientResult = await importFolder('--skip-bad')
    assert.deepEqual(errorsOf(lenientResult), [
      'candidates.ndjson:1: referred_by: No employee has this id (2)',
      'candidates.ndjson:2: status: Field required',
      'employees.csv:2: candidate_id: No candidate has this id (1)',
      'employees.csv:3: candidate_id: No candidate has this id (2)',
    ])
    await writeFile(
      join(folder, 'candidates.ndjson'),
      joinLines('{"id":1,"status":"hired","referred_by":2}', '{"id":2,"status":"x"}'),
    )
    assert.equal((await importFolder()).code, 0)
    assert.deepEqual(await rowsOf('select id::int, candidate_id::int from employees order by id'), [
      [1, 1],
      [2, 2],
    ])
  })

  it('rejects a file that is not named after a resource, and a resource that has files in both formats', async () => {
    await writeFile(join(folder, 'employes.csv'), '')
    assert.match(
      (await importFolder()).err,
      /employes\.csv is not named after a resource; did you mean employees\.csv\?\n$/,
    )
    await rm(join(folder, 'employes.csv'))
    await writeFile(join(folder, 'employees.ndjson'), '')
    assert.match((await importFolder()).err, / contains employees in both formats: keep one of the files\.\n$/)
  })
})
