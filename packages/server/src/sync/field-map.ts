/** A map is a JSON document that assigns the columns of another product's file to the fields of a resource. */
import type { NamedField, Resource } from '@muster/model'
import { didYouMean, findRepeatedNames, resources } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { DateFormat } from './date-format.ts'
import type { Lookup } from './lookups.ts'
import type { Fail, FileFormatMembers, JsonObject } from './map-format.ts'
import { dateFormatsOf, fileMembersOf, formatMembers, isObject, numberFormatOf, timeZoneOf } from './map-format.ts'
import type { NumberFormat } from './number-format.ts'

export type MappedValue = string | number | null

export interface ColumnRule {
  readonly field: NamedField
  /** Translations, by the value in lower case. */
  readonly values?: ReadonlyMap<string, MappedValue>
  readonly dates?: readonly DateFormat[]
  readonly numbers?: NumberFormat
  /** The zone of times that name none. */
  readonly timeZone?: string
  readonly lookup?: Lookup
}

export interface FieldMap {
  readonly name: string
  readonly resource: Resource
  readonly file: FileFormatMembers
  /** The rules of each known column; empty if the column is ignored. */
  readonly columns: ReadonlyMap<string, readonly ColumnRule[]>
  /** Values that every line gets. */
  readonly constants: ReadonlyMap<string, MappedValue>
  /** Values that new records get if the file has no column for the field. */
  readonly defaults: ReadonlyMap<string, MappedValue>
  readonly lookups: readonly Lookup[]
}

const mapMembers = ['about', 'unsure', 'resource', ...formatMembers, 'columns', 'constants', 'defaults']
const ruleMembers = ['about', 'field', 'by', 'values', 'date', 'time_zone', 'decimal', 'thousands']

/** Parses a map for one of the `kinds` of records; `name` is its name in messages. */
export const parseFieldMap = (text: string, name: string, kinds: readonly Resource[] = resources): FieldMap => {
  const fail: Fail = (problem, details = []) => {
    throw new OperatorError(`The map ${name} ${problem}`, { details })
  }
  const document = parseJson(text, fail)
  rejectRepeatedKeys(text, fail)
  rejectQuestions(document, fail)
  requireMembers(document, mapMembers, 'it', fail)
  const resource = resourceNamed(document.resource, kinds, fail)
  const context = {
    resource,
    fail,
    ...(document.date === undefined ? {} : { defaultDates: dateFormatsOf(document.date, fail) }),
    ...(document.time_zone === undefined ? {} : { defaultZone: timeZoneOf(document.time_zone, fail) }),
    defaultNumbers: numberFormatOf(document, undefined, fail),
  }
  const columns = new Map<string, readonly ColumnRule[]>()
  for (const [column, rules] of Object.entries(objectOf(document.columns ?? {}, '"columns"', fail)))
    columns.set(column, rules === 'ignore' ? [] : [rules].flat().map((rule) => readRule(rule, column, context)))
  const lookups = [...columns.values()].flat().flatMap(({ lookup }) => (lookup === undefined ? [] : [lookup]))
  return {
    name,
    resource,
    file: fileMembersOf(document, fail),
    columns,
    constants: fieldValues(document, 'constants', context),
    defaults: fieldValues(document, 'defaults', context),
    lookups: withoutRepeated(lookups, fail),
  }
}

/** The map of a sheet whose columns are named after fields. */
export const identityMap = (resource: Resource): FieldMap =>
  parseFieldMap(
    JSON.stringify({
      resource: resource.path,
      columns: Object.fromEntries(resource.storedFields.map(({ name }) => [name, name])),
    }),
    `of ${resource.titles}`,
    [resource],
  )

interface Context {
  readonly resource: Resource
  readonly fail: Fail
  readonly defaultDates?: readonly DateFormat[]
  readonly defaultZone?: string
  readonly defaultNumbers: NumberFormat | undefined
}

const parseJson = (text: string, fail: Fail): JsonObject => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return fail('is not a JSON document.')
  }
  return objectOf(document, 'it', fail)
}

/** JSON.parse keeps only the last of them, so the rule of a column would be lost. */
const rejectRepeatedKeys = (text: string, fail: Fail): void => {
  const repeated = findRepeatedNames(text).map(
    ({ name, position }) => `line ${text.slice(0, position).split('\n').length}: ${JSON.stringify(name)}`,
  )
  if (repeated.length > 0)
    fail(
      'has keys that occur twice in an object, and only the last would be read. Remove one of each, or join their values in a list:',
      repeated,
    )
}

const objectOf = (value: unknown, what: string, fail: Fail): JsonObject =>
  isObject(value) ? value : fail(`is invalid: ${what} should be an object.`)

