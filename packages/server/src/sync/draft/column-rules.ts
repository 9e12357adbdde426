/** Drafts the rule of one column from its values. */
import type { NamedField, Resource } from '@muster/model'
import { parseDateTime } from '@muster/model'
import { shapeOf } from '../../import-export/row-error.ts'
import { isNumeric } from '../../import-export/row-reader.ts'
import type { DateFormat } from '../date-format.ts'
import type { NumberFormat } from '../number-format.ts'
import { isAmbiguous } from '../number-format.ts'
import { readTime } from '../time-format.ts'
import type { MostDates } from './cell-formats.ts'
import { dateFormats, fittingDates, fittingNumbers, mostlyFittingDates, mostlyFittingNumbers } from './cell-formats.ts'
import type { SampleCell } from './sample.ts'
import { hasKnownValues, isPlaceholder, translateValue } from './value-names.ts'

export interface DraftCell extends SampleCell {
  readonly line: number
}

export interface DraftColumn {
  readonly name: string
  /** The cells that are not empty. */
  readonly cells: readonly DraftCell[]
  readonly hasEmptyCells: boolean
}

export interface DraftRule {
  readonly field: string
  by?: string
  values?: Record<string, string | number | null>
  date?: string
  time_zone?: string
  decimal?: string
  thousands?: string
  about?: string
  unsure?: string
}

export interface DraftContext {
  readonly resource: Resource
  /** The codes in the file, to recognize references to its own records. */
  readonly codes: ReadonlySet<string>
  /** The format of the other dates, if they have only one. */
  readonly dateFormat: DateFormat | undefined
  readonly numberFormat: NumberFormat | undefined
}

/** The rule; a text says why the column is ignored. */
export const draftRule = (column: DraftColumn, field: NamedField, context: DraftContext): DraftRule | string => {
  const rule: DraftRule = { field: field.name }
  const placeholders = distinct(column).filter(isPlaceholder)
  const texts = distinct(column).filter((text) => !isPlaceholder(text))
  if (placeholders.length > 0) rule.values = Object.fromEntries(placeholders.map((text) => [text, null]))
  if (field.references !== undefined) return draftReference(rule, texts, field, context)
  if (field.kind === 'date') return draftDate(rule, column, { ...context, field })
  if (field.kind === 'timestamp') return draftTime(rule, column, field)
  if (isNumeric(field)) return draftNumber(rule, column, { ...context, field })
  if (hasKnownValues(context.resource.path, field.name)) return draftValues(rule, column, field, context)
  return placeholders.length === 0 ? rule : draftText(field, placeholders)
}

export const distinct = ({ cells }: DraftColumn): string[] => [...new Set(cells.map(({ text }) => text))]

/** The distinct texts that need a format: those that are neither a date nor a number of a sheet. */
export const formattedTexts = ({ cells }: DraftColumn): string[] => [
  ...new Set(cells.filter(({ kind, text }) => kind === 'text' && !isPlaceholder(text)).map(({ text }) => text)),
]

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** In a text, "-" can also be what the file means. A table of values would refuse all others. */
const draftText = ({ name }: NamedField, placeholders: readonly string[]): DraftRule => ({
  field: name,
  unsure: `The cells ${placeholders.map((text) => JSON.stringify(text)).join(', ')} are stored as they are. If they mean "none", empty them in the file`,
})

