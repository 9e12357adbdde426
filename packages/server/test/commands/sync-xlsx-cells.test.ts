/** Cells of Excel files that show something else than they store, and files of other programs than Excel. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { RowError, RowErrorGroup } from '../../src/import-export/row-error.ts'
import { describeRowErrors } from '../../src/import-export/row-error.ts'
import type { InputRow } from '../../src/import-export/row-reader.ts'
import { parseFieldMap } from '../../src/sync/field-map.ts'
import { openMappedReader } from '../../src/sync/mapped-reader.ts'
import type { SheetParts } from './sheet-file.ts'
import { numberCell, sheetFile, sheetRows } from './sheet-file.ts'
import { readParts, sheetPart } from './sheet-variants.ts'
import { zipFile } from './zip-file.ts'

const map = {
  resource: 'employees',
  skip_rows: [],
  columns: {
    No: 'code',
    Name: 'last_name',
    Pay: 'base_salary',
    Since: { field: 'date_of_joining' },
    Active: { field: 'status', values: { TRUE: 'active', FALSE: 'terminated', '80%': 'on_leave' } },
    Note: 'ignore',
  },
  defaults: { status: 'active' },
}

const parsedMap = parseFieldMap(JSON.stringify(map), 'of the test')

interface CellResult {
  readonly value: unknown
  readonly message: string | undefined
}

const openGroup = ({ input, readings, ...error }: RowError): RowErrorGroup => ({
  ...error,
  count: 1,
  firstLines: [error.line],
  examples: [{ input, ...(readings === undefined ? {} : { readings }) }],
})

describe('muster sync of cells in an Excel file', () => {
  let database: TestDatabase
  let folder: string
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-cells-'))
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => database.execute('delete from employees'))

  const syncBytes = async (bytes: Uint8Array, members: object = {}, ...options: string[]): Promise<CommandResult> => {
    const [file, mapFile] = [join(folder, 'staff.xlsx'), join(folder, 'map.json')]
    await writeFile(file, bytes)
    await writeFile(mapFile, JSON.stringify({ ...map, ...members }))
    return muster(['sync', 'employees', file, '--map', mapFile, ...options], { DATABASE_URL: database.url })
  }
  const sync = (parts: SheetParts, members?: object, ...options: string[]): Promise<CommandResult> =>
    syncBytes(sheetFile(parts), members, ...options)
  const stored = (): Promise<object[]> =>
    database.query(
      `select code, last_name as name, base_salary as pay, date_of_joining::text as since, status from employees order by code`,
    )
  const record = { code: '1', name: null, pay: null, since: null, status: 'active' }

  /** The second line of a sheet with one column beside the number of the employee. */
  const readCell = async (column: string, cell: string, format?: string): Promise<CellResult> => {
    const rows = sheetRows(['No', column], ['1', cell])
    const bytes = sheetFile({ rows, formats: format === undefined ? [] : [format] })
    const source = {
      resource: parsedMap.resource,
      format: 'xlsx',
      name: 'staff.xlsx',
      bytes: () => Readable.from([bytes]),
    } as const
    const reader = openMappedReader(parsedMap, source, { skipBad: false, dryRun: false })
    const [row] = (await Readable.from(reader.rows).toArray()).flat() as InputRow[]
    const field = parsedMap.columns.get(column)?.[0]?.field.name
    const [error] = row?.errors ?? []
    return {
      value: row?.inputs[parsedMap.resource.storedFields.findIndex(({ name }) => name === field)],
      message:
        error === undefined || reader.locate === undefined
          ? undefined
          : describeRowErrors('staff.xlsx', openGroup(reader.locate(error, row))),
    }
  }
  const readAs = async (column: string, cell: string, format?: string): Promise<unknown> => {
    const { value, message } = await readCell(column, cell, format)
    assert.equal(message, undefined)
    return value
  }
  const messageOf = async (column: string, cell: string, format?: string): Promise<string> => {
    const { message } = await readCell(column, cell, format)
    return message ?? ''
  }

  describe('a number', () => {
    it('is rounded to the 15 digits that Excel shows', async () => {
      for (const [cell, pay] of [
        ['0.30000000000000004', 0.3],
        ['57999.999999999993', 58_000],
        ['4833.3333333333303', 4_833.333_333_333_33],
        ['1.0000000000000002E5', 100_000],
      ] as const)
        assert.equal(await readAs('Pay', numberCell(cell)), pay)
      assert.equal(await readAs('Name', numberCell('4711.0000000000009')), '4711')
    })

    it('is read as stored if its format only rounds it, groups its digits or adds a currency', async () => {
      for (const format of ['#,##0', '#,##0.00\\ "€"', '0', '[Red]-0;0', '_-* #,##0.00\\ [$€-407]_-', '#,##0,'])
        assert.equal(await readAs('Pay', numberCell('58000.5', 1), format), 58_000.5)
    })

    it('becomes text only if its format shows nothing but its digits', async () => {
      for (const [format, name] of [
        ['General', '42'],
        ['@', '42'],
        ['0', '42'],
        ['00000', '00042'],
        ['00000;-00000;;@', '00042'],
        ['0_ ;[Red]\\-0\\ ', '42'],
      ] as const)
        assert.equal(await readAs('Name', numberCell(42, 1), format), name)
      for (const format of ['"E"0000', '000-00', '0.00', '#,##0', '0000\\-0', '0E+00', ';;;'])
        assert.equal(
          await messageOf('Name', numberCell(42, 1), format),
          'staff.xlsx:2: column B "Name" (last_name): The format of the cell shows more than the digits of this number: format the column as text, and write what it shows ("42")',
        )
    })

    it('that is a percentage is refused, with both readings', async () => {
      for (const format of ['0%', '0.0 %', '0.00%;[Red]-0.00%'])
        assert.equal(
          await messageOf('Pay', numberCell('0.28999999999999998', 1), format),
          'staff.xlsx:2: column B "Pay" (base_salary): The cell of the sheet is a percentage: write it as a number or as text ("29%": 0.29 or 29)',
        )
      assert.match(
        await messageOf('Name', numberCell('0.5', 1), '0%'),
        /is a percentage: write it as a number or as text/,
      )
      assert.equal(await readAs('Active', numberCell('0.8', 1), '0%'), 'on_leave')
    })

    it('that is a duration or a time without a date is refused', async () => {
      for (const [value, format, shown] of [
        [0.33, '[h]:mm', '7:55'],
        [65.5, '[h]:mm:ss', '1572:00'],
        [65.5, '[hh]:mm', '1572:00'],
        [65.5, '[mm]', '1572:00'],
        [45_000.5, 'hh:mm', '1080012:00'],
        [0.5, 'h:mm AM/PM', '12:00'],
        [0.5, '[$-409]h:mm', '12:00'],
      ] as const)
        for (const column of ['Pay', 'Since', 'Name'])
          assert.match(
            await messageOf(column, numberCell(value, 1), format),
            new RegExp(
              `column B .*: The cell of the sheet is a duration, or a time without a date: .* \\("${shown}"\\)$`,
            ),
          )
    })

    it('is refused if it is none, or if its cell has an unknown type', async () => {
      for (const value of ['0x10', '1e999', 'x', 'NaN', '1 000'])
        assert.match(
          await messageOf('Pay', numberCell(value)),
          /column B "Pay" .*: The cell of the sheet is not a number/,
        )
      assert.match(await messageOf('Pay', '<c t="q"><v>1</v></c>'), /The cell of the sheet has the unknown type "q"/)
    })
  })

  describe('a date', () => {
    it('is recognized by its format', async () => {
      for (const format of [
        'dd/mm/yyyy',
        'd. mmmm yyyy',
        '[$-407]d. mmm yyyy;@',
        'yyyy\\-mm\\-dd hh:mm',
        'mmm-yy',
        'mmmm',
        'm/d/yy h:mm',
      ])
        assert.equal(await readAs('Since', numberCell('43831', 1), format), '2020-01-01')
    })

    it('is not changed by what a calculation leaves', async () => {
      assert.equal(await readAs('Since', numberCell('43830.999999999993', 1), 'yyyy-mm-dd'), '2020-01-01')
    })

    it('is not recognized by letters that are text, or by colours', async () => {
      for (const format of ['0 "days"', '[Red]0', '0\\d', '0_d', '[Yellow]0'])
        assert.match(await messageOf('Since', numberCell('43831', 1), format), /is a number, not a date/)
    })

    it('may be stored as text, as in strict files, but not with a zone that can change the day', async () => {
      for (const value of ['2020-01-01', '2020-01-01T00:00:00', '2020-01-01T00:00:00Z', '2020-01-01T10:30:00.000'])
        assert.equal(await readAs('Since', `<c t="d"><v>${value}</v></c>`), '2020-01-01')
      assert.match(await messageOf('Since', '<c t="d"><v>2019-12-31T23:00:00Z</v></c>'), /its day depends on the zone/)
      assert.match(await messageOf('Since', '<c t="d"><v>T10:30:00</v></c>'), /is a time without a date/)
    })
  })

  it('TRUE and FALSE need a translation', async () => {
    assert.equal(await readAs('Active', '<c t="b"><v>0</v></c>'), 'terminated')
    assert.equal(
      await messageOf('Name', '<c t="b"><v>1</v></c>'),
      'staff.xlsx:2: column B "Name" (last_name): The cell of the sheet is TRUE or FALSE: translate both with "values" in the rule of the column ("TRUE")',
    )
    assert.match(await messageOf('Active', '<c t="b"><v>2</v></c>'), /neither TRUE nor FALSE/)
  })

  it('an error is refused', async () => {
    for (const error of ['#N/A', '#DIV/0!', '#REF!'])
      for (const cell of [`<c t="e"><v>${error}</v></c>`, `<c t="e"><f>A9</f><v>${error}</v></c>`, error])
        assert.equal(
          await messageOf('Pay', cell),
          `staff.xlsx:2: column B "Pay" (base_salary): The cell is an error of the spreadsheet ("${error}")`,
        )
  })

  describe('a formula', () => {
    it('is read as its stored value', async () => {
      assert.equal(await readAs('Pay', '<c><f>29000*2</f><v>58000</v></c>'), 58_000)
      assert.equal(await readAs('Name', '<c t="str"><f>"A"</f><v>A_x0041_</v></c>'), 'AA')
      assert.equal(await readAs('Name', '<c t="str"><f>""</f><v></v></c>'), null)
    })

    it('without a stored value is refused', async () => {
      for (const cell of ['<c><f>A9</f></c>', '<c><f>A9</f><v></v></c>', '<c t="str"><f>A9</f></c>'])
        assert.match(await messageOf('Pay', cell), /column B "Pay" \(base_salary\): The formula has no stored value/)
    })

    it('is refused if the program that wrote the file did not calculate it', async () => {
      const rows = sheetRows(['No', 'Pay', 'Note'], ['1', '<c><f>29000*2</f><v>0</v></c>', '<c><f>1</f><v>0</v></c>'])
      for (const attribute of ['fullCalcOnLoad="1"', 'fullCalcOnLoad="true"', 'calcCompleted="0"']) {
        const { code, out } = await sync({ rows, workbook: `<calcPr ${attribute}/>` })
        assert.equal(code, 1)
        assert.match(out, /^staff\.xlsx:2: column B "Pay" \(base_salary\): The formula has not been calculated by the/)
        assert.doesNotMatch(out, /column C/)
      }
      assert.equal((await sync({ rows, workbook: '<calcPr calcId="191029"/>' })).code, 0)
    })
  })

  describe('merged cells', () => {
    const rows = sheetRows(
      ['Staff'],
      ['No', 'Name', 'Pay', 'Note'],
      ['1', 'A', '', ''],
      ['', '', '', ''],
      ['2', 'B', '', ''],
    )
    const merged = (references: readonly string[]): string =>
      `<mergeCells>${references.map((reference) => `<mergeCell ref="${reference}"/>`).join('')}</mergeCells>`

    it('are refused if the map reads one that has no value', async () => {
      for (const [references, place, shown] of [
        [['B3:C3'], 'Line 3, column C "Pay"', 'B3:C3'],
        [['B3:B5'], 'Line 5, column B "Name"', 'B3:B5'],
        [['A1:D1', 'C2:C5'], 'Line 3, column C "Pay"', 'C2:C5'],
        [['A1:D3'], 'Line 3, column A "No"', 'A1:D3'],
        [['A1:XFD1048576'], 'Line 3, column A "No"', 'A1:XFD1048576'],
      ] as const) {
        const { code, err } = await sync({ rows, after: merged(references) }, { skip_rows: [1] }, '--skip-bad')
        assert.equal(code, 1)
        assert.equal(
          err.trimEnd().split('\n').at(-1),
          `${place}: the cells ${shown} are merged, so only the first of them has a value. Unmerge them, and fill in each cell.`,
        )
        assert.deepEqual(await stored(), [])
      }
    })

    it('are read as their first cell if the others are above the records, in empty rows or in ignored columns', async () => {
      const references = ['A1:D1', 'B2:B2', 'C3:D3', 'D3:D5', 'A4:D4', 'A5:A9', 'E1:F9']
      const { code, out, err } = await sync({ rows, after: merged(references) }, { skip_rows: [1] })
      assert.equal(code, 0, out + err)
      assert.deepEqual(await stored(), [
        { ...record, name: 'A' },
        { ...record, code: '2', name: 'B' },
      ])
    })

    it('may be many', async () => {
      const references = Array.from({ length: 100_000 }, (_, index) => `A${index + 6}:D1048576`)
      assert.equal((await sync({ rows, after: merged(references) }, { skip_rows: [1] })).code, 0)
    })

    it('are refused if they are no range', async () => {
      for (const reference of ['', 'B3', 'B5:B3', 'C1:B1', 'A1:A1048577', 'A0:A1']) {
        const { err } = await sync({ rows, after: merged([reference]) }, { skip_rows: [1] })
        assert.match(err, /staff\.xlsx cannot be read: it has the wrong merged cells/, reference)
      }
    })
  })

  describe('what is hidden', () => {
    it('is read, and the output says so', async () => {
      const rows = sheetRows(['No', 'Name', 'Pay', 'Note'], ['1', 'A', '', ''], ['2', 'B', '', ''], ['', '', '', ''])
        .replace('<row r="1">', '<row r="1" hidden="1">')
        .replace('<row r="3">', '<row r="3" hidden="true">')
        .replace('<row r="4">', '<row r="4" hidden="1">')
      const hiddenColumns =
        '<cols><col min="1" max="1" width="9"/><col min="2" max="2" hidden="1"/><col min="4" max="16384" hidden="true"/></cols>'
      const { code, out } = await sync({ rows, before: hiddenColumns })
      assert.equal(code, 0, out)
      assert.match(out, /^staff\.xlsx: read 1 row \(line 3\) that the sheet hides, such as by a filter$/m)
      assert.match(out, /^staff\.xlsx: read columns that the sheet hides: column B "Name"$/m)
      assert.equal((await stored()).length, 2)
      assert.doesNotMatch((await sync({ rows: sheetRows(['No'], ['1']) })).out, /hides/)
    })

    it('is refused if it is the first sheet', async () => {
      for (const state of ['hidden', 'veryHidden']) {
        const { code, err } = await sync({ rows: sheetRows(['No'], ['1']), sheet: `state="${state}"` })
        assert.equal(code, 1)
        assert.match(
          err,
          /^The first sheet of staff\.xlsx, "Staff", is hidden: show it, or make the sheet with the records/m,
        )
      }
      assert.equal((await sync({ rows: sheetRows(['No'], ['1']), sheet: 'state="visible"' })).code, 0)
    })
  })

  describe('XML', () => {
    const rows = sheetRows(['No', 'Name', 'Since'], ['1', 'A', numberCell('43831', 1)])
    const formats = ['yyyy-mm-dd']
    const expected = [{ ...record, name: 'A', since: '2020-01-01' }]

    it('may be strict Open XML, and have prefixes', async () => {
      for (const parts of [{ isStrict: true }, { prefix: 'x:' }, { isStrict: true, prefix: 'main:' }] as const) {
        const { code, out, err } = await sync({ rows, formats, ...parts })
        assert.equal(code, 0, out + err)
        assert.deepEqual(await stored(), expected)
        await database.execute('delete from employees')
      }
    })

    it('of other namespaces is left out', async () => {
      const other = 'urn:example:other'
      const foreign = [
        `<ext xmlns:o="${other}"><o:row r="9"><o:c><o:v>9</o:v></o:c></o:row><o:mergeCell ref="A1:B2"/></ext>`,
        `<ext xmlns="${other}"><row r="9"><c><v>9</v></c></row><mergeCell ref="A1:B2"/></ext><mergeCells/>`,
      ]
      for (const after of foreign) {
        const { code, out, err } = await sync({ rows, formats, after })
        assert.equal(code, 0, out + err)
        assert.deepEqual(await stored(), expected)
        await database.execute('delete from employees')
      }
      const inCell = rows.replace('</v>', `</v><v xmlns="${other}">9</v>`)
      assert.equal((await sync({ rows: inCell, formats })).code, 0)
      assert.deepEqual(await stored(), expected)
    })

    it('of another namespace than those of Excel is refused', async () => {
      const parts = (await readParts()).map((part) =>
        part.path === sheetPart
          ? {
              ...part,
              content: Buffer.from(part.content.toString().replace('spreadsheetml/2006', 'spreadsheetml/2099')),
            }
          : part,
      )
      const { code, err } = await syncBytes(zipFile(parts))
      assert.equal(code, 1)
      assert.match(err, /^staff\.xlsx cannot be read: its element worksheet is not in a namespace of Excel\./m)
    })

    it('with rows in two places, or a cell of another row, is refused', async () => {
      const twice = await sync({ rows, formats, after: '<sheetData><row r="9"/></sheetData>' })
      assert.match(twice.err, /cannot be read: row 9 is not among the other rows/)
      const moved = await sync({ rows: '<row r="1"><c r="A2"><v>1</v></c></row>' })
      assert.match(moved.err, /cannot be read: row 1 has a wrong cell, column A2/)
    })
  })

  it('a file with a wrong checksum is refused', async () => {
    const file = sheetFile({ rows: sheetRows(['No', 'Pay'], ['1', numberCell(58_000)]) })
    const directory = file.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
    for (let at = directory, part = 0; part < 5; part += 1) {
      const damaged = Buffer.from(file)
      damaged.writeUInt32LE((damaged.readUInt32LE(at + 16) ^ 1) >>> 0, at + 16)
      const { code, err } = await syncBytes(damaged)
      assert.equal(code, 1)
      assert.match(err, /^staff\.xlsx is not a valid \.xlsx file \(the checksum of .* is wrong\)/m)
      assert.deepEqual(await stored(), [])
      at = file.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'), at + 4)
    }
  })
})
