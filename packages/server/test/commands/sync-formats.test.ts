import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { emptyDatabase, expectedRecords, resourceOf, sampleNames, samplePath, storedRecords } from './sync-samples.ts'

describe('muster sync reads files as HR systems write them', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-formats-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => emptyDatabase(database))

  for (const name of sampleNames)
    it(`${name}, with the map of this release`, async () => {
      const args = ['sync', resourceOf(name), samplePath(name), '--map', name]
      const first = await muster(args, { DATABASE_URL: database.url })
      assert.equal(first.code, 0, first.out + first.err)
      assert.deepEqual(await storedRecords(database, name), expectedRecords[name])
      assert.match((await muster(args, { DATABASE_URL: database.url })).out, /Nothing to change/)
    })

  /** Syncs a file with a map of employees that has the columns No and Pay. */
  const sync = async (members: object, file: string | Uint8Array, ...options: string[]): Promise<CommandResult> => {
    const columns = { No: 'code', Name: 'last_name', Pay: 'base_salary', Since: 'date_of_joining', Note: 'ignore' }
    const map = join(folder, 'map.json')
    const path = join(folder, 'staff.csv')
    await writeFile(map, JSON.stringify({ resource: 'employees', columns, defaults: { status: 'active' }, ...members }))
    await writeFile(path, file)
    return muster(['sync', 'employees', path, '--map', map, ...options], { DATABASE_URL: database.url })
  }
  const stored = () =>
    database.query<{ code: string; name: string; pay: number | null; since: string | null }>(
      `select code, last_name as name, base_salary as pay, date_of_joining::text as since from employees where code <> 'lead' order by code`,
    )
  const lastLineOf = ({ code, err }: CommandResult): string => {
    assert.equal(code, 1)
    return err.trimEnd().split('\n').at(-1) ?? ''
  }

  describe('the delimiter', () => {
    const files = [',', ';', '\t', '|'].map((delimiter) => ({
      delimiter,
      text: [['No', 'Name'].join(delimiter), ['1', `"A${delimiter}B"`].join(delimiter), ''].join('\n'),
    }))
    for (const { delimiter, text } of files)
      it(`is ${JSON.stringify(delimiter)}, because the map says so or because the first line has it`, async () => {
        for (const member of [delimiter, 'auto']) {
          const result = await sync({ delimiter: member }, text)
          assert.equal(result.code, 0, result.out + result.err)
          assert.equal(/^staff\.csv: columns are separated by /m.test(result.out), member === 'auto')
        }
        assert.deepEqual(await stored(), [{ code: '1', name: `A${delimiter}B`, pay: null, since: null }])
      })

    it('is another than the map names', async () => {
      assert.equal(
        lastLineOf(await sync({}, '"No";"Name"\n1;A\n')),
        'The columns of line 1 are separated by semicolons, but the map expects commas: change "delimiter" in the map to ";" or "auto".',
      )
    })

    it('is found by the known columns if names contain other delimiters', async () => {
      const columns = { 'No, as text': 'code', Name: 'last_name' }
      assert.equal((await sync({ columns, delimiter: 'auto' }, 'No, as text;Name\n1;A\n')).code, 0)
    })

    it('cannot be decided', async () => {
      assert.equal(
        lastLineOf(await sync({ delimiter: 'auto' }, 'A;B,C\n1;2,3\n')),
        'The columns of line 1 can be separated by commas or semicolons: name the right "delimiter" in the map.',
      )
    })
  })

  describe('the encoding', () => {
    const text = 'No,Name\n1,Jürgen €\n2,Žofie\n'
    const utf16 = Buffer.from(text, 'utf16le')
    const bytes: Readonly<Record<string, Buffer>> = {
      'utf-8': Buffer.from(text),
      'utf-16le': utf16,
      'utf-16be': Buffer.from(utf16).swap16(),
      'windows-1252': Buffer.from(text.replace('ü', '\u00fc').replace('€', '\u0080').replace('Ž', '\u008e'), 'latin1'),
    }
    const mark = (encoding: string): Buffer =>
      encoding === 'utf-16be'
        ? Buffer.from([0xfe, 0xff])
        : Buffer.from('\ufeff', encoding === 'utf-8' ? 'utf8' : 'utf16le')
    const read = async (result: CommandResult): Promise<void> => {
      assert.equal(result.code, 0, result.out + result.err)
      assert.deepEqual(
        (await stored()).map(({ name }) => name),
        ['Jürgen €', 'Žofie'],
      )
    }

    for (const [encoding, file] of Object.entries(bytes))
      it(`is ${encoding}, as the map says`, async () => read(await sync({ encoding }, file)))

    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'])
      it(`is ${encoding}, as the byte order mark says, whatever the map says`, async () => {
        for (const members of [{}, { encoding: 'windows-1252' }]) {
          const result = await sync(members, Buffer.concat([mark(encoding), bytes[encoding] as Buffer]))
          await read(result)
          const isNote = encoding !== 'utf-8' || 'encoding' in members
          assert.equal(result.out.includes(`read as ${encoding.toUpperCase()}, as its byte order mark says`), isNote)
        }
      })

    it('is another than the map says', async () => {
      const messages = [
        [{}, 'windows-1252', /is not UTF-8: line 2 has the byte 0xFC at position 4\. Add "encoding": "windows-1252"/],
        [{}, 'utf-16le', /has a null byte in line 1 at position 2: if it is UTF-16, add "encoding": "utf-16le"/],
        [{ encoding: 'windows-1252' }, 'utf-16le', /has a null byte in line 1/],
        [
          { encoding: 'windows-1252' },
          'utf-8',
          /is not Windows-1252: line 3 has the byte 0x..|is UTF-8, not Windows-1252 \(first at line 2, position 4\)|column 2/,
        ],
      ] as const
      for (const [members, encoding, message] of messages) {
        const { code, out, err } = await sync(members, bytes[encoding] as Buffer)
        assert.equal(code, 1)
        assert.match(out + err, message)
      }
      assert.deepEqual(await stored(), [])
    })

    it('is UTF-8 although the map says Windows-1252, which only the end of the file shows', async () => {
      const file = `No,Name,Note\n${Array.from({ length: 5_000 }, (_, index) => `${index},A,für\n`).join('')}`
      assert.equal(
        lastLineOf(await sync({ encoding: 'windows-1252' }, file)),
        'staff.csv is UTF-8, not Windows-1252 (first at line 2, position 6): change "encoding" in the map to "utf-8".',
      )
    })

    it('is UTF-16, cut off in the middle of a character', async () => {
      assert.match(
        lastLineOf(await sync({ encoding: 'utf-16le' }, utf16.subarray(0, -1))),
        /half a character follows line 3 or/,
      )
    })
  })

  describe('numbers', () => {
    const payOf = async (members: object, cell: string): Promise<unknown> => {
      const { code, out, err } = await sync({ delimiter: ';', ...members }, `No;Pay\n1;${cell}\n`)
      if (code !== 0) return `${out}${err}`.split('\n')[0]?.replace('staff.csv:2: column 2 "Pay" (base_salary): ', '')
      return (await stored())[0]?.pay
    }
    const german = { decimal: ',', thousands: '.' }
    const ambiguous =
      /can be read with "[.,]" as the decimal sign or as the thousands separator: let the map decide with "decimal" in the rule of the column \(••?[.,]•••\)$/
    const cases: readonly (readonly [members: object, cell: string, pay: number | RegExp])[] = [
      [german, '58.000,50', 58_000.5],
      [german, '58.000', 58_000],
      [german, '58000', 58_000],
      [german, '1.234.567,8', 1_234_567.8],
      [german, '-1.000,00', -1_000],
      [german, '0,875', 0.875],
      [german, '58,000', ambiguous],
      [german, '58,125', ambiguous],
      [german, '0.500', ambiguous],
      [german, '58,000.50', /should be a number with the decimal sign "," and the thousands separator "\."/],
      [german, '58000.50', /should be a number/],
      [german, '5.80', /should be a number/],
      [german, '1.2345,00', /should be a number/],
      [german, '1234.567,00', /should be a number/],
      [german, '1,5E3', /should be a number/],
      [german, '58.000,00 EUR', /should be a number/],
      [{ decimal: ',' }, '58000,50', 58_000.5],
      [{ decimal: ',' }, '58.000', ambiguous],
      [{ decimal: '.', thousands: ',' }, '58,000.50', 58_000.5],
      [{ decimal: '.', thousands: ',' }, '58,000', 58_000],
      [{ decimal: '.', thousands: ',' }, '58.000', ambiguous],
      [{ decimal: '.', thousands: "'" }, "58'000.50", 58_000.5],
      [{ decimal: ',', thousands: ' ' }, '58\u00a0000,50', 58_000.5],
      [{ decimal: ',', thousands: ' ' }, '58\u202f000', 58_000],
      [{}, '58.000', ambiguous],
      [{}, '58000,50', /should be a valid number with a decimal point/],
      [{ columns: { No: 'code', Pay: { field: 'base_salary', decimal: ',' } } }, '58,125', 58.125],
      [
        { columns: { No: 'code', Pay: { field: 'base_salary', decimal: ',', values: { '-': null } } } },
        '-',
        null as never,
      ],
    ]
    for (const [members, cell, pay] of cases)
      it(`read ${JSON.stringify(cell)} with ${JSON.stringify(members)}`, async () => {
        const found = await payOf(members, cell)
        if (pay instanceof RegExp) assert.match(String(found), pay)
        else assert.equal(found, pay)
      })
  })

  describe('dates', () => {
    const sinceOf = async (date: unknown, cell: string): Promise<unknown> => {
      const { code, out } = await sync({ ...(date === undefined ? {} : { date }) }, `No,Since\n1,${cell}\n`)
      return code === 0 ? (await stored())[0]?.since : out.split('\n')[0]
    }

    it('in one of several formats', async () => {
      assert.equal(await sinceOf(['DD.MM.YYYY', 'YYYY-MM-DD'], '2026-02-01'), '2026-02-01')
      assert.equal(await sinceOf(['DD.MM.YYYY', 'YYYY-MM-DD'], '1.2.2026'), '2026-02-01')
      assert.match(
        String(await sinceOf(['DD/MM/YYYY', 'MM/DD/YYYY'], '01/02/2026')),
        /can be read as DD\/MM\/YYYY or MM\/DD\/YYYY: name one format in the rule of the column \("01\/02\/2026": 2026-02-01 or 2026-01-02\)/,
      )
      assert.equal(await sinceOf(['DD/MM/YYYY', 'MM/DD/YYYY'], '02/02/2026'), '2026-02-02')
    })

    it('that the map does not decide are refused', async () => {
      const messages: Readonly<Record<string, RegExp>> = {
        '01/02/2026':
          /can be read as DD\/MM\/YYYY or as MM\/DD\/YYYY: name one as "date" in the map \("01\/02\/2026": 2026-02-01 or 2026-01-02\)/,
        '1.2.2026': /as DD\.MM\.YYYY or as MM\.DD\.YYYY: .*\("1\.2\.2026": 2026-02-01 or 2026-01-02\)/,
        '31.12.2026': /The map does not say how to read this date: add "date" to it, such as DD\.MM\.YYYY/,
        '31.02.2021': /: No calendar day has this date \("31\.02\.2021"\)/,
        '13/13/2021': /: No calendar day has this date/,
        '01/02/26': /The year of this date has two digits, so it can be read in several ways/,
        '2026-01-31T23:00:00Z': /its day depends on the zone: export a date without a time/,
      }
      for (const [cell, message] of Object.entries(messages))
        assert.match(String(await sinceOf(undefined, cell)), message)
      assert.equal(await sinceOf(undefined, '2026-01-31T00:00:00Z'), '2026-01-31')
    })
  })

  it('refuses a file in another format than the map names, even with --skip-bad', async () => {
    const dates = await sync({ date: 'DD/MM/YYYY' }, 'No,Since\n1,01/02/2026\n2,12/31/2026\n', '--skip-bad')
    assert.equal(
      lastLineOf(dates),
      'Line 3, column 2 "Since" has another format than the map names, so other cells of the column may be misread: correct the map. --skip-bad does not skip this line.',
    )
    const numbers = await sync(
      { delimiter: ';', decimal: ',', thousands: '.' },
      'No;Pay\n1;58.000\n2;58,000.50\n',
      '--skip-bad',
    )
    assert.match(lastLineOf(numbers), /^Line 3, column 2 "Pay" has another format than the map names/)
  })

  it('skips the rows that the map names, and empty rows, which it counts', async () => {
    const { code, out } = await sync(
      { skip_rows: [1, 4] },
      'Staff of 2026\n\nNo,Name\nNumber,Family name\n1,A\n,\n" ",\n2,B\n',
    )
    assert.equal(code, 0, out)
    assert.match(out, /^staff\.csv: skipped 2 empty rows \(line 6, 7\)$/m)
    assert.deepEqual(
      (await stored()).map(({ name }) => name),
      ['A', 'B'],
    )
  })

  describe('a row of totals', () => {
    const file = 'No,Name,Pay\n1,A,1\nSUMME,,3\n2,B,2\n Total:,,3\n'

    it('is refused until the map says whether it is one', async () => {
      const { code, out } = await sync({}, file)
      assert.equal(code, 1)
      assert.deepEqual(out.split('\n').slice(0, 2), [
        'staff.csv:3: column 1 "No": This looks like a row of totals, not like a record. If it is, add it to "skip_where" in the map: {"No": "SUMME"}. If such rows are records, write an empty list: {"No": []}',
        'staff.csv:5: column 1 "No": This looks like a row of totals, not like a record. If it is, add it to "skip_where" in the map: {"No": "Total:"}. If such rows are records, write an empty list: {"No": []}',
      ])
      assert.deepEqual(await stored(), [])
    })

    it('is refused with a hint that keeps the value that "skip_where" has already', async () => {
      const { code, out } = await sync({ skip_where: { No: 'Summe' } }, 'No,Name\n1,A\nZwischensumme,\nSumme,\n')
      assert.equal(code, 1)
      assert.match(out, /^staff\.csv:3: .*"skip_where" in the map: \{"No": \["Summe", "Zwischensumme"\]\}\. If such/m)
    })

    it('is skipped with "skip_where", also in NDJSON', async () => {
      const rule = { skip_where: { No: ['Summe', 'Total:'], Pay: [] } }
      const { code, out } = await sync(rule, file)
      assert.equal(code, 0, out)
      assert.match(out, /^staff\.csv: skipped 2 rows \(line 3, 5\), as "skip_where" of the map says$/m)
      assert.deepEqual(
        (await stored()).map(({ name }) => name),
        ['A', 'B'],
      )
      const inJson = await sync(
        rule,
        '{"No":"3","Name":"C"}\n{"No":"summe"}\n',
        '--format',
        'ndjson',
        '--at-most',
        '100%',
      )
      assert.equal(inJson.code, 0, inJson.out + inJson.err)
      assert.match(inJson.out, /skipped 1 row \(line 2\), as "skip_where" of the map says/)
    })

    it('is a record if "skip_where" has an empty list for its column', async () => {
      assert.equal((await sync({ skip_where: { No: [] } }, 'No,Name\nTotal,A\n')).code, 0)
      assert.deepEqual(
        (await stored()).map(({ code }) => code),
        ['Total'],
      )
    })
  })

  it('shows the line and the column of a cell that is missing, too much or damaged', async () => {
    const { out } = await sync(
      {},
      [
        'No,Name,Pay',
        '1,A',
        '2,A,1,x',
        '3,=1+1,1',
        '4,"A"B,1',
        '5,#REF!,1',
        '6,"1,5E+05",1',
        '7,MÃ¼ller,1',
        '8,="A",1',
        '',
      ].join('\n'),
    )
    assert.deepEqual(out.split('\n').slice(0, 8), [
      'staff.csv:2: column 3 "Pay": The line has 2 cells, but the first line has 3: from this column on, cells are missing',
      'staff.csv:3: column 4: The cell has a value, but its column has no name',
      'staff.csv:4: column 2 "Name" (last_name): The cell is a formula: export its value (=•+•)',
      'staff.csv:5: column 2 "Name": A closing quote should be followed by a comma',
      'staff.csv:6: column 2 "Name" (last_name): The cell is an error of the spreadsheet (#•••!)',
      'staff.csv:7: column 2 "Name" (last_name): The spreadsheet has shortened this number: format the column as text (•,••+••)',
      'staff.csv:8: column 2 "Name" (last_name): This text was read in the wrong encoding: check "encoding" in the map (•••••••)',
      'staff.csv:9: column 2 "Name": A cell with a quote in it should be quoted, and the quote doubled',
    ])
  })

  it('reads ="0101" as text, and a column without a name if its cells are empty', async () => {
    const { code, out } = await sync({}, 'No,Name,\n"=""0101""",A,\n')
    assert.equal(code, 0, out)
    assert.equal((await stored())[0]?.code, '0101')
    assert.match(
      (await sync({}, 'No,Name,\n1,A,x\n')).out,
      /^staff\.csv:2: column 3: The cell has a value, but its column has no name$/m,
    )
  })

  it('refuses a column name that occurs twice, unless the map ignores it', async () => {
    assert.equal(
      lastLineOf(await sync({}, 'No,Name,No\n1,A,2\n')),
      'Line 1 names "No" twice, in the columns 1 and 3: remove one of them from the file.',
    )
    assert.equal((await sync({}, 'No,Note,Note\n1,A,2\n')).code, 0)
  })

  it('shows a conflict that the database finds as the file contains it', async () => {
    await database.execute(`insert into employees (code, status) values ('7', 'active')`)
    await writeFile(
      join(folder, 'leave.json'),
      JSON.stringify({
        resource: 'leave',
        date: 'DD.MM.YYYY',
        columns: { Nr: { field: 'employee_id', by: 'employees.code' }, Von: 'from_date', Art: 'leave_type' },
      }),
    )
    const file = join(folder, 'leave.csv')
    await writeFile(file, 'Nr,Art,Von\n7,sick,02.03.2026\n7,sick,02.03.2026\n')
    const args = ['sync', 'leave', file, '--map', join(folder, 'leave.json'), '--key', 'employee_id,from_date']
    const { out } = await muster(args, { DATABASE_URL: database.url })
    assert.equal(
      out.split('\n')[0],
      'leave.csv:3: column 3 "Von" (from_date): Line 2 has this value already ("02.03.2026")',
    )
  })
})
