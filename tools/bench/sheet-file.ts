/** Writes an .xlsx file with one sheet of many rows, as Excel does: texts shared, dates as numbers with a format. */
import { writeFile } from 'node:fs/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface SheetCell {
  readonly value: string | number
  readonly isDate?: true
}

interface Part {
  readonly path: string
  readonly data: Buffer
  readonly size: number
  readonly checksum: number
}

const deflate = async (path: string, xml: Iterable<string>): Promise<Part> => {
  const stream = createDeflateRaw()
  const collected = stream.toArray()
  let size = 0
  let checksum = 0
  for (const text of xml) {
    const bytes = Buffer.from(text)
    size += bytes.length
    checksum = crc32(bytes, checksum)
    if (!stream.write(bytes)) await new Promise((resolve) => stream.once('drain', resolve))
  }
  stream.end()
  return { path, data: Buffer.concat(await collected), size, checksum }
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const blockRows = 1_000

function* sheetXml(rows: number, xmlOf: (row: number) => string): Generator<string, void, void> {
  yield `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}"><sheetData>`
  for (let row = 0; row < rows; row += blockRows)
    yield Array.from({ length: Math.min(blockRows, rows - row) }, (_, index) => xmlOf(row + index)).join('')
  yield '</sheetData></worksheet>'
}

export const writeSheet = async (
  file: string,
  header: readonly string[],
  rows: number,
  cellsOf: (row: number) => readonly SheetCell[],
): Promise<void> => {
  const texts = new Map<string, number>()
  const cellXml = ({ value, isDate }: SheetCell, column: number, row: number): string => {
    const reference = `${String.fromCharCode(65 + column)}${row}`
    if (typeof value === 'number') return `<c r="${reference}"${isDate === true ? ' s="1"' : ''}><v>${value}</v></c>`
    if (!texts.has(value)) texts.set(value, texts.size)
    return `<c r="${reference}" t="s"><v>${texts.get(value)}</v></c>`
  }
  const xmlOf = (row: number): string => {
    const cells = row === 0 ? header.map((value) => ({ value })) : cellsOf(row - 1)
    return `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, column, row + 1)).join('')}</row>`
  }
  const parts = [
    await deflate('xl/worksheets/sheet1.xml', sheetXml(rows + 1, xmlOf)),
    await deflate('xl/workbook.xml', [
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Sheet" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ]),
    await deflate('xl/_rels/workbook.xml.rels', [
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ]),
    await deflate('xl/styles.xml', [
      `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ]),
    await deflate('xl/sharedStrings.xml', [
      `<sst xmlns="${main}">${[...texts.keys()].map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ]),
  ]
  await writeFile(file, zip(parts))
}

const zip = (parts: readonly Part[]): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, data, size, checksum } of parts) {
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(checksum, 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    bodies.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, name, data)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), common, tail, name)
    offset += 30 + name.length + data.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, entries, end])
}
