import { singleTextFilters } from './generated/tables.ts'

export type ParameterValue = string | number | boolean | readonly (string | number)[] | null | undefined

/** Parameters that may be an empty list or text: it means the same as leaving the parameter out. */
const parametersThatMayBeBlank = ['q', 'sort', 'expand']

/** Parameters that take one text, in which commas are not doubled. */
const singleTextParameters = ['q', ...singleTextFilters]

/**
 * Builds a query string. The values of a list are separated by commas, and a comma within a value is doubled.
 *
 * The service ignores blank filters, so a filter by an empty list or text would match every record. Such a filter
 * throws a TypeError instead. A filter by null also throws, because `<field>_is_null` is the filter for records without
 * a value.
 */
export const queryString = (query: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, ParameterValue][]) {
    if (value === undefined || (parametersThatMayBeBlank.includes(name) && isBlank(value))) continue
    parameters.set(name, joinValues(name, value))
  }
  const text = parameters.toString()
  return text && `?${text}`
}

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === ''

const joinValues = (name: string, value: ParameterValue): string => {
  const values = Array.isArray(value) ? value : [value]
  const writtenComma = singleTextParameters.includes(name) ? ',' : ',,'
  const texts = values.map((item) => String(item).replaceAll(',', writtenComma))
  // A value that begins with a comma can only be the first one: after a separator, the service would read that comma as
  // part of the value before it.
  if (values.length === 0 || values.some(isBlank) || texts.some((text, index) => index > 0 && text.startsWith(',')))
    throw new TypeError(`${name} cannot be ${JSON.stringify(value)}: give it a value, or leave it out`)
  return texts.join(',')
}
