/** Records come in from files as a create would take them: what is right is stored, what is not is told line by line. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import type { Said } from './support/muster.ts'
import { muster } from './support/muster.ts'

let database: TestDatabase
let client: pg.Client

const connect = async (): Promise<void> => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
}

const disconnect = async (): Promise<void> => {
  await client.end()
  await database.drop()
}

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('')

const bring = (
  resource: string,
  format: 'csv' | 'ndjson',
  input: string | Uint8Array[],
  ...options: string[]
): Promise<Said> => muster(['import', resource, '--format', format, ...options], { DATABASE_URL: database.url }, input)

const rowsOf = async (sql: string): Promise<unknown[][]> => (await client.query({ text: sql, rowMode: 'array' })).rows

/** The report without the closing count. */
const told = ({ out }: Said): string[] => out.trimEnd().split('\n').slice(0, -1)

const counted = ({ out }: Said): string =>
  out
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/ in [\d.]+ s\.$/, '.') ?? ''

describe('an import', () => {
  before(connect)
  after(disconnect)

  it('refuses a number that is not zero and would be kept as zero, in either format', async () => {
    const reason = /: days: Input should be 0 or at least 5e-324 away from it/
    for (const [format, input] of [
      ['csv', lines('leave_type,status,days', 'annual,pending,1e-400')],
      ['ndjson', lines('{"leave_type":"annual","status":"pending","days":1e-400}')],
    ] as const) {
      const said = await bring('leave', format, input)
      assert.equal(said.code, 1)
      assert.match(told(said).join(), reason)
    }
  })

  it('stores what a CSV file says: an empty cell is null, a quoted empty cell an empty text', async () => {
    const said = await bring('departments', 'csv', lines('id,name', '1,Research', '2,"Sales, ""North"" and\nSouth"'))
    assert.deepEqual([said.code, counted(said)], [0, '2 lines read, 0 lines refused, 2 records stored.'])
    const people = lines(
      'code,first_name,last_name,dept_id,status,base_salary,date_of_joining',
      'A1,Ada,,1,active,1.5e3,2024-02-29',
      'A2,"",Østby,,active,-0,',
    )
    assert.equal((await bring('employees', 'csv', people)).code, 0)
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

  it('stores what an NDJSON file says, with defaults where nothing is said and null where null is said', async () => {
    const said = await bring(
      'leave',
      'ndjson',
      lines(
        '{"id": 10, "employee_id": 1, "leave_type": "annual", "applied_on": null, "days": 2.5}',
        '',
        '{"leave_type": "sick", "status": null, "reason": ""}',
      ),
    )
    assert.deepEqual([said.code, said.out.split(',')[0]], [0, '2 lines read'])
    const today = await rowsOf(`select (now() at time zone 'utc')::date::text`)
    assert.deepEqual(
      await rowsOf(
        'select id::int, leave_type, status, days, reason, applied_on::text from leave_requests order by id',
      ),
      [
        [10, 'annual', 'pending', 2.5, null, null],
        [11, 'sick', 'pending', null, '', today[0]?.[0]],
      ],
    )
  })

  it('takes a record as the interface answers it, the field that is always null included', async () => {
    const answered = '{"id":70,"code":"Z","status":"active","alumni":1,"password_hash":null}'
    assert.equal((await bring('employees', 'ndjson', lines(answered))).code, 0)
    const said = await bring('employees', 'csv', lines('status,password_hash', 'active,', 'active,secret'))
    assert.deepEqual(told(said), ['standard input:3: password_hash: Extra inputs are not permitted'])
  })

  it('keeps the ids that are given, and lets the next one follow the largest', async () => {
    assert.equal(
      (await bring('organizations', 'csv', lines('id,name,slug', '900,A,a', ',B,b', '5,C,c', ',D,d'))).code,
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

  it('refuses an id after which there would be no room for others', async () => {
    const said = await bring('organizations', 'csv', lines('id,name,slug', '9000000000000001,Last,last'))
    assert.deepEqual(told(said), [
      'standard input:2: id: Input should be less than or equal to 9000000000000000 (9000000000000001)',
    ])
  })

  it('never moves a sequence back', async () => {
    assert.equal((await bring('organizations', 'csv', lines('id,name,slug', '6,F,f'))).code, 0)
    await client.query(`insert into organizations (name, slug) values ('G', 'g')`)
    assert.deepEqual(await rowsOf(`select id::int from organizations where slug = 'g'`), [[904]])
  })

  it('lets records of one file refer to each other, whichever comes first', async () => {
    const people = lines('id,status,manager_id', '501,active,502', '502,active,', '503,active,501')
    assert.equal((await bring('employees', 'csv', people)).code, 0)
    const teams = lines('id,organization_id,parent_id,name', '20,900,21,Below', '21,900,,Above', '22,5,21,Elsewhere')
    const said = await bring('organization-teams', 'csv', teams)
    assert.deepEqual(told(said), ['standard input:4: parent_id: No organization team has this id (21)'])
    assert.equal((await bring('organization-teams', 'csv', teams, '--skip-bad')).code, 0)
    assert.deepEqual(await rowsOf('select id::int, parent_id::int from organization_teams order by id'), [
      [20, 21],
      [21, null],
    ])
  })

  it('stores nothing when one line is bad, the good ones when told to skip it, and nothing on a dry run', async () => {
    const file = lines('id,name', '100,Good', '101,', '102,Fine')
    const fault = ['standard input:3: name: Field required']
    const strict = await bring('departments', 'csv', file)
    assert.deepEqual([strict.code, told(strict)], [1, fault])
    assert.equal(
      counted(strict),
      '3 lines read, 1 line refused: nothing was stored. Mend them, or leave them out with --skip-bad.',
    )
    const dry = await bring('departments', 'csv', file, '--skip-bad', '--dry-run')
    assert.deepEqual(
      [dry.code, told(dry), counted(dry)],
      [0, fault, '3 lines read, 1 line refused: 2 records would be stored.'],
    )
    assert.deepEqual(await rowsOf('select id from departments where id >= 100'), [])
    const lenient = await bring('departments', 'csv', file, '--skip-bad')
    assert.deepEqual([lenient.code, told(lenient)], [0, fault])
    assert.deepEqual(await rowsOf('select id::int from departments where id >= 100 order by id'), [[100], [102]])
  })

  it('tells every fault of a line, each with its field and what stood there', async () => {
    const bad = {
      id: 0,
      candidate_id: 1.5,
      job_id: 7,
      stage: ' ',
      status: 1,
      applied_on: '2026-02-30',
      rating: '5',
      more: 1,
    }
    const said = await bring('applications', 'ndjson', lines(JSON.stringify(bad)))
    assert.deepEqual(told(said), [
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

  it('refuses a last day before the first, a required name of blanks, and JSON that is none', async () => {
    const leave = await bring('leave', 'csv', lines('leave_type,from_date,to_date', 'annual,2026-05-02,2026-05-01'))
    assert.deepEqual(told(leave), ['standard input:2: to_date: Input should not be before from_date ("2026-05-01")'])
    const jobs = await bring(
      'jobs',
      'csv',
      lines('title,headcount,filled,status,stages_json', '\u00a0 ,1,0,open,"[1,"'),
    )
    assert.deepEqual(told(jobs), [
      'standard input:2: title: String should have at least 1 character ("\u00a0 ")',
      'standard input:2: stages_json: Input should be valid JSON: not a JSON document ("[1,")',
    ])
  })

  it('tells where a value is taken: in the table, or on an earlier line', async () => {
    const said = await bring('organizations', 'csv', lines('id,name,slug', '900,H,h', '910,I,i', '910,J,a', '911,K,i'))
    assert.deepEqual(told(said), [
      'standard input:2: id: Another record has this value already (900)',
      'standard input:4: id: Line 3 has this value already (910)',
      'standard input:4: slug: Another record has this value already ("a")',
      'standard input:5: slug: Line 3 has this value already ("i")',
    ])
  })

  it('counts a bad line as present while nothing is stored anyway, and as absent when it is skipped', async () => {
    const file = lines('id,status,manager_id', '601,,', '602,active,601', '603,active,602', '604,active,')
    assert.deepEqual(told(await bring('employees', 'csv', file, '--dry-run')), [
      'standard input:2: status: Field required',
    ])
    const said = await bring('employees', 'csv', file, '--skip-bad')
    assert.deepEqual(told(said), [
      'standard input:2: status: Field required',
      'standard input:3: manager_id: No employee has this id (601)',
      'standard input:4: manager_id: No employee has this id (602)',
    ])
    assert.deepEqual(await rowsOf('select id::int from employees where id between 601 and 699'), [[604]])
  })

  it('takes the value of a skipped line for another', async () => {
    const file = lines('id,name,slug', '920,,z', '921,Z,z')
    assert.deepEqual(told(await bring('organizations', 'csv', file, '--skip-bad')), [
      'standard input:2: name: Field required',
    ])
    assert.deepEqual(await rowsOf(`select id::int from organizations where slug = 'z'`), [[921]])
  })

  it('waits for a create that is under way, and tells what it took', async () => {
    await client.query(`begin; insert into organizations (name, slug) values ('First', 'wanted')`)
    const importing = bring('organizations', 'csv', lines('name,slug', 'Second,wanted'))
    const waiting = `select count(*)::int from pg_locks where not granted and relation = 'organizations'::regclass`
    const deadline = Date.now() + 30_000
    while ((await rowsOf(waiting))[0]?.[0] === 0) assert.ok(Date.now() < deadline, 'it never waited')
    await client.query('commit')
    const said = await importing
    assert.deepEqual(
      [said.code, told(said)],
      [1, ['standard input:2: slug: Another record has this value already ("wanted")']],
    )
  })

  it('of two at once that want the same values lets one in and tells the other', async () => {
    const file = lines('name,slug', ...Array.from({ length: 200 }, (_, index) => `Twin,twin-${index}`))
    const both = await Promise.all([bring('organizations', 'csv', file), bring('organizations', 'csv', file)])
    const [stored, refused] = both.toSorted((a, b) => a.code - b.code)
    assert.deepEqual([stored?.code, refused?.code, refused && told(refused).length], [0, 1, 200])
    assert.deepEqual(await rowsOf(`select count(*)::int from organizations where name = 'Twin'`), [[200]])
  })
})

describe('a file that cannot be read as it stands', () => {
  before(connect)
  after(disconnect)

  const refusals: [rule: string, resource: string, input: string | Uint8Array[], sentence: string][] = [
    ['has nothing in it', 'departments', '', 'The file is empty: its first line should name fields of departments.\n'],
    [
      'names a column there is not',
      'employees',
      'id,statsu\n',
      'The first line names a column "statsu", which employees do not have; did you mean status?\n',
    ],
    [
      'names a column like no other',
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
      'lacks a column that has to be there',
      'attendance',
      'employee_id,status\n',
      'The first line lacks the column "att_date", which every attendance record needs.\n',
    ],
    [
      'is separated by semicolons',
      'departments',
      'id;name\n',
      'The columns of the first line should be separated by commas.\n',
    ],
    [
      'never closes a quote',
      'departments',
      'name\nA\n"B\nC\n',
      'The record that begins on line 3 opens a quote and never closes it: close it and try again.\n',
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
      'has a line without end',
      'departments',
      Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024, 'x')),
      'A line is longer than 16 MiB: this is not CSV or NDJSON.\n',
    ],
  ]
  for (const [rule, resource, input, sentence] of refusals) {
    it(`is refused in one sentence when it ${rule}`, async () => {
      const { code, out, err } = await bring(resource, 'csv', input)
      assert.deepEqual([code, out, err.replace(/^Database .+\n/, '')], [1, '', sentence])
    })
  }

  it('is told line by line where a line is at fault', async () => {
    const input = Buffer.concat([
      Buffer.from('\uFEFFid,name\r\n1,One\r\n\r\n2,"T"wo"\r\n3,Th"ree\r\n4\r\n5,Five,5'),
      Buffer.from('\r\n6,S\u0000x\r\n"7","Se\nven"\r\n8,Eight,8'),
    ])
    const said = await bring('departments', 'csv', [input], '--skip-bad')
    assert.deepEqual(told(said), [
      'standard input:4: A closing quote should be followed by a comma',
      'standard input:5: A cell with a quote in it should be quoted, and the quote doubled',
      'standard input:6: The line should have 2 cells like the first line, and has 1',
      'standard input:7: The line should have 2 cells like the first line, and has 3',
      'standard input:8: name: Input should be a valid string, unable to parse raw data as a unicode string ("S\\u0000x")',
      'standard input:11: The line should have 2 cells like the first line, and has 3',
    ])
    assert.deepEqual(await rowsOf('select id::int, name from departments order by id'), [
      [1, 'One'],
      [7, 'Se\nven'],
    ])
  })

  it('is told line by line where a line is not one object', async () => {
    const input = lines('[1]', '{"id": 1', 'null', '{"name": "a", "name": "b"}', '{"name": "say \\"name\\": c"}')
    assert.deepEqual(told(await bring('departments', 'ndjson', input)), [
      'standard input:1: The line should be a JSON object',
      'standard input:2: The line should be a JSON document',
      'standard input:3: The line should be a JSON object',
      'standard input:4: A name stands twice in the object',
    ])
  })
})

describe('an import of a whole folder', () => {
  let folder: string
  before(async () => {
    await connect()
    folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  })
  after(async () => {
    await disconnect()
    await rm(folder, { recursive: true })
  })

  const all = (...options: string[]): Promise<Said> =>
    muster(['import', '--all', folder, ...options], { DATABASE_URL: database.url })

  it('lets files refer to each other, in a circle too, and names the file of each fault', async () => {
    await writeFile(join(folder, 'employees.csv'), lines('id,status,candidate_id', '1,active,1', '2,active,2'))
    await writeFile(join(folder, 'candidates.ndjson'), lines('{"id":1,"status":"hired","referred_by":2}', '{"id":2}'))
    await writeFile(join(folder, 'notes.txt'), 'not a resource')
    const strict = await all()
    assert.deepEqual([strict.code, told(strict)], [1, ['candidates.ndjson:2: status: Field required']])
    const lenient = await all('--skip-bad')
    assert.deepEqual(told(lenient), [
      'candidates.ndjson:1: referred_by: No employee has this id (2)',
      'candidates.ndjson:2: status: Field required',
      'employees.csv:2: candidate_id: No candidate has this id (1)',
      'employees.csv:3: candidate_id: No candidate has this id (2)',
    ])
    await writeFile(
      join(folder, 'candidates.ndjson'),
      lines('{"id":1,"status":"hired","referred_by":2}', '{"id":2,"status":"x"}'),
    )
    assert.equal((await all()).code, 0)
    assert.deepEqual(await rowsOf('select id::int, candidate_id::int from employees order by id'), [
      [1, 1],
      [2, 2],
    ])
  })

  it('is refused where a file is named after no resource, or stands there in both formats', async () => {
    await writeFile(join(folder, 'employes.csv'), '')
    assert.match((await all()).err, /employes\.csv is named after no resource; did you mean employees\.csv\?\n$/)
    await rm(join(folder, 'employes.csv'))
    await writeFile(join(folder, 'employees.ndjson'), '')
    assert.match((await all()).err, / holds employees in both formats: keep one of the files\.\n$/)
  })
})