const draftTime = (rule: DraftRule, column: DraftColumn, field: NamedField): DraftRule => {
  const texts = distinct(column).filter((text) => !isPlaceholder(text))
  const isReadable = (format: DateFormat | undefined, zone: string | undefined): boolean =>
    texts.every((text) => {
      const result = readTime({ dates: format === undefined ? undefined : [format], zone }, text)
      return 'value' in result && parseDateTime(result.value) !== undefined
    })
  if (isReadable(undefined, undefined)) return rule
  const formats = [undefined, ...dateFormats].filter((format) => isReadable(format, 'UTC'))
  const [format] = formats
  if (formats.length === 0)
    return { ...rule, unsure: `Not all cells are times${example(field, texts[0]).replace(/,$/, '')}. Write "ignore"` }
  const found = format === undefined ? rule : { ...rule, date: format.text }
  const others = formats.length > 1 && format !== undefined ? [describeFormats(column, field, formats)] : []
  const zones = isReadable(format, undefined) ? [] : ['The times name no time zone. Correct "time_zone"']
  const questions = [...others, ...zones]
  return {
    ...found,
    ...(zones.length === 0 ? {} : { time_zone: 'UTC' }),
    ...(questions.length === 0 ? {} : { unsure: questions.join('. ') }),
  }
}

const describeFormats = (
  column: DraftColumn,
  field: NamedField,
  formats: readonly (DateFormat | undefined)[],
): string =>
  `All dates${example(field, formattedTexts(column)[0])} can be read as ${formats.flatMap((format) => format?.text ?? []).join(' or ')}`

const draftReference = (
  rule: DraftRule,
  texts: readonly string[],
  { references }: NamedField,
  { codes }: DraftContext,
): DraftRule | string => {
  const target = references?.resource ?? ''
  if (target === 'departments') return { ...rule, by: 'departments.name' }
  if (target !== 'employees') return `it refers to ${target}, and no column of theirs is known`
  if (texts.length > 0 && texts.every(isEmail)) return { ...rule, by: 'employees.email' }
  const byCode: DraftRule = { ...rule, by: 'employees.code' }
  if (texts.some((text) => codes.has(text))) return byCode
  if (texts.every((text) => /^\S*\d\S*$/.test(text)))
    return texts.length === 0 || codes.size === 0
      ? byCode
      : { ...byCode, unsure: 'No cell is a code of this file. Write "ignore" if the cells are not codes of employees' }
  return 'it has names, and a map finds people by code or e-mail address only'
}

interface FieldContext extends DraftContext {
  readonly field: NamedField
}

/** Drafts are kept and shared, so they have no values of personal fields. */
const example = ({ personal }: NamedField, text: string | undefined): string => (personal ? '' : `, such as "${text}",`)

const draftDate = (rule: DraftRule, column: DraftColumn, { dateFormat, field }: FieldContext): DraftRule => {
  const texts = formattedTexts(column)
  const formats = fittingDates(texts)
  const [first, second] = formats
  if (texts.length === 0) return rule
  if (formats.some(({ text }) => text === dateFormat?.text))
    // A table of values needs a format beside it.
    return rule.values === undefined ? rule : { ...rule, date: dateFormat?.text ?? '' }
  const [mostly, ...equal] = first === undefined ? mostlyFittingDates(texts) : []
  if (mostly !== undefined) return draftMostDates(rule, column, { field, mostly, equal })
  if (first === undefined)
    return {
      ...rule,
      unsure: `No known date format fits all dates${example(field, texts[0]).replace(/,$/, '')}. Add "date"`,
    }
  if (second === undefined) return { ...rule, date: first.text }
  return {
    ...rule,
    date: first.text,
    unsure: describeFormats(column, field, formats),
  }
}

const maxNamedCells = 3

/** A few cells that are no dates, such as 31.02.2021, do not hide the format of the others. */
const draftMostDates = (
  rule: DraftRule,
  { cells }: DraftColumn,
  {
    field,
    mostly,
    equal,
  }: { readonly field: NamedField; readonly mostly: MostDates; readonly equal: readonly MostDates[] },
): DraftRule => {
  const wrong = cells.filter(({ text }) => [mostly, ...equal].some(({ others }) => others.includes(text)))
  const named = wrong
    .slice(0, maxNamedCells)
    .map(({ text, line }) => `"${field.personal ? shapeOf(text) : text}", line ${line}`)
  const more = wrong.length > maxNamedCells ? `; and ${wrong.length - maxNamedCells} more` : ''
  const names = [mostly, ...equal].map(({ format }) => format.text).join(' or ')
  return {
    ...rule,
    date: mostly.format.text,
    unsure: `All cells have the format ${names}, except ${named.join('; ')}${more}. Correct them in the file`,
  }
}

