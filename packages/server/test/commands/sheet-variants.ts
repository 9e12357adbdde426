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

export const sheetVariants = async (random: Random, count: number): Promise<Variant[]> => {
  const parts = await readParts()
  const file = readFileSync(samplePath('workday-employees'))
  const kinds = Object.entries(mutations)
  return Array.from({ length: count }, (_, index) => {
    if (index % (kinds.length + 1) === kinds.length)
      return { kind: 'file cut off', bytes: file.subarray(0, 100 + random(file.length - 200)) }
    const [kind, mutate] = kinds[index % (kinds.length + 1)] as [string, SheetMutation]
    return { kind, bytes: withPart(parts, sheetPart, (xml) => mutate(xml, random)) }
  })
}
