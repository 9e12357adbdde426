/** Computes which fields and related records a response must contain for the `fields` and `expand` of its request. */
import type { Case, Deviation } from './case.ts'
import type { Contract, Operation, Schema } from './contract.ts'

export interface ExpectedProjection {
  /** Names of the expected fields and related records, in the order of the schema. */
  readonly names: readonly string[]
  /** Whether the request has `fields`, so that required fields of the schema may be missing. */
  readonly isPartial: boolean
  readonly schema: Schema
}

/** The expected projection of a 200 response. Undefined unless the operation is a list or a get. */
export const projectionOf = (
  contract: Contract,
  operation: Operation,
  { request }: Case,
): ExpectedProjection | undefined => {
  if (operation.kind !== 'list' && operation.kind !== 'get') return undefined
  const schema = recordSchema(contract, operation)
  const fields = requestedNames(operation, request.target, 'fields')
  const expand = requestedNames(operation, request.target, 'expand') ?? []
  const relations = allowedNames(operation, 'expand')
  const names = Object.keys(schema.properties ?? {}).filter((name) =>
    relations.includes(name) ? expand.includes(name) : (fields?.includes(name) ?? true),
  )
  return { names, isPartial: fields !== undefined, schema }
}

const recordSchema = ({ resolve }: Contract, { kind, responses }: Operation): Schema => {
  const schema = resolve(responses.get(200)?.content?.['application/json']?.schema) ?? {}
  return kind === 'get' ? schema : (resolve(resolve(schema.properties?.data)?.items) ?? {})
}

/** The names that a parameter allows. Empty if the operation does not have the parameter. */
export const allowedNames = ({ parameters }: Operation, parameter: string): readonly unknown[] =>
  parameters.find(({ name }) => name === parameter)?.schema.items?.enum ?? []

/** If a parameter is repeated, the last one counts. A blank value counts as absent. */
const requestedNames = (operation: Operation, target: string, parameter: string): string[] | undefined => {
  if (allowedNames(operation, parameter).length === 0 || !target.includes('?')) return undefined
  const text = new URLSearchParams(target.slice(target.indexOf('?') + 1)).getAll(parameter).at(-1) ?? ''
  return text.trim() === '' ? undefined : text.split(',')
}

export const memberChecks = ({ names }: ExpectedProjection, records: readonly object[]): Deviation[] => {
  const mismatch = records.find((record) => Object.keys(record).join() !== names.join())
  return mismatch === undefined
    ? []
    : [
        {
          check: 'projection',
          message: `a record has ${Object.keys(mismatch).join()}, but ${names.join()} was requested`,
        },
      ]
}