const draftNumber = (rule: DraftRule, column: DraftColumn, { numberFormat, field }: FieldContext): DraftRule => {
  const texts = formattedTexts(column)
  const formats = fittingNumbers(texts)
  const [first, second] = formats
  if (texts.length === 0) return rule
  const mayBeCode = texts.some((text) => /^[+-]?0\d/.test(text))
  if (!mayBeCode && rule.values === undefined && formats.some((format) => isSameFormat(format, numberFormat)))
    return rule
  if (first === undefined) {
    const mostly = mostlyFittingNumbers(texts)
    const shapes = [...new Set((mostly?.others ?? texts).map(shapeOf))].slice(0, maxShapes).map((shape) => `"${shape}"`)
    return {
      ...rule,
      ...(mostly === undefined ? {} : numberMembers(mostly.format)),
      unsure: `Not all cells are numbers: there are ${shapes.join(', ')} (a dot is a letter or digit). Correct the file, or write "ignore"`,
    }
  }
  const members = numberMembers(first)
  if (!mayBeCode && second === undefined && !texts.every(isAmbiguous))
    return isPlain(first) && rule.values === undefined ? rule : { ...rule, ...members }
  return {
    ...rule,
    ...members,
    unsure: mayBeCode
      ? `Some cells${example(field, texts.find(isAmbiguous))} have leading zeros, so the column may have codes. Keep the field only if they are numbers`
      : `All numbers${example(field, texts[0])} can be read in two ways. Correct "decimal" and "thousands"`,
  }
}

const maxShapes = 3

export const numberMembers = ({ decimal, thousands }: NumberFormat): Pick<DraftRule, 'decimal' | 'thousands'> => ({
  decimal,
  ...(thousands === undefined ? {} : { thousands }),
})

export const isSameFormat = (format: NumberFormat, other: NumberFormat | undefined): boolean =>
  format.decimal === other?.decimal && format.thousands === other.thousands

/** The format that needs no member in the map. */
export const isPlain = ({ decimal, thousands }: NumberFormat): boolean => decimal === '.' && thousands === undefined

const unknownWord = 'unknown, and refused until "values" has a value for it'

/** More different values than this are free text. */
const maxValues = 50

const draftValues = (
  rule: DraftRule,
  column: DraftColumn,
  field: NamedField,
  { resource }: DraftContext,
): DraftRule | string => {
  const words = distinct(column)
  if (words.length === 0) return 'it is empty, so its values are unknown'
  if (words.length > maxValues) return `it has more than ${maxValues} different values`
  const values: Record<string, string | null> = {}
  const wordsOf = new Map<string, string[]>()
  for (const word of words) {
    const { value, unsure } = translateValue(resource.path, field.name, word)
    const isEmpty = value === undefined && !field.required && isPlaceholder(word)
    // A proposal for an unknown word could be left as it is, and would be stored.
    if (value !== undefined || isEmpty) values[word] = value ?? null
    const reason = value === undefined && !isEmpty ? unknownWord : unsure
    if (reason !== undefined) wordsOf.set(reason, [...(wordsOf.get(reason) ?? []), JSON.stringify(word)])
  }
  const questions = [...wordsOf].map(([reason, asked]) => `${asked.join(', ')}: ${reason}`)
  if (column.hasEmptyCells && field.required) {
    values[''] = 'active'
    questions.push('An empty cell is read as "active"')
  }
  const allowed =
    field.values === undefined ? '' : ` Values: ${field.values.join(', ')}${field.required ? '' : ', or null for none'}`
  return {
    ...rule,
    values,
    ...(questions.length === 0 ? {} : { unsure: `${questions.join('. ')}. Correct "values".${allowed}` }),
  }
}
