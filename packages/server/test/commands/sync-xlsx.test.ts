import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { readParts, sheetPart, withPart } from './sheet-variants.ts'
import { emptyDatabase, samplePath } from './sync-samples.ts'
import type { ZipPart } from './zip-file.ts'
import { zipFile } from './zip-file.ts'

describe('muster sync of an Excel file', () => {
  let database: TestDatabase
  let folder: string
  let parts: readonly ZipPart[]
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-xlsx-'))
    parts = await readParts()
  })
  after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => emptyDatabase(database))

  const syncBytes = async (bytes: Uint8Array, ...options: string[]) => {
    const file = join(folder, 'staff.xlsx')
    await writeFile(file, bytes)
    return muster(['sync', 'employees', file, ...options], { DATABASE_URL: database.url })
  }
  const syncSheet = (change: (xml: string) => string) =>
    syncBytes(withPart(parts, sheetPart, change), '--map', 'workday-employees')

  /** A sheet whose first line has the names of fields. */
  const plainSheet = (rows: string): Buffer =>
    withPart(parts, sheetPart, (xml) => xml.replace(/<sheetData>.*<\/sheetData>/, `<sheetData>${rows}</sheetData>`))
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`

  it('says which sheet it reads, and reads standard input', async () => {
    const bytes = await readFile(samplePath('workday-employees'))
    const args = ['sync', 'employees', '--format', 'xlsx', '--map', 'workday-employees']
    const { code, out } = await muster(args, { DATABASE_URL: database.url }, [bytes])
    assert.equal(code, 0, out)
    assert.match(out, /^standard input: read the sheet "All Workers", the first of 2$/m)
  })

  it('names the row and the letters of the column', async () => {
    const { out } = await syncSheet((xml) =>
      xml
        .replace(/<c r="K4" s="1">/, '<c r="K4">')
        .replace(/(<c r="O5" s="3"><f>.*?<\/f>)<v>.*?<\/v>/, '$1')
        .replace(/<c r="O6" s="3"><v>.*?<\/v>/, '<c r="O6" t="str"><v>74,250</v>')
        .replace(/<row r="8">(.*?)<\/row>/, '<row r="8">$1<c r="R8"><v>1</v></c></row>')
        .replace(/<c r="G7" t="s"><v>\d+<\/v>/, '<c r="G7" s="1"><v>45000</v>'),
    )
    assert.deepEqual(out.split('\n').slice(2, 7), [
      'staff.xlsx:4: column K "Hire Date" (date_of_joining): The cell of the sheet is a number, not a date ("41505")',
      'staff.xlsx:5: column O "Annual Base Pay" (base_salary): The formula has no stored value: open the file in Excel and save it',
      'staff.xlsx:6: column O "Annual Base Pay" (base_salary): This number can be read with "," as the decimal sign or as the thousands separator: let the map decide with "decimal" in the rule of the column (••,•••)',
      'staff.xlsx:7: column G "Department" (dept_id): The cell of the sheet is a date ("2023-03-15")',
      'staff.xlsx:8: column R: The cell has a value, but its column has no name',
    ])
  })

  it('refuses an id of which Excel has kept only the first 15 digits', async () => {
    await database.execute(`insert into departments (id, name) values (1234567890123450, 'Other')`)
    const sheet = (cell: string) =>
      plainSheet(
        `<row>${['code', 'status', 'dept_id'].map(text).join('')}</row><row>${text('7')}${text('active')}${cell}</row>`,
      )
    const { code, out } = await syncBytes(sheet('<c><v>1234567890123450</v></c>'))
    assert.deepEqual(
      [code, out.split('\n')[1]],
      [
        1,
        'staff.xlsx:2: column C "dept_id" (dept_id): The cell of the sheet is a number, not text: format the column as text ("1234567890123450")',
      ],
    )
    assert.equal((await syncBytes(sheet(text('1234567890123450')))).code, 0)
  })

  it('needs no map if its columns are named after fields', async () => {
    const rows = `<row>${['code', 'first_name', 'status', 'date_of_joining', 'base_salary'].map(text).join('')}</row>
      <row>${text('7')}${text('A &amp; B')}${text('active')}<c s="1"><v>43831.75</v></c><c><v>1E3</v></c></row>`
    const result = await syncBytes(plainSheet(rows))
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(
      await database.query(
        `select first_name, date_of_joining::text as since, base_salary as pay from employees where code = '7'`,
      ),
      [{ first_name: 'A & B', since: '2020-01-01', pay: 1_000 }],
    )
  })

  it('counts days from 1904 if the workbook does', async () => {
    const workbook = zipFile(
      parts.map((part) => {
        if (part.path === 'xl/workbook.xml')
          return {
            ...part,
            content: Buffer.from(part.content.toString().replace('<workbookPr/>', '<workbookPr date1904="1"/>')),
          }
        return part.path === sheetPart
          ? {
              ...part,
              content: Buffer.from(
                part.content
                  .toString()
                  .replace(
                    /<sheetData>.*<\/sheetData>/,
                    `<sheetData><row>${text('code')}${text('status')}${text('date_of_joining')}</row><row>${text('7')}${text('active')}<c s="1"><v>42369</v></c></row></sheetData>`,
                  ),
              ),
            }
          : part
      }),
    )
    assert.equal((await syncBytes(workbook)).code, 0)
    assert.deepEqual(await database.query(`select date_of_joining::text as since from employees where code = '7'`), [
      { since: '2020-01-01' },
    ])
  })

  const refused: readonly (readonly [about: string, bytes: () => Promise<Uint8Array> | Uint8Array, message: RegExp])[] =
    [
      ['is not a zip archive', () => Buffer.from('code,status\n1,active\n'), /staff\.xlsx is not a valid \.xlsx file/],
      ['is empty', () => new Uint8Array(), /staff\.xlsx is empty/],
      [
        'is an .xls file, or protected',
        () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        /old Excel file \(\.xls\), or protected by a password/,
      ],
      [
        'is cut off',
        async () => (await readFile(samplePath('workday-employees'))).subarray(0, 2_000),
        /It may have been cut off/,
      ],
      [
        'has no sheet',
        () => withPart(parts, 'xl/workbook.xml', (xml) => xml.replaceAll(/<sheet .*?\/>/g, '')),
        /is not an Excel workbook: it has no sheet/,
      ],
      [
        'says that its sheet is larger than 1 GiB',
        () => zipFile(parts.map((part) => (part.path === sheetPart ? { ...part, claimedSize: 2 ** 31 } : part))),
        /sheet1\.xml in staff\.xlsx is larger than 1024 MiB: save the sheet as CSV/,
      ],
      [
        'says that its texts are larger than 256 MiB',
        () =>
          zipFile(
            parts.map((part) => (part.path === 'xl/sharedStrings.xml' ? { ...part, claimedSize: 2 ** 29 } : part)),
          ),
        /sharedStrings\.xml in staff\.xlsx is larger than 256 MiB/,
      ],
      [
        'is larger than it says',
        () => zipFile(parts.map((part) => (part.path === sheetPart ? { ...part, claimedSize: 1_000 } : part))),
        /not a valid \.xlsx file \(too many bytes/,
      ],
      [
        'has an external entity',
        () =>
          withPart(parts, sheetPart, (xml) =>
            xml.replace('<worksheet', '<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/hostname">]><worksheet'),
          ),
        /cannot be read: a document type is not allowed/,
      ],
      [
        'has an unknown entity',
        () => plainSheet(`<row>${text('&e;')}</row>`),
        /not a valid \.xlsx file \(.*undefined entity/,
      ],
      [
        'has a text of several MiB',
        () => plainSheet(`<row>${text('x'.repeat(3 * 1024 * 1024))}</row>`),
        /cannot be read: a text is longer than 1 MiB/,
      ],
      [
        'has a row beyond the last row of Excel',
        () => plainSheet('<row r="1048577"/>'),
        /cannot be read: it has more rows than Excel allows/,
      ],
      [
        'has a column beyond the last column of Excel',
        () => plainSheet('<row r="1"><c r="XFE1"><v>1</v></c></row>'),
        /cannot be read: row 1 has a wrong cell/,
      ],
      [
        'has two cells in one place',
        () => plainSheet('<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'),
        /row 1 has a wrong cell/,
      ],
      [
        'has a part twice',
        () => zipFile([...parts, parts.at(-1) as ZipPart]),
        /occurs twice, or there are too many parts/,
      ],
      ['has a row twice', () => plainSheet('<row r="2"/><row r="2"/>'), /cannot be read: row 2 follows row 2/],
      ['has no rows', () => plainSheet(''), /The file is empty/],
    ]
  for (const [about, bytes, message] of refused)
    it(`refuses a file that ${about}`, async () => {
      const { code, err } = await syncBytes(await bytes())
      assert.equal(code, 1)
      assert.match(err, message)
      assert.doesNotMatch(err, /\n {4}at /)
    })

  it('is not imported', async () => {
    const { code, err } = await muster(['import', 'employees', samplePath('workday-employees')], {})
    assert.deepEqual([code, /does not show its format: add --format csv or --format ndjson\./.test(err)], [2, true])
  })
})
