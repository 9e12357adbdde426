import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { mapNames, readMap } from '../../src/commands/sync-maps.ts'
import type { OperatorError } from '../../src/errors.ts'
import { parseDateFormat } from '../../src/sync/date-format.ts'
import { parseFieldMap } from '../../src/sync/field-map.ts'
import { sampleNames, samplePath } from './sync-samples.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

describe('muster sync with a map', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-map-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(async () => {
    await database.execute('truncate departments, employees, candidates restart identity cascade')
    await database.execute(
      `insert into departments (name) values ('Management'), ('Sales'), ('Research');
       insert into employees (code, email, status) values ('0', 'lead@example.com', 'active')`,
    )
  })

  const syncSample = (resource: string, name: string, ...options: string[]): Promise<CommandResult> =>
    muster(['sync', resource, samplePath(name), '--map', name, ...options], { DATABASE_URL: database.url })

  /** Writes a map and a file, and syncs the file. */
  const syncMapped = (map: object, ...lines: string[]): Promise<CommandResult> => syncWith(map, ['csv'], ...lines)

  const syncWith = async (
    map: object,
    [format, ...options]: [format: string, ...options: string[]],
    ...lines: string[]
  ): Promise<CommandResult> => {
    const file = join(folder, 'map.json')
    await writeFile(file, JSON.stringify(map))
    const args = ['sync', 'employees', '--format', format, '--map', file, '--at-most', '100%', ...options]
    return muster(args, { DATABASE_URL: database.url }, joinLines(...lines))
  }

  it('names the columns that it does not read, in a dry run only', async () => {
    const map = { resource: 'employees', columns: { No: 'code', Boss: 'ignore', Site: 'branch', Pay: 'ignore' } }
    const constants = { constants: { status: 'active' } }
    const lines = ['No,Boss,Site,Pay', '7,0,Graz,100']
    const { out } = await syncWith({ ...map, ...constants }, ['csv', '--dry-run'], ...lines)
    assert.match(out, /: Not read: Boss, Pay\.$/m)
    const json = await syncWith({ ...map, ...constants }, ['ndjson', '--dry-run'], '{"No":"7"}', '{"No":"8","Pay":1}')
    assert.match(json.out, /: Not read: Pay\.$/m)
    assert.doesNotMatch((await syncWith({ ...map, ...constants }, ['csv'], ...lines)).out, /Not read/)
    const columns = { No: 'code', Boss: 'last_name' }
    const all = await syncWith({ ...map, ...constants, columns }, ['csv', '--dry-run'], 'No,Boss', '7,0')
    assert.doesNotMatch(all.out, /Not read/)
  })

  it('reads candidates of Greenhouse, whose status it sets only when it creates them', async () => {
    assert.equal((await syncSample('candidates', 'greenhouse-candidates')).code, 0)
    assert.deepEqual(
      await database.query('select first_name, current_title, source, referred_by, status from candidates order by id'),
      [
        { first_name: 'Sol', current_title: 'Data Analyst', source: 'referral', referred_by: 1, status: 'active' },
        { first_name: 'Mika', current_title: 'Designer', source: 'job_board', referred_by: null, status: 'active' },
        { first_name: 'Ada', current_title: 'Recruiter', source: 'job_board', referred_by: 1, status: 'active' },
      ],
    )
    await database.execute(`update candidates set status = 'hired' where first_name = 'Sol'`)
    assert.match((await syncSample('candidates', 'greenhouse-candidates')).out, /Nothing to change/)
  })

  it('translates values, dates and constants, and reports what it cannot translate', async () => {
    const map = {
      resource: 'employees',
      date: 'DD.MM.YYYY',
      columns: {
        No: 'code',
        State: { field: 'status', values: { A: 'active' } },
        Since: 'date_of_joining',
        Until: { field: 'termination_date', date: 'Mon DD, YYYY' },
        Boss: { field: 'manager_id', by: 'employees.code' },
        Note: 'ignore',
      },
      constants: { branch: 'Linz' },
    }
    const header = 'No,State,Since,Until,Boss,Note'
    const wrong = await syncMapped(map, header, '7,B,2026-01-01,"Jan 5, 2026",99,x', '8,a,31.02.2026,,7,')
    assert.deepEqual(wrong.out.split('\n').slice(0, -2), [
      'standard input:2: column 5 "Boss" (manager_id): No employee has this code ("99")',
      'standard input:2: column 2 "State" (status): The map has no translation of this value ("B")',
      'standard input:2: column 3 "Since" (date_of_joining): Input should be a valid date of the form DD.MM.YYYY ("2026-01-01", "31.02.2026"; 2 lines: 2, 3)',
    ])
    const right = await syncMapped(map, header, '7,A,1.2.2026,"Mar 5, 2026",8,', '8,a,03.02.2026,,,')
    assert.equal(right.code, 0, right.out)
    assert.deepEqual(
      await database.query(
        `select code, date_of_joining::text as since, termination_date::text as until, branch,
           (select code from employees m where m.id = e.manager_id) as boss
         from employees e where code in ('7', '8') order by code`,
      ),
      [
        { code: '7', since: '2026-02-01', until: '2026-03-05', branch: 'Linz', boss: '8' },
        { code: '8', since: '2026-02-03', until: null, branch: 'Linz', boss: null },
      ],
    )
  })

  describe('looks up a code as it is written', () => {
    const map = {
      resource: 'employees',
      columns: { No: 'code', Boss: { field: 'manager_id', by: 'employees.code' } },
      constants: { status: 'active' },
    }
    const bossOf = async (code: string): Promise<unknown> => {
      const [row] = await database.query<{ boss: string }>(
        `select m.code as boss from employees e join employees m on m.id = e.manager_id where e.code = $1`,
        [code],
      )
      return row?.boss
    }

    for (const [number, stored] of [
      ['9007199254740993', '9007199254740992'],
      ['10.10', '10.1'],
      ['1e400', 'Infinity'],
    ] as const)
      it(`but not as the number ${number}, of which digits are lost`, async () => {
        await database.query('insert into employees (code, status) values ($1, $2)', [stored, 'active'])
        const ndjson = (cell: string) => syncWith(map, ['ndjson'], `{"No":"7","Boss":${cell}}`)
        assert.match(
          (await ndjson(number)).out,
          /^standard input:1: "Boss" \(manager_id\): Input should be a text, because/,
        )
        assert.equal(await bossOf('7'), undefined)
        assert.equal((await ndjson(`"${stored}"`)).code, 0)
        assert.equal(await bossOf('7'), stored)
      })

    for (const code of ['0101', '+101', '-101', '101.0', '1e2', '101e0', '0x65', '１０１', '00', '1_01'])
      it(`which is "${code}"`, async () => {
        await database.execute(`insert into employees (code, status) values ('101', 'active'), ('100', 'active')`)
        const wrong = await syncMapped(map, 'No,Boss', `7,${code}`)
        assert.equal(
          wrong.out.split('\n')[0],
          `standard input:2: column 2 "Boss" (manager_id): No employee has this code ("${code}")`,
        )
        await database.query('insert into employees (code, status) values ($1, $2)', [code, 'active'])
        for (const cell of [code, ` ${code} `]) {
          const right = await syncMapped(map, 'No,Boss', `7,${cell}`)
          assert.equal(right.code, 0, right.out)
          assert.equal(await bossOf('7'), code)
        }
      })

    it('in NDJSON, as text and as a number', async () => {
      await database.execute(`insert into employees (code, status) values ('101', 'active'), ('0101', 'active')`)
      const result = await syncWith(map, ['ndjson'], '{"No":"7","Boss":"0101"}', '{"No":"8","Boss":101}')
      assert.equal(result.code, 0, result.out)
      assert.deepEqual([await bossOf('7'), await bossOf('8')], ['0101', '101'])
    })
  })

  it('refuses numbers that other countries read differently', async () => {
    const map = {
      resource: 'employees',
      columns: { No: 'code', Pay: 'base_salary' },
      constants: { status: 'active' },
    }
    const separator = (sign: string): string =>
      `This number can be read with "${sign}" as the decimal sign or as the thousands separator: let the map decide`
    const rejected: Readonly<Record<string, string>> = {
      '58.000': separator('.'),
      '-1.250': separator('.'),
      '58,000': separator(','),
      '0.125': separator('.'),
      '007': 'This number has leading zeros, so it can be read as a number or as a code: let the map decide',
      '1.234.567': 'Input should be a valid number',
      '1,5': 'Input should be a valid number',
    }
    for (const [cell, reason] of Object.entries(rejected)) {
      const { out } = await syncMapped(map, 'No,Pay', `7,"${cell}"`)
      assert.ok(out.startsWith(`standard input:2: column 2 "Pay" (base_salary): ${reason}`), `${cell}: ${out}`)
    }
    const accepted = { '58000': 58_000, '58.5': 58.5, '0.25': 0.25, '1234.125': 1_234.125, '1.2500': 1.25 }
    for (const [cell, value] of Object.entries(accepted)) {
      const { code, out } = await syncMapped(map, 'No,Pay', `7,${cell}`)
      assert.equal(code, 0, out)
      assert.deepEqual(await database.query(`select base_salary as pay from employees where code = '7'`), [
        { pay: value },
      ])
    }
  })

  it('masks an e-mail address by which no record is found, unless --show-values is given', async () => {
    const map = { resource: 'employees', columns: { No: 'code', Boss: { field: 'manager_id', by: 'employees.email' } } }
    const file = join(folder, 'boss.json')
    await writeFile(file, JSON.stringify(map))
    const firstLineOf = async (...options: string[]) => {
      const args = ['sync', 'employees', '--format', 'csv', '--map', file, ...options]
      return (await muster(args, { DATABASE_URL: database.url }, joinLines('No,Boss', '0,x@example.com'))).out.split(
        '\n',
      )[0]
    }
    const error = 'standard input:2: column 2 "Boss" (manager_id): No employee has this email'
    assert.equal(await firstLineOf(), `${error} (•@•••••••.•••)`)
    assert.equal(await firstLineOf('--show-values'), `${error} ("x@example.com")`)
  })

  it('refuses a reference that two records fit', async () => {
    await database.execute(`insert into departments (name) values ('sales')`)
    const result = await syncSample('employees', 'bamboohr-employees')
    assert.equal(
      result.out.split('\n')[0],
      'bamboohr-employees.csv:3: column 6 "Department" (dept_id): Several departments have this name ("Sales"; 4 lines: 3, 4, 5, …)',
    )
  })

  it('names all unknown columns, each with the nearest known one', async () => {
    const { err } = await syncMapped(
      { resource: 'employees', columns: { 'First Name': 'first_name', Code: 'code' } },
      'Code,Fist Name,Shoe size',
    )
    assert.match(
      err,
      /The map map\.json has no rule for the columns "Fist Name" \(did you mean "First Name"\?\), "Shoe size": copy the map, add each column /,
    )
  })

  it('refuses two columns of one field, in both formats', async () => {
    const map = { resource: 'employees', columns: { No: 'code', Nr: 'code', State: 'status' } }
    const message = 'The columns "No" and "Nr" are both mapped to code: remove one of them from the file.'
    for (const [format, ...lines] of [
      ['csv', 'No,Nr,State', '7,8,active'],
      ['ndjson', '{"No":"7","State":"active"}', '{"No":"7","Nr":"8","State":"active"}'],
    ] as const) {
      const { code, err } = await syncWith(map, [format], ...lines)
      assert.deepEqual([code, err.split('\n').at(-2)], [1, message], format)
    }
    const either = ['{"No":"7","State":"active"}', '{"Nr":"8","State":"active"}']
    assert.equal((await syncWith(map, ['ndjson'], ...either)).code, 0)
  })

  it('shows the defaults of new records in a dry run', async () => {
    const map = { resource: 'employees', columns: { No: 'code' }, defaults: { status: 'active', branch: 'Linz' } }
    const { out } = await syncWith(map, ['csv', '--dry-run'], 'No', '0', '7')
    assert.equal(out.split('\n')[0], 'created  employees line 3 (code "7"): code "7", branch "Linz", status "active"')
    assert.match(out, /^employees: 1 created, 0 updated, 1 unchanged$/m)
  })

  it('shows codes instead of ids in a dry run, also those of new records', async () => {
    const map = { resource: 'employees', columns: { No: 'code', Boss: { field: 'manager_id', by: 'employees.code' } } }
    const defaults = { status: 'active' }
    const { out } = await syncWith({ ...map, defaults }, ['csv', '--dry-run'], 'No,Boss', '901,902', '902,')
    assert.match(out, /^created {2}employees line 2 \(code "901"\): code "901", manager_id "902", status "active"$/m)
    const changed = await syncWith({ ...map, defaults }, ['csv', '--dry-run'], 'No,Boss', '901,0', '0,')
    assert.match(
      changed.out,
      /^created {2}employees line 2 \(code "901"\): code "901", manager_id "0", status "active"$/m,
    )
    await syncWith({ ...map, defaults }, ['csv'], 'No,Boss', '901,0', '902,', '0,')
    const moved = await syncWith({ ...map, defaults }, ['csv', '--dry-run'], 'No,Boss', '901,902')
    assert.match(moved.out, /^updated {2}employees \d+ \(code "901"\): manager_id "0" → "902"$/m)
  })

  it('refuses a map for another resource', async () => {
    const result = await muster(['sync', 'jobs', samplePath('personio-employees'), '--map', 'personio-employees'], {
      DATABASE_URL: database.url,
    })
    assert.match(result.err, /^The map personio-employees is for employees, not for jobs\./)
  })
})

