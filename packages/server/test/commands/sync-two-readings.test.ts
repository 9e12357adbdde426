/** What can be read in two ways is an error that names both readings, until the map decides it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { parseDateFormat } from '../../src/sync/date-format.ts'
import { readTime } from '../../src/sync/time-format.ts'

const employees = {
  resource: 'employees',
  columns: { No: 'code', Name: 'last_name', Pay: 'base_salary', Until: 'termination_date', State: 'status' },
  defaults: { status: 'active' },
}

describe('muster sync of values that can be read in two ways', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-readings-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => database.execute('truncate employees, candidates restart identity cascade'))

  const sync = async (
    map: { readonly resource: string; readonly [member: string]: unknown },
    file: string,
    { format = 'csv', options = [] }: { readonly format?: string; readonly options?: readonly string[] } = {},
  ): Promise<CommandResult> => {
    await writeFile(join(folder, 'map.json'), JSON.stringify(map))
    await writeFile(join(folder, `staff.${format}`), file)
    const args = ['sync', map.resource, join(folder, `staff.${format}`), '--map', join(folder, 'map.json'), ...options]
    return muster(args, { DATABASE_URL: database.url })
  }

  const firstLineOf = async (...args: Parameters<typeof sync>): Promise<string> =>
    (await sync(...args)).out.split('\n')[0] ?? ''

  describe('a number with leading zeros', () => {
    const reason =
      'staff.csv:2: column 2 "Pay" (base_salary): This number has leading zeros, so it can be read as a number or as a code: let the map decide with "decimal" in the rule of the column'

    for (const cell of ['007', '-07', '00', '00.5', '007500.00'])
      it(`such as ${cell} is refused, with both readings`, async () => {
        assert.equal(await firstLineOf(employees, `No,Pay\n1,${cell}\n`), `${reason} (${cell.replaceAll(/\d/g, '•')})`)
        assert.equal(
          await firstLineOf(employees, `No,Pay\n1,${cell}\n`, { options: ['--show-values'] }),
          `${reason} ("${cell}": ${Number(cell)} or the code ${cell})`,
        )
      })

    it('is read if the rule of the column has "decimal"', async () => {
      const columns = { ...employees.columns, Pay: { field: 'base_salary', decimal: '.' } }
      assert.equal((await sync({ ...employees, columns }, 'No,Pay\n007,0058000.50\n')).code, 0)
      assert.deepEqual(await database.query('select code, base_salary as pay from employees'), [
        { code: '007', pay: 58_000.5 },
      ])
    })
  })

  it('shows both readings of a separator with --show-values, and no part of them without', async () => {
    const reason =
      'staff.csv:2: column 2 "Pay" (base_salary): This number can be read with "." as the decimal sign or as the thousands separator: let the map decide with "decimal" in the rule of the column'
    const readings = { '58.000': '58 or 58000', '0.500': '0.5 or 500', '1.250': '1.25 or 1250' }
    for (const [cell, values] of Object.entries(readings)) {
      const file = `No,Pay\n1,${cell}\n`
      assert.equal(
        await firstLineOf(employees, file, { options: ['--show-values'] }),
        `${reason} ("${cell}": ${values})`,
      )
      const { out } = await sync(employees, file)
      assert.equal(out.split('\n')[0], `${reason} (${cell.replaceAll(/\d/g, '•')})`)
    }
    const columns = { ...employees.columns, Pay: { field: 'base_salary', decimal: '.' } }
    assert.equal((await sync({ ...employees, columns }, 'No,Pay\n1,0.500\n')).code, 0)
  })

  describe('a time without a zone', () => {
    const candidates = {
      resource: 'candidates',
      columns: { Mail: 'email', Added: 'created' },
      defaults: { status: 'active' },
    }
    const createdOf = async (members: object, cell: string): Promise<unknown> => {
      const { code, out } = await sync({ ...candidates, ...members }, `Mail,Added\na@example.com,"${cell}"\n`, {
        options: ['--at-most', '100%'],
      })
      if (code !== 0) return out.split('\n')[0]?.replace('staff.csv:2: column 2 "Added" (created): ', '')
      const [row] = await database.query<{ at: string }>(
        `select to_char(created at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as at from candidates`,
      )
      return row?.at
    }

    it('is refused until the map names the zone', async () => {
      for (const cell of ['2026-03-02 10:15', '2026-03-02T10:15:30', '2026-03-02'])
        assert.equal(
          await createdOf({}, cell),
          `This time has no time zone: add "time_zone" to the map, such as "Europe/Vienna" or "UTC" ("${cell}")`,
        )
      assert.equal(await createdOf({ time_zone: 'Europe/Vienna' }, '2026-03-02 10:15'), '2026-03-02 09:15:00')
      assert.equal(await createdOf({ time_zone: 'UTC' }, '2026-03-02'), '2026-03-02 00:00:00')
    })

    it('is read with the zone of the column, in the date format of the map', async () => {
      const columns = { Mail: 'email', Added: { field: 'created', time_zone: 'America/New_York' } }
      const members = { columns, date: 'DD.MM.YYYY', time_zone: 'UTC' }
      assert.equal(await createdOf(members, '02.07.2026 9:15'), '2026-07-02 13:15:00')
      assert.equal(await createdOf(members, '2026-07-02 09:15:00'), '2026-07-02 13:15:00')
    })
  })

  it('joins the errors of one reason to one message with the first lines', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => `${index},N${index},${100 + (index % 90)}.000,active\n`)
    const { out } = await sync(employees, `No,Name,Pay,State\n${lines.join('')}x,y\n`)
    assert.deepEqual(out.trimEnd().split('\n'), [
      'staff.csv:2: column 3 "Pay" (base_salary): This number can be read with "." as the decimal sign or as the thousands separator: let the map decide with "decimal" in the rule of the column (•••.•••; 1200 lines: 2, 3, 4, …)',
      'staff.csv:1202: column 3 "Pay": The line has 2 cells, but the first line has 4: from this column on, cells are missing',
      '1,201 lines read, 1,201 lines rejected: nothing was changed. Fix them, or skip them with --skip-bad.',
    ])
  })

  it('joins the conflicts of one reason too, and counts all', async () => {
    const map = {
      resource: 'employees',
      columns: { No: 'code', Boss: { field: 'manager_id', by: 'employees.code' } },
      defaults: employees.defaults,
    }
    const lines = Array.from({ length: 1_500 }, (_, index) => `${index},x${index % 3}\n`)
    const { out } = await sync(map, `No,Boss\n${lines.join('')}`)
    assert.deepEqual(out.trimEnd().split('\n'), [
      'staff.csv:2: column 2 "Boss" (manager_id): No employee has this code ("x0", "x1", "x2"; 1500 lines: 2, 3, 4, …)',
      '1,500 lines read, 1,500 lines rejected: nothing was changed. Fix them, or skip them with --skip-bad.',
    ])
  })

  it('shows no names of people if the first line is a record', async () => {
    const { code, err } = await sync(employees, '1,Quill,58000\n2,Reed,61000\n')
    assert.equal(code, 1)
    assert.match(
      err,
      /knows none of the 3 cells of line 1 as the name of a column\. The names should be in the first line that "skip_rows" does not skip/,
    )
    assert.doesNotMatch(err, /Quill|58000/)
  })

  describe('in NDJSON', () => {
    const file = '{"No":"1","Until":"31.12.2025"}\n{"No":"2","Until":"12/31/2025"}\n'
    const map = { ...employees, date: 'DD.MM.YYYY' }

    it('errors name the member, and show the value as the file has it', async () => {
      assert.equal(
        await firstLineOf(map, file, { format: 'ndjson', options: ['--show-values'] }),
        'staff.ndjson:2: "Until" (termination_date): Input should be a valid date of the form DD.MM.YYYY ("12/31/2025")',
      )
    })

    it('a value in another format stops the sync even with --skip-bad, as in CSV', async () => {
      const options = ['--skip-bad']
      const dates = { ...employees, date: 'DD/MM/YYYY' }
      const inJson = await sync(dates, '{"No":"1","Until":"12/31/2025"}\n', { format: 'ndjson', options })
      const inCsv = await sync(dates, 'No,Until\n1,12/31/2025\n', { options })
      for (const [result, place] of [
        [inJson, 'Line 1, "Until"'],
        [inCsv, 'Line 2, column 2 "Until"'],
      ] as const)
        assert.equal(
          result.err.trimEnd().split('\n').at(-1),
          `${place} has another format than the map names, so other cells of the column may be misread: correct the map. --skip-bad does not skip this line.`,
        )
      assert.deepEqual(await database.query('select code from employees'), [])
    })

    it('a bad line is skipped, as in CSV', async () => {
      assert.equal(
        (
          await sync(map, file.replace('31.12.2025', '31.02.2025').replace('12/31/2025', '31.12.2025'), {
            format: 'ndjson',
            options: ['--skip-bad'],
          })
        ).code,
        0,
      )
      assert.deepEqual(await database.query('select code from employees'), [{ code: '2' }])
    })

    it('numbers and booleans are translated as text is', async () => {
      const columns = {
        No: 'code',
        State: { field: 'status', values: { 1: 'active', 0: 'terminated', true: 'active' } },
        Former: { field: 'alumni', values: { 1: 0, 0: 1 } },
      }
      const right = '{"No":"1","State":1,"Former":1}\n{"No":"2","State":"0","Former":0}\n{"No":"3","State":true}\n'
      assert.equal((await sync({ ...employees, columns }, right, { format: 'ndjson' })).code, 0)
      assert.deepEqual(await database.query('select code, status, alumni from employees order by code'), [
        { code: '1', status: 'active', alumni: 0 },
        { code: '2', status: 'terminated', alumni: 1 },
        { code: '3', status: 'active', alumni: 0 },
      ])
      assert.match(
        await firstLineOf({ ...employees, columns }, '{"No":"1","Former":2}\n', { format: 'ndjson' }),
        /"Former" \(alumni\): The map has no translation of this value \(2\)$/,
      )
    })
  })
})

describe('a time', () => {
  const zone = 'Europe/Vienna'
  const dates = [parseDateFormat('DD.MM.YYYY')].flatMap((format) => format ?? [])
  const cases: readonly (readonly [text: string, expected: unknown])[] = [
    ['2026-03-02T10:15:00Z', '2026-03-02T10:15:00Z'],
    ['02.03.2026 10:15 UTC', '2026-03-02T10:15Z'],
    ['02.03.2026 10:15:30+01:00', '2026-03-02T10:15:30+01:00'],
    ['02.07.2026 10:15', '2026-07-02T08:15:00Z'],
    ['02.07.2026', '2026-07-01T22:00:00Z'],
    [
      '25.10.2026 02:30',
      /occurs twice in Europe\/Vienna, because clocks are set back.*2026-10-25T00:30:00Z or 2026-10-25T01:30:00Z/,
    ],
    ['29.03.2026 02:30', /does not exist in Europe\/Vienna, because clocks are set forward/],
    ['2.3.26 10:15', /valid date of the form DD\.MM\.YYYY/],
  ]
  for (const [text, expected] of cases)
    it(`is read from ${text}, or refused`, () => {
      const result = readTime({ dates, zone }, text)
      if (expected instanceof RegExp)
        assert.match('reason' in result ? `${result.reason} ${result.readings?.join(' or ')}` : result.value, expected)
      else assert.deepEqual(result, { value: expected })
    })
})
