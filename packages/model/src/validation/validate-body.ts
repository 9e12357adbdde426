import type { NamedField } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { StoredValue } from './value.ts'
import { validateValue } from './value.ts'
import type { ValidationError, Violation } from './violation.ts'
import { errorAt } from './violation.ts'

export interface ValidatedBody {
  /** The values to store, for all fields that are present in the body and valid. */
  readonly values: ReadonlyMap<string, StoredValue>
  /** All errors, in the order in which the fields are declared. */
  readonly errors: readonly ValidationError[]
}

export const validateBody = (resource: Resource, body: Readonly<Record<string, unknown>>): ValidatedBody => {
  const values = new Map<string, StoredValue>()
  const errors: ValidationError[] = []
  for (const field of resource.writableFields) {
    const value = Object.hasOwn(body, field.name) ? body[field.name] : undefined
    const result = validateField(field, value)
    if ('violation' in result) errors.push(bodyError(field.name, result.violation, value))
    else if (result.stored !== undefined) values.set(field.name, result.stored)
  }
  errors.push(...orderErrors(resource, values))
  const declared = new Set(resource.writableFields.map((field) => field.name))
  for (const [name, given] of Object.entries(body)) {
    if (!declared.has(name)) errors.push(bodyError(name, { type: 'extra_forbidden' }, given))
  }
  return { values, errors: inFieldOrder(resource, errors) }
}

export const bodyError = (name: string, violation: Violation, input: unknown): ValidationError =>
  errorAt(['body', name], violation, echoableInput(input))

/** Sorts errors by the order in which their fields are declared. Errors of undeclared fields come last, unsorted. */
export const inFieldOrder = (resource: Resource, errors: readonly ValidationError[]): readonly ValidationError[] => {
  const indexes = new Map(resource.writableFields.map((field, index) => [field.name, index]))
  const indexOf = (error: ValidationError) => indexes.get(String(error.loc[1])) ?? Number.POSITIVE_INFINITY
  return errors.toSorted((a, b) => (indexOf(a) === indexOf(b) ? 0 : indexOf(a) - indexOf(b)))
}

const validateField = (
  field: NamedField,
  value: unknown,
): { stored: StoredValue | undefined } | { violation: Violation } => {
  if (value === undefined)
    return field.create === 'required' ? { violation: { type: 'missing' } } : { stored: undefined }
  if (value === null && field.create === 'optional') return { stored: field.required ? undefined : null }
  return validateValue(field, value)
}

const orderErrors = (resource: Resource, values: ReadonlyMap<string, StoredValue>): ValidationError[] =>
  resource.writableFields.flatMap((field) => {
    if (field.notBefore === undefined) return []
    const date = values.get(field.name)
    const earliestDate = values.get(field.notBefore)
    if (date == null || earliestDate == null || date >= earliestDate) return []
    return [bodyError(field.name, { type: 'date_order', ctx: { not_before: field.notBefore } }, date)]
  })

/**
 * An error repeats the rejected value only if it is a short string, a number, a boolean or null. Returns undefined for
 * other values.
 */
const echoableInput = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length <= 256 && value.isWellFormed() ? value : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'object' && value !== null ? undefined : value
}
