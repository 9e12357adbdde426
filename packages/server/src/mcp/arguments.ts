/** Arguments that several tools have in common, and how they become parameters of the API. */
import { listedResources, pageLimits } from '@muster/model'
import type { Query } from './api.ts'
import { ToolError } from './tool-error.ts'

export type Filters = Readonly<Record<string, unknown>>

export const resourceSchema = { enum: listedResources.map(({ path }) => path) }

/** What the API checks too is left out of these schemas, because agents read all of them before their first question. */
export const filtersSchema = { type: 'object' }
export const fieldsSchema = { type: 'array', items: { type: 'string' }, minItems: 1 }
export const searchSchema = { type: 'string' }
export const sortSchema = { type: 'string' }
export const limitSchema = { type: 'integer', minimum: 1, maximum: pageLimits.maxLimit }
export const offsetSchema = { type: 'integer', minimum: 0 }

export interface PageArguments {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Parameters of lists that have an argument of their own, or change the format of the response. */
const listParameters = ['q', 'limit', 'offset', 'sort', 'fields', 'expand', 'by', 'format']

export const filterQuery = (filters: Filters): Query => parameterQuery(filters, listParameters)

export const reportQuery = (parameters: Filters): Query => parameterQuery(parameters, ['format'])

const parameterQuery = (given: Filters, excludedNames: readonly string[]): Query =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (excludedNames.includes(name)) throw new ToolError(`${name} is not a filter.`)
      return [name, parameterText(name, value)]
    }),
  )

/**
 * The API separates values by commas. Whether a comma in a string belongs to the value cannot be known, and a wrong
 * guess would find nothing. The API ignores a blank value.
 */
const parameterText = (name: string, value: unknown): string => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!values.every(isScalar))
    throw new ToolError(`The value of ${name} must be text, a number, true, false, or an array.`)
  if (values.length === 0 || values.some((each) => String(each).trim() === ''))
    throw new ToolError(`The value of ${name} is empty: leave it out.`)
  if (typeof value === 'string' && value.includes(','))
    throw new ToolError(
      `The value of ${name} contains a comma: send an array, of several values, or of one value with a comma in it.`,
    )
  return values.map((each) => String(each).replaceAll(',', ',,')).join(',')
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
