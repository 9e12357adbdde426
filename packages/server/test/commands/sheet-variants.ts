/** Broken variants of the Excel file of `sync-samples`. */
import { readFileSync } from 'node:fs'
import type { Random } from '../../../../tests/support/random.ts'
import { pick } from '../../../../tests/support/random.ts'
import { samplePath } from './sync-samples.ts'
import type { Variant } from './sync-variants.ts'
import type { ZipPart } from './zip-file.ts'
import { unzip, zipFile } from './zip-file.ts'

export const sheetPart = 'xl/worksheets/sheet1.xml'

export const readParts = (): Promise<ZipPart[]> => unzip(readFileSync(samplePath('workday-employees')))

export const withPart = (parts: readonly ZipPart[], path: string, change: (xml: string) => string): Buffer =>
  zipFile(
    parts.map((part) =>
      part.path === path ? { path, content: Buffer.from(change(part.content.toString('utf8'))) } : part,
    ),
  )

type SheetMutation = (xml: string, random: Random) => string

/** Changes the cell `reference`. */
const cell =
  (reference: string, change: (element: string) => string): SheetMutation =>
  (xml) =>
    xml.replace(new RegExp(`<c r="${reference}"[^>]*?(?:/>|>.*?</c>)`), change)

const rowOf = (random: Random): number => 4 + random(5)

