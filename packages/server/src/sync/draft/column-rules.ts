/** Drafts the rule of one column from its values. */
import type { NamedField, Resource } from '@muster/model'
import { isNumeric } from '../../import-export/row-reader.ts'
import type { DateFormat } from '../date-format.ts'
import type { NumberFormat } from '../number-format.ts'
import { fittingDates, fittingNumbers } from './cell-formats.ts'
import type { SampleCell } from './sample.ts'
import { hasKnownValues, isPlaceholder, translateValue } from './value-names.ts'

export interface DraftColumn {
  readonly name: string
  /** The cells that are not empty. */
  readonly cells: readonly SampleCell[]
  readonly hasEmptyCells: boolean
}

export interface DraftRule {
  readonly field: string
  by?: string
  values?: Record<string, string | number | null>
  date?: string
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
  if (field.kind === 'timestamp') return texts.every(isTimestamp) ? rule : 'its times have no time zone'
  if (isNumeric(field)) return draftNumber(rule, column, { ...context, field })
  return hasKnownValues(context.resource.path, field.name) ? draftValues(rule, column, field, context) : rule
}

export const distinct = ({ cells }: DraftColumn): string[] => [...new Set(cells.map(({ text }) => text))]

/** The distinct texts that need a format: those that are neither a date nor a number of a sheet. */
export const formattedTexts = ({ cells }: DraftColumn): string[] => [
  ...new Set(cells.filter(({ kind, text }) => kind === 'text' && !isPlaceholder(text)).map(({ text }) => text)),
]

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)

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
  if (texts.some((text) => codes.has(text)) || texts.every((text) => /^\S*\d\S*$/.test(text)))
    return { ...rule, by: 'employees.code' }
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
  if (texts.length === 0 || formats.some(({ text }) => text === dateFormat?.text)) return rule
  if (first === undefined)
    return {
      ...rule,
      unsure: `No known date format fits all dates${example(field, texts[0]).replace(/,$/, '')}. Add "date"`,
    }
  if (second === undefined) return { ...rule, date: first.text }
  return {
    ...rule,
    date: first.text,
    unsure: `All dates${example(field, texts[0])} can be read as ${formats.map(({ text }) => text).join(' or ')}`,
  }
}

const draftNumber = (rule: DraftRule, column: DraftColumn, { numberFormat, field }: FieldContext): DraftRule => {
  const texts = formattedTexts(column)
  const formats = fittingNumbers(texts)
  const [first, second] = formats
  if (texts.length === 0 || formats.some((format) => isSameFormat(format, numberFormat))) return rule
  if (first === undefined)
    return {
      ...rule,
      unsure: `Not all cells are numbers${example(field, texts[0]).replace(/,$/, '')}. Correct the file, or write "ignore"`,
    }
  const members = { decimal: first.decimal, ...(first.thousands === undefined ? {} : { thousands: first.thousands }) }
  if (second === undefined) return isPlain(first) ? rule : { ...rule, ...members }
  return {
    ...rule,
    ...members,
    unsure: `All numbers${example(field, texts[0])} can be read in two ways. Correct "decimal" and "thousands"`,
  }
}

export const isSameFormat = (format: NumberFormat, other: NumberFormat | undefined): boolean =>
  format.decimal === other?.decimal && format.thousands === other.thousands

/** The format that needs no member in the map. */
export const isPlain = ({ decimal, thousands }: NumberFormat): boolean => decimal === '.' && thousands === undefined

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
  const questions: string[] = []
  for (const word of words) {
    const { value, unsure } = translateValue(resource.path, field.name, word)
    values[word] = value ?? null
    if (value === undefined) questions.push(`"${word}" is unknown`)
    else if (unsure !== undefined) questions.push(unsure)
  }
  if (column.hasEmptyCells && field.required) {
    values[''] = 'active'
    questions.push('An empty cell is read as "active"')
  }
  const allowed = field.values === undefined ? '' : ` Values: ${field.values.join(', ')}`
  return {
    ...rule,
    values,
    ...(questions.length === 0 ? {} : { unsure: `${questions.join('. ')}. Correct "values".${allowed}` }),
  }
}
