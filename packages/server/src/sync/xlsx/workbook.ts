/** What a workbook says about its first sheet. */
import { posix } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { displayName } from '../../import-export/text-blocks.ts'
import type { Archive } from './archive.ts'
import type { NumberStyles } from './number-formats.ts'
import { openNumberStyles } from './number-formats.ts'
import type { XmlHandlers } from './xml.ts'
import { readXml } from './xml.ts'

export interface Workbook {
  readonly sheetPath: string
  readonly sheetName: string
  readonly sheetCount: number
  readonly isFrom1904: boolean
  /** Whether the stored values of formulas are those of the last calculation. */
  readonly isCalculated: boolean
  readonly styles: NumberStyles
  readonly sharedStrings: readonly string[]
}

const maxPartMebibytes = 16
const maxStringsMebibytes = 256
const maxSharedStrings = 2_000_000
const maxSharedLength = 64 * 1024 * 1024

export const readWorkbook = async (archive: Archive, name: string): Promise<Workbook> => {
  const sheets: { name: string; relation: string; isHidden: boolean }[] = []
  let isFrom1904 = false
  let isCalculated = true
  const path =
    (await relationTargets(archive, name, { folder: '', file: '' })).get('officeDocument') ?? 'xl/workbook.xml'
  const hasWorkbook = await readPart(archive, path, name, {
    open(element, attributes) {
      if (element === 'sheet')
        sheets.push({
          name: attributes.name ?? '',
          relation: relationId(attributes),
          isHidden: (attributes.state ?? 'visible') !== 'visible',
        })
      if (element === 'workbookPr') isFrom1904 = isTrue(attributes.date1904)
      // Programs that cannot calculate store 0 as the value of each formula, and leave the rest to Excel.
      if (element === 'calcPr')
        isCalculated = !isTrue(attributes.fullCalcOnLoad) && isTrue(attributes.calcCompleted ?? '1')
    },
    text() {},
    close() {},
  })
  const [first] = sheets
  if (!hasWorkbook || first === undefined)
    throw new OperatorError(`${displayName(name)} is not an Excel workbook: it has no sheet.`)
  if (first.isHidden)
    throw new OperatorError(
      `The first sheet of ${displayName(name)}, "${first.name}", is hidden: show it, or make the sheet with the records the first.`,
    )
  const folder = posix.dirname(path)
  const targets = await relationTargets(archive, name, { folder, file: posix.basename(path) })
  const sheetPath = targets.get(first.relation)
  if (sheetPath === undefined)
    throw new OperatorError(`${displayName(name)} is not a valid .xlsx file: its first sheet is missing.`)
  const styles = openNumberStyles()
  await readPart(archive, targets.get('styles') ?? `${folder}/styles.xml`, name, styles.handlers)
  return {
    sheetPath,
    sheetName: first.name,
    sheetCount: sheets.length,
    isFrom1904,
    isCalculated,
    styles,
    sharedStrings: await readSharedStrings(
      archive,
      targets.get('sharedStrings') ?? `${folder}/sharedStrings.xml`,
      name,
    ),
  }
}

export const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true'

const relationId = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1] ?? ''

const readPart = async (archive: Archive, path: string, name: string, handlers: XmlHandlers): Promise<boolean> => {
  const part = await archive.open(path, maxPartMebibytes)
  if (part !== undefined) await readXml(part, name, handlers)
  return part !== undefined
}

/** The paths of the parts to which a part refers, by the id and by the kind of the relation. */
const relationTargets = async (
  archive: Archive,
  name: string,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<Map<string, string>> => {
  const targets = new Map<string, string>()
  await readPart(archive, posix.join(folder, '_rels', `${file}.rels`), name, {
    open(element, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (element !== 'Relationship' || mode === 'External') return
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      if (id !== undefined) targets.set(id, path)
      targets.set(type.slice(type.lastIndexOf('/') + 1), path)
    },
    text() {},
    close() {},
  })
  return targets
}

const readSharedStrings = async (archive: Archive, path: string, name: string): Promise<string[]> => {
  const strings: string[] = []
  const part = await archive.open(path, maxStringsMebibytes)
  if (part === undefined) return strings
  let length = 0
  const reader = richText((text) => {
    length += text.length
    strings.push(text)
    if (length > maxSharedLength || strings.length > maxSharedStrings)
      throw new OperatorError('it has too much text for a sheet: save it as CSV')
  }, 'si')
  await readXml(part, name, reader)
  return strings
}

/** Collects the text of `element`, without the reading aids of Japanese text. */
export const richText = (onText: (text: string) => void, element: string): XmlHandlers => {
  let text = ''
  let isText = false
  let isPhonetic = false
  return {
    open(opened) {
      if (opened === element) text = ''
      else if (opened === 'rPh') isPhonetic = true
      else if (opened === 't') isText = !isPhonetic
    },
    text(part) {
      if (isText) text += part
    },
    close(closed) {
      if (closed === 't') isText = false
      else if (closed === 'rPh') isPhonetic = false
      else if (closed === element) onText(unescapeText(text))
    },
  }
}

/** Excel writes control characters as _x000D_. */
export const unescapeText = (text: string): string =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