describe('a map', () => {
  it('is valid if this release contains it, and it has a sample', async () => {
    const names = await mapNames()
    assert.deepEqual(names, [...sampleNames])
    for (const name of names) assert.equal((await readMap(name)).name, name)
  })

  const invalid: readonly [document: unknown, message: RegExp][] = [
    ['{', /The map m is not a JSON document\./],
    [
      `{
        "resource": "employees",
        "columns": {
          "Vorgesetzter": { "field": "manager_id", "by": "employees.code" },
          "Status": [{ "field": "status", "values": { "Aktiv": "active",
            "Weg": "terminated", "\\u0041ktiv": "pending" } }],
          "Vorgesetzter": "ignore"
        },
        "skip_where": { "Vorgesetzter": "Summe" },
        "skip_where": { "Vorgesetzter": "Gesamt" }
      }`,
      /The map m has keys that occur twice in an object, .*:\n {2}line 6: "Aktiv"\n {2}line 7: "Vorgesetzter"\n {2}line 10: "skip_where"$/,
    ],
    [
      JSON.stringify({
        resource: 'employees',
        columns: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`C${index}`, 'ignore'])),
      }).replace('"C199"', '"C7"'),
      /has keys that occur twice in an object, .*:\n {2}line 1: "C7"$/,
    ],
    [[], /The map m is invalid: it should be an object\./],
    [{}, /The map m needs a "resource"\./],
    [{ resource: 'employes' }, /names the unknown resource "employes"; did you mean employees\?/],
    [{ resource: 'employees', colums: {} }, /is invalid: it has an unknown member "colums"; did you mean columns\?/],
    [{ resource: 'employees', columns: { A: 'statsu' } }, /names the field "statsu".+did you mean status\?/],
    [
      { resource: 'employees', columns: { A: { field: 'code', form: 'x' } } },
      /the column "A" has an unknown member "form"/,
    ],
    [{ resource: 'employees', columns: { A: { field: 'code', by: 'jobs.code' } } }, /but code is not a reference\./],
    [
      { resource: 'employees', columns: { A: { field: 'dept_id', by: 'jobs.code' } } },
      /looks up dept_id in jobs, but dept_id refers to departments/,
    ],
    [
      { resource: 'employees', columns: { A: { field: 'status', values: { x: {} } } } },
      /is invalid: "x" in "values" of the column "A" should be a string, a number or null\./,
    ],
    [{ resource: 'employees', date: 'YY/M/D' }, /has an invalid date format "YY\/M\/D"/],
    [{ resource: 'employees', date: ['DD.MM.YYYY', 'D'] }, /has an invalid date format "D"/],
    [{ resource: 'employees', delimiter: ':' }, /is invalid: "delimiter" is ":"\. Use ",", ";", "\\t", "\|", "auto"\./],
    [
      { resource: 'employees', encoding: 'utf8' },
      /is invalid: "encoding" is "utf8"; did you mean utf-8\? Use "utf-8",/,
    ],
    [{ resource: 'employees', decimal: ';' }, /is invalid: "decimal" is ";"/],
    [{ resource: 'employees', thousands: ',' }, /is invalid: "thousands" needs "decimal" too\./],
    [{ resource: 'employees', decimal: ',', thousands: ',' }, /"decimal" and "thousands" are both ","/],
    [{ resource: 'employees', skip_rows: 2 }, /"skip_rows" should be a list of line numbers, such as \[1, 2\]\./],
    [
      { resource: 'employees', columns: { A: { field: 'code', unsure: 'Which?' } } },
      /is a draft with 1 open question\. Decide each, and remove it from "unsure":\n {2}column "A": Which\?$/,
    ],
    [
      {
        resource: 'employees',
        unsure: { encoding: 'Is it?' },
        columns: {
          A: 'code',
          B: [{ field: 'status', unsure: 'Why?' }, 'alumni'],
          C: { field: 'statsu', unsure: 'Who?' },
        },
      },
      /with 3 open questions\. .*:\n {2}"encoding": Is it\?\n {2}column "B": Why\?\n {2}column "C": Who\?$/,
    ],
    [{ resource: 'employees', unsure: 'What?' }, /is invalid: "unsure" should be an object\./],
    [{ resource: 'employees', skip_where: 'Total' }, /"skip_where" should be an object of columns and values, such as/],
    [
      { resource: 'employees', columns: { Number: 'code' }, skip_where: { Numbr: 'Total' } },
      /names the column "Numbr" in "skip_where", but not in "columns"; did you mean Number\?/,
    ],
    [
      { resource: 'employees', columns: { Nr: 'code' }, skip_where: { Nr: [1] } },
      /"Nr" in "skip_where" should be a text or a list of texts\./,
    ],
    [
      { resource: 'employees', time_zone: 'Wien' },
      /"time_zone" is "Wien"\. Use a name such as "Europe\/Vienna" or "UTC"\./,
    ],
    [{ resource: 'employees', constants: { cod: 1 } }, /names the field "cod"/],
    [{ resource: 'employees', constants: [] }, /is invalid: "constants" should be an object\./],
    [{ resource: 'employees', columns: 'code' }, /is invalid: "columns" should be an object\./],
    [
      { resource: 'employees', defaults: { code: true } },
      /is invalid: "code" in "defaults" should be a string, a number or null\./,
    ],
  ]
  for (const [document, message] of invalid) {
    it(`is refused if it is ${JSON.stringify(document).slice(0, 200)}`, () => {
      assert.throws(
        () => parseFieldMap(typeof document === 'string' ? document : JSON.stringify(document), 'm'),
        (error: OperatorError) => message.test([error.message, ...error.details].join('\n  ')),
      )
    })
  }
})