const mutations: Readonly<Record<string, SheetMutation>> = {
  'date as a plain number': (xml, random) =>
    cell(`K${rowOf(random)}`, (element) => element.replace(' s="1"', ''))(xml, random),
  'date as text': (xml, random) =>
    cell(
      `K${rowOf(random)}`,
      (element) =>
        `${element.split(' s=')[0]} t="str"><v>${pick(random, ['19.08.2013', '08/19/2013', '19-Aug-13', 'x'])}</v></c>`,
    )(xml, random),
  'number as a date': (xml, random) =>
    cell(`O${rowOf(random)}`, (element) => element.replace(' s="3"', ' s="1"'))(xml, random),
  'number as text': (xml, random) =>
    cell(
      `O${rowOf(random)}`,
      (element) =>
        `${element.split(' s=')[0]} t="str"><v>${pick(random, ['58.000', '58,000', '58.000,50', '58 000', '58000 EUR'])}</v></c>`,
    )(xml, random),
  'formula without a value': (xml, random) =>
    cell(
      `${pick(random, ['B', 'C', 'K', 'O'])}${rowOf(random)}`,
      (element) => `${element.split('>')[0]?.replace(/ t="s"/, '')}><f>A1</f></c>`,
    )(xml, random),
  'error in a cell': (xml, random) =>
    cell(
      `${pick(random, ['B', 'D', 'G', 'O'])}${rowOf(random)}`,
      (element) => `${element.split(' ').slice(0, 2).join(' ').split('>')[0]} t="e"><v>#REF!</v></c>`,
    )(xml, random),
  'text that does not exist': (xml, random) =>
    cell(`C${rowOf(random)}`, (element) => element.replace(/<v>\d+/, '<v>9999'))(xml, random),
  'column name twice': (xml) => cell('D3', (element) => element.replace(/<v>\d+/, '<v>2'))(xml, () => 0),
  'column without a name': (xml, random) => cell(`${pick(random, ['B', 'C', 'D', 'K', 'P'])}3`, () => '')(xml, random),
  'cell beside the table': (xml, random) => {
    const row = rowOf(random)
    return xml.replace(new RegExp(`(<row r="${row}">.*?)</row>`), `$1<c r="Q${row}"><v>1</v></c></row>`)
  },
  'cells shifted': (xml, random) => {
    const row = rowOf(random)
    return xml.replace(new RegExp(`<row r="${row}">.*?</row>`), (element) =>
      element.replaceAll(
        new RegExp(`r="([B-P])${row}"`, 'g'),
        (_, letter: string) => `r="${String.fromCharCode(letter.charCodeAt(0) + 1)}${row}"`,
      ),
    )
  },
  'title missing': (xml) =>
    xml
      .replace(/<row r="1">.*?<\/row>/, '')
      .replaceAll(/r="([A-Q]?)(\d)"/g, (_, letter: string, row: string) => `r="${letter}${Number(row) - 2}"`),
  'sheet cut off': (xml, random) => xml.slice(0, Math.floor(xml.length / 2) + random(Math.floor(xml.length / 3))),
  'document type': (xml) =>
    xml.replace('<worksheet', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><worksheet'),
  'record twice': (xml, random) => {
    const row = rowOf(random)
    const found = new RegExp(`<row r="${row}">.*?</row>`).exec(xml)?.[0] ?? ''
    return xml
      .replace(
        '<row r="9">',
        `${found.replaceAll(new RegExp(`r="([A-P]?)${row}"`, 'g'), 'r="$110"').replaceAll(/r="([A-P]?)10"/g, 'r="$110"')}<row r="11">`,
      )
      .replace('r="A9"', 'r="A11"')
  },
}

interface FileMutation {
  readonly isValid?: true
  readonly mutate: (parts: readonly ZipPart[], random: Random) => Buffer
}

type Change = readonly [path: string, change: (xml: string) => string]

const changed = (parts: readonly ZipPart[], ...changes: readonly Change[]): Buffer =>
  zipFile(
    parts.map(({ path, content }) => {
      const own = changes.filter(([changedPath]) => changedPath === path)
      return { path, content: Buffer.from(own.reduce((xml, [, change]) => change(xml), content.toString('utf8'))) }
    }),
  )

/** The cell gets the style 4, whose format is `code`, and `change`. */
const formatted = (
  parts: readonly ZipPart[],
  code: string,
  reference: string,
  change = (element: string): string => element,
): Buffer =>
  changed(
    parts,
    [
      'xl/styles.xml',
      (xml) =>
        xml
          .replace('</numFmts>', `<numFmt numFmtId="166" formatCode="${code}"/></numFmts>`)
          .replace('</cellXfs>', '<xf numFmtId="166"/></cellXfs>'),
    ],
    [sheetPart, (xml) => cell(reference, (element) => change(element.replace(/ s="\d"/, ' s="4"')))(xml, () => 0)],
  )

const afterRows = (parts: readonly ZipPart[], xml: string): Buffer =>
  changed(parts, [sheetPart, (sheet) => sheet.replace('</sheetData>', `</sheetData>${xml}`)])

/** Excel removes the values of all merged cells but the first one. */
const withoutCovered = (xml: string, reference: string): string => {
  const [, left = '', top = '', right = '', bottom = ''] = /^([A-P])(\d+):([A-P])(\d+)$/.exec(reference) ?? []
  let result = xml
  for (let row = Number(top); row <= Number(bottom); row += 1)
    for (let column = left.charCodeAt(0); column <= right.charCodeAt(0); column += 1) {
      const name = `${String.fromCharCode(column)}${row}`
      if (name !== `${left}${top}`) result = cell(name, () => '')(result, () => 0)
    }
  return result
}

/** Changes of other parts than the cells, and of several parts. */
const fileMutations: Readonly<Record<string, FileMutation>> = {
  'merged cells': {
    mutate(parts, random) {
      const row = 4 + random(4)
      const reference = pick(random, [`G${row}:G${row + 1}`, `O${row}:O${row + 1}`, `E${row}:F${row}`])
      const merges = `<mergeCells><mergeCell ref="A1:P1"/><mergeCell ref="${reference}"/></mergeCells>`
      return changed(parts, [
        sheetPart,
        (xml) => withoutCovered(xml, reference).replace('</sheetData>', `</sheetData>${merges}`),
      ])
    },
  },
  'merged title': {
    isValid: true,
    mutate: (parts) => afterRows(parts, '<mergeCells count="1"><mergeCell ref="A1:P2"/></mergeCells>'),
  },
  'hidden rows and columns': {
    isValid: true,
    mutate: (parts, random) =>
      changed(parts, [
        sheetPart,
        (xml) =>
          xml
            .replace(`<row r="${rowOf(random)}"`, (row) => `${row} hidden="1"`)
            .replace('<sheetData>', '<cols><col min="3" max="5" hidden="1"/></cols><sheetData>'),
      ]),
  },
  'hidden first sheet': {
    mutate: (parts, random) =>
      changed(parts, [
        'xl/workbook.xml',
        (xml) => xml.replace('sheetId="1"', `sheetId="1" state="${pick(random, ['hidden', 'veryHidden'])}"`),
      ]),
  },
  percentage: {
    mutate: (parts, random) =>
      formatted(parts, pick(random, ['0%', '0.00%']), `O${rowOf(random)}`, (element) =>
        element.replace(/<v>.*?<\/v>/, '<v>0.8</v>'),
      ),
  },
  'duration or time': {
    mutate: (parts, random) =>
      formatted(
        parts,
        pick(random, ['[h]:mm', '[hh]:mm:ss', 'hh:mm', '[mm]', 'h:mm AM/PM']),
        `${pick(random, ['K', 'O'])}${rowOf(random)}`,
        (element) => element.replace(/<v>.*?<\/v>/, '<v>0.8</v>'),
      ),
  },
  'code with a prefix in its format': {
    mutate: (parts, random) => formatted(parts, pick(random, ['&quot;E&quot;00000', '00-000', '0.00', '#,##0']), 'B7'),
  },
  'true or false': {
    mutate: (parts, random) =>
      changed(parts, [
        sheetPart,
        (xml) =>
          cell(
            `${pick(random, ['B', 'C', 'G', 'K', 'M', 'O'])}${rowOf(random)}`,
            (element) => `${element.split(' ').slice(0, 2).join(' ').split('>')[0]} t="b"><v>1</v></c>`,
          )(xml, random),
      ]),
  },
  'rest of a calculation': {
    isValid: true,
    mutate: (parts, random) =>
      changed(parts, [
        sheetPart,
        (xml) =>
          pick(random, [
            xml.replace('<v>180000</v>', '<v>180000.00000000003</v>'),
            xml.replace('<v>180000</v>', '<v>179999.99999999997</v>'),
            xml.replace('<v>74250.5</v>', '<v>74250.500000000015</v>'),
            xml.replace('<v>41505</v>', '<v>41505.000000000007</v>'),
            xml.replace('<v>41505</v>', '<v>41504.999999999993</v>'),
          ]),
      ]),
  },
  'formula that was not calculated': {
    mutate: (parts, random) =>
      changed(
        parts,
        [sheetPart, (xml) => xml.replace('<v>118500</v>', '<v>0</v>')],
        [
          'xl/workbook.xml',
          (xml) =>
            xml
              .replace('</workbook>', `<calcPr ${pick(random, ['fullCalcOnLoad', 'x'])}="1"/></workbook>`)
              .replace('x="1"', 'calcCompleted="0"'),
        ],
      ),
  },
  'strict Open XML': {
    isValid: true,
    mutate: (parts) =>
      changed(
        parts,
        ...parts.map(
          ({ path }): Change => [
            path,
            (xml) =>
              xml
                .replaceAll(
                  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
                  'http://purl.oclc.org/ooxml/spreadsheetml/main',
                )
                .replaceAll(
                  'http://schemas.openxmlformats.org/officeDocument/2006/',
                  'http://purl.oclc.org/ooxml/officeDocument/',
                ),
          ],
        ),
      ),
  },
  'unknown namespace': {
    mutate: (parts, random) =>
      changed(parts, [
        pick(random, [sheetPart, 'xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/styles.xml']),
        (xml) => xml.replace('spreadsheetml/2006', 'spreadsheetml/2030'),
      ]),
  },
  'row of totals': {
    mutate: (parts, random) =>
      changed(parts, [
        sheetPart,
        (xml) =>
          xml.replace(
            '</sheetData>',
            `<row r="20"><c r="A20" t="str"><v>${pick(random, ['Ergebnis', 'Grand Total', 'Sales Total'])}</v></c><c r="O20"><v>9</v></c></row></sheetData>`,
          ),
      ]),
  },
  'wrong checksum': {
    mutate(parts, random) {
      const file = zipFile(parts)
      const starts = parts.map(({ path }) => file.lastIndexOf(Buffer.from(path)) - 46)
      const read = parts.flatMap(({ path }, index) =>
        /sheet1|workbook|Strings|styles/.test(path) ? [starts[index] ?? 0] : [],
      )
      const at = pick(random, read) + 16
      file.writeUInt32LE((file.readUInt32LE(at) ^ (1 << random(31))) >>> 0, at)
      return file
    },
  },
}

export const sheetVariants = async (random: Random, count: number): Promise<Variant[]> => {
  const parts = await readParts()
  const file = readFileSync(samplePath('workday-employees'))
  const cuts: FileMutation = { mutate: () => file.subarray(0, 100 + random(file.length - 200)) }
  const inSheet = Object.entries(mutations).map(([kind, mutate]): [string, FileMutation] => [
    kind,
    { mutate: () => withPart(parts, sheetPart, (xml) => mutate(xml, random)) },
  ])
  const kinds = [...inSheet, ['file cut off', cuts] as const, ...Object.entries(fileMutations)]
  return Array.from({ length: count }, (_, index) => {
    const [kind, { isValid, mutate }] = kinds[index % kinds.length] as [string, FileMutation]
    return { kind, bytes: mutate(parts, random), ...(isValid === undefined ? {} : { isValid }) }
  })
}
