/** In charge of the shape of records: by the address that asked for them, which members each must have, and in which order. */
import type { Case, Deviation } from './case.ts'
import type { Contract, Operation, Schema } from './contract.ts'

export interface RecordShape {
  /** The members of every record, in order. */
  readonly names: readonly string[]
  /** Whether fields were left out that the schema of the record asks for. */
  readonly isPartial: boolean
  readonly schema: Schema
}

/** The shape of the records in a 200 of a list or a get; undefined for any other operation. */
export const shapeOf = (contract: Contract, operation: Operation, { request }: Case): RecordShape | undefined => {
  if (operation.kind !== 'list' && operation.kind !== 'get') return undefined
  const schema = recordSchema(contract, operation)
  const fields = asked(operation, request.target, 'fields')
  const expand = asked(operation, request.target, 'expand') ?? []
  const relations = namesOf(operation, 'expand')
  const names = Object.keys(schema.properties ?? {}).filter((name) =>
    relations.includes(name) ? expand.includes(name) : (fields?.includes(name) ?? true),
  )
  return { names, isPartial: fields !== undefined, schema }
}

const recordSchema = ({ resolve }: Contract, { kind, responses }: Operation): Schema => {
  const answered = resolve(responses.get(200)?.content?.['application/json']?.schema) ?? {}
  return kind === 'get' ? answered : (resolve(resolve(answered.properties?.data)?.items) ?? {})
}

/** The names a parameter takes; none where the operation does not have it. */
export const namesOf = ({ parameters }: Operation, parameter: string): readonly unknown[] =>
  parameters.find(({ name }) => name === parameter)?.schema.items?.enum ?? []

/** The last of a repeated parameter counts, and a blank one asks for nothing. */
const asked = (operation: Operation, target: string, parameter: string): string[] | undefined => {
  if (namesOf(operation, parameter).length === 0 || !target.includes('?')) return undefined
  const text = new URLSearchParams(target.slice(target.indexOf('?') + 1)).getAll(parameter).at(-1) ?? ''
  return text.trim() === '' ? undefined : text.split(',')
}

export const memberChecks = ({ names }: RecordShape, records: readonly object[]): Deviation[] => {
  const odd = records.find((record) => Object.keys(record).join() !== names.join())
  return odd === undefined
    ? []
    : [{ check: 'shape', message: `a record has ${Object.keys(odd).join()}, and ${names.join()} was asked for` }]
}