describe('a date format', () => {
  it('reads dates of its form only', () => {
    assert.equal(parseDateFormat('MM/DD/YYYY')?.read('3/9/2026'), '2026-03-09')
    assert.equal(parseDateFormat('DD-Mon-YYYY')?.read('09-mAr-2026'), '2026-03-09')
    assert.equal(parseDateFormat('DD-Mon-YYYY')?.read('09-xyz-2026'), undefined)
    assert.equal(parseDateFormat('DD.MM.YYYY')?.read('09x03x2026'), undefined)
    assert.equal(parseDateFormat('YYYYMMDD')?.read('20260309'), '2026-03-09')
    assert.equal(parseDateFormat('DDMMYYYY')?.read('09032026'), '2026-03-09')
    assert.equal(parseDateFormat('DDMonYYYY')?.read('9Mar2026'), '2026-03-09')
    for (const format of ['YYYYMMDD', 'DDMMYYYY', 'YYYYMM-DD'])
      assert.equal(parseDateFormat(format)?.read(format === 'YYYYMM-DD' ? '20261-11' : '2026111'), undefined)
    for (const wrong of ['YYYY', 'YYYY-MM-DD-DD', 'YYYY-MM-DDx', 'MM Mon YYYY'])
      assert.equal(parseDateFormat(wrong), undefined)
  })
})