/** A draft of `--make-map` asks about what it cannot know: the member `unsure` of the map, and those of its rules. */
const rejectQuestions = ({ unsure = {}, columns }: JsonObject, fail: Fail): void => {
  const questions = [
    ...Object.entries(objectOf(unsure, '"unsure"', fail)).map(
      ([member, question]) => `"${member}": ${String(question)}`,
    ),
    ...Object.entries(isObject(columns) ? columns : {}).flatMap(([column, rules]) =>
      [rules]
        .flat()
        .flatMap((rule) =>
          isObject(rule) && rule.unsure !== undefined ? [`column "${column}": ${String(rule.unsure)}`] : [],
        ),
    ),
  ]
  if (questions.length > 0)
    fail(
      `is a draft with ${questions.length} open ${questions.length === 1 ? 'question' : 'questions'}. Decide each, and remove it from "unsure":`,
      questions,
    )
}

const requireMembers = (object: JsonObject, known: readonly string[], what: string, fail: Fail): void => {
  const unknownName = Object.keys(object).find((member) => !known.includes(member))
  if (unknownName !== undefined)
    fail(`is invalid: ${what} has an unknown member "${unknownName}"${didYouMean(unknownName, known)}`)
}

const resourceNamed = (path: unknown, kinds: readonly Resource[], fail: Fail): Resource => {
  if (path === undefined) return fail('needs a "resource".')
  const paths = kinds.map((candidate) => candidate.path)
  return (
    kinds.find((candidate) => candidate.path === path) ??
    fail(`names the unknown resource ${JSON.stringify(path)}${didYouMean(String(path), paths)}`)
  )
}

const fieldNamed = (name: unknown, { resource, fail }: Pick<Context, 'resource' | 'fail'>): NamedField => {
  const names = resource.storedFields.map((field) => field.name)
  return (
    resource.storedFields.find((field) => field.name === name) ??
    fail(`names the field "${String(name)}", which ${resource.titles} do not have${didYouMean(String(name), names)}`)
  )
}

const readRule = (rule: unknown, column: string, context: Context): ColumnRule => {
  const { fail } = context
  const members = typeof rule === 'string' ? { field: rule } : objectOf(rule, `the column "${column}"`, fail)
  requireMembers(members, ruleMembers, `the column "${column}"`, fail)
  const { field: fieldName, by, values, date, time_zone: zone } = members as Record<string, unknown>
  const field = fieldNamed(fieldName, context)
  const dates = date === undefined ? context.defaultDates : dateFormatsOf(date, fail)
  const timeZone = zone === undefined ? context.defaultZone : timeZoneOf(zone, fail)
  const numbers = numberFormatOf(members, context.defaultNumbers, fail)
  return {
    field,
    ...(values === undefined ? {} : { values: valueTable(values, column, fail) }),
    ...(hasDates(field) && dates !== undefined ? { dates } : {}),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(numbers === undefined ? {} : { numbers }),
    ...(by === undefined ? {} : { lookup: lookupOf(field, by, fail) }),
  }
}

const hasDates = ({ kind }: NamedField): boolean => kind === 'date' || kind === 'timestamp'

const fieldValues = (
  document: JsonObject,
  member: 'constants' | 'defaults',
  context: Context,
): Map<string, MappedValue> =>
  new Map(
    Object.entries(objectOf(document[member] ?? {}, `"${member}"`, context.fail)).map(([field, value]) => [
      fieldNamed(field, context).name,
      mappedValueOf(value, `"${field}" in "${member}"`, context.fail),
    ]),
  )

const valueTable = (values: unknown, column: string, fail: Fail): Map<string, MappedValue> => {
  const what = `"values" of the column "${column}"`
  return new Map(
    Object.entries(objectOf(values, what, fail)).map(([from, to]) => [
      from.toLowerCase(),
      mappedValueOf(to, `"${from}" in ${what}`, fail),
    ]),
  )
}

const mappedValueOf = (value: unknown, what: string, fail: Fail): MappedValue =>
  value === null || typeof value === 'string' || typeof value === 'number'
    ? value
    : fail(`is invalid: ${what} should be a string, a number or null.`)

/** `by` has the form "employees.code". */
const lookupOf = (field: NamedField, by: unknown, fail: Fail): Lookup => {
  const [path = '', name = ''] = String(by).split('.')
  if (field.references?.resource !== path)
    fail(
      `looks up ${field.name} in ${path}, but ${field.name} ${field.references === undefined ? 'is not a reference' : `refers to ${field.references.resource}`}.`,
    )
  const target = resourceNamed(path, resources, fail)
  return { field: field.name, target, by: fieldNamed(name, { resource: target, fail }).name }
}

const withoutRepeated = (lookups: readonly Lookup[], fail: Fail): Lookup[] => {
  const byField = new Map<string, Lookup>()
  for (const lookup of lookups) {
    const other = byField.get(lookup.field)
    if (other !== undefined && other.by !== lookup.by)
      fail(`looks up ${lookup.field} by both ${other.by} and ${lookup.by}.`)
    byField.set(lookup.field, lookup)
  }
  return [...byField.values()]
}
