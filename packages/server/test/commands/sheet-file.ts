/** Writes small .xlsx files for tests. */
import { zipFile } from './zip-file.ts'

const transitional = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relations: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
}
const strict = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  relations: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
}
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'

export interface SheetParts {
  /** The XML of the rows. */
  readonly rows: string
  /** The codes of the formats. A cell with `s="1"` has the first of them. */
  readonly formats?: readonly string[]
  /** Attributes of the first sheet in the workbook. */
  readonly sheet?: string
  /** XML of the workbook beside its sheets. */
  readonly workbook?: string
  /** XML of the sheet before and after its rows. */
  readonly before?: string
  readonly after?: string
  readonly isStrict?: true
  /** With a colon. */
  readonly prefix?: string
}

export const sheetFile = (parts: SheetParts): Buffer => {
  const { formats = [], sheet = '', workbook = '', before = '', after = '', prefix = '' } = parts
  const { main, relations } = parts.isStrict === true ? strict : transitional
  const namespace = `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${main}" xmlns:r="${relations}"`
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
  const codes = formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`)
  const styles = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`)
  const documents: Readonly<Record<string, string>> = {
    '_rels/.rels': `<Relationships xmlns="${packageRelations}">${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${namespace}>${workbook}<sheets><sheet name="Staff" sheetId="1" r:id="r1" ${sheet}/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelations}">${relation('r1', 'worksheet', 'sheet1.xml')}${relation('r2', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${namespace}><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sheet1.xml': `<worksheet ${namespace}>${before}<sheetData>${parts.rows}</sheetData>${after}</worksheet>`,
  }
  return zipFile(
    Object.entries(documents).map(([path, xml]) => ({
      path,
      content: Buffer.from(path.endsWith('.rels') ? xml : withPrefix(xml, prefix)),
    })),
  )
}

/** Elements that have a prefix already keep it. */
const withPrefix = (xml: string, prefix: string): string => xml.replaceAll(/<(\/?)(?=\w+[\s/>])/g, `<$1${prefix}`)

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A cell with text. */
export const textCell = (text: string): string => `<c t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`

export const numberCell = (value: number | string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`

/** Rows from line 1 on. A cell that is neither XML nor empty is text. */
export const sheetRows = (...rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells, index) =>
        `<row r="${index + 1}">${cells.map((cell) => (cell.startsWith('<') ? cell : cell === '' ? '<c/>' : textCell(cell))).join('')}</row>`,
    )
    .join('')
