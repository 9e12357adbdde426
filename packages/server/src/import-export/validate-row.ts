import type { NamedField, Resource, StoredValue, Violation } from '@muster/model'
import { isNeverBlank, validateValue } from '@muster/model'
import type { RowError } from './row-error.ts'
import { rowErrorOf } from './row-error.ts'
import type { InputRow } from './row-reader.ts'

/** Column defaults of the database, by field name. */
export type Defaults = ReadonlyMap<string, string>

export interface ValidatedRow {
  /** One value per stored field, in declaration order; null if it is invalid. */
  readonly values: readonly StoredValue[]
  readonly errors: readonly RowError[]
}

export type RowValidator = (row: InputRow) => ValidatedRow

/**
 * Returns a function that validates rows. Everything that depends only on the resource is computed in advance. If rows
 * may be partial, a field that a row omits is valid: a row that changes a record needs only the fields that it changes.
 */
export const openRowValidator = (
  resource: Resource,
  defaults: Defaults,
  { partial }: { readonly partial: boolean },
): RowValidator => {
  const fieldRules = resource.storedFields.map((field) => ruleFor(field, defaults.get(field.name)))
  const dateOrders = resource.storedFields.flatMap((field, laterIndex) => {
    const earlierIndex = resource.storedFields.findIndex(({ name }) => name === field.notBefore)
    return earlierIndex === -1 ? [] : [{ field, laterIndex, earlierIndex }]
  })
  const nullValues = resource.storedFields.map(() => null)
  return ({ line, inputs, errors: rowErrors }) => {
    if (inputs.length === 0) return { values: nullValues, errors: rowErrors }
    const errors: RowError[] = [...rowErrors]
    const values: StoredValue[] = []
    for (const [index, { field, fallback, optional }] of fieldRules.entries()) {
      const value = inputs[index]
      const mayBeEmpty = optional || (partial && value === undefined)
      const result = value == null ? validateEmpty(value, fallback, mayBeEmpty) : validatePresent(field, value)
      values.push('violation' in result ? null : result.stored)
      if ('violation' in result) errors.push(rowErrorOf(line, field.name, result.violation, value))
    }
    for (const { field, laterIndex, earlierIndex } of dateOrders) {
      if (isBefore(values[laterIndex], values[earlierIndex]))
        errors.push(
          rowErrorOf(
            line,
            field.name,
            { type: 'date_order', ctx: { not_before: field.notBefore ?? '' } },
            inputs[laterIndex],
          ),
        )
    }
    return { values, errors }
  }
}

interface FieldRule {
  readonly field: NamedField
  readonly fallback: string | undefined
  readonly optional: boolean
}

const ruleFor = (field: NamedField, fallback: string | undefined): FieldRule => ({
  field: isNeverBlank(field) ? { ...field, notBlank: true } : field,
  fallback,
  optional: !field.required || field.kind === 'id',
})

type ValueResult = { readonly stored: StoredValue } | { readonly violation: Violation }

/** Defaults apply as in a create: an omitted field gets its default, and so does a required field that is null. */
const validateEmpty = (value: null | undefined, fallback: string | undefined, optional: boolean): ValueResult => {
  if (optional) return { stored: value === undefined ? (fallback ?? null) : null }
  return fallback === undefined ? { violation: { type: 'missing' } } : { stored: fallback }
}

/**
 * The largest id that an import may contain. The next generated id follows the largest stored one, so this limit leaves
 * seven trillion ids up to the largest safe integer.
 */
const largestId = 9_000_000_000_000_000

const validatePresent = (field: NamedField, value: unknown): ValueResult => {
  const result = validateValue(field, value)
  if (field.kind !== 'id' || 'violation' in result) return result
  if (Number(result.stored) < 1) return { violation: { type: 'greater_than_equal', ctx: { ge: 1 } } }
  return Number(result.stored) > largestId ? { violation: { type: 'less_than_equal', ctx: { le: largestId } } } : result
}

/** Compares strings, because both dates have the form YYYY-MM-DD. */
const isBefore = (later: StoredValue | undefined, earlier: StoredValue | undefined): boolean =>
  later != null && earlier != null && later < earlier
