/** In charge of judging bodies and headers by the description alone, with a validator the service knows nothing of. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Contract, Schema } from './contract.ts'

export interface Validators {
  /** What is wrong with a value; an object may hold nothing that its schema does not name. */
  faultsOf(schema: Schema, value: unknown): readonly ErrorObject[]
}

export const openValidators = (contract: Contract): Validators => {
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictTypes: false, validateSchema: false })
  for (const format of ['int64', 'double']) ajv.addFormat(format, true)
  ajv.addKeyword('components')
  ajv.addSchema({ components: closed(contract.document.components) }, 'contract')
  const compiled = new Map<Schema, ValidateFunction>()
  return {
    faultsOf(schema, value) {
      let validate = compiled.get(schema)
      if (validate === undefined) {
        validate = ajv.compile(rooted(closed(schema)) as object)
        compiled.set(schema, validate)
      }
      return validate(value) ? [] : (validate.errors ?? [])
    },
  }
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects that name their properties and do not say that there may be others take no others. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!isNode(value)) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  return isNode(value.properties) && isObjectSchema(value) && value.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}

const isObjectSchema = ({ type }: Node): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

/** References lead into the document, wherever the schema that holds them stands. */
const rooted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rooted)
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' ? [key, `contract${inner}`] : [key, rooted(inner)],
    ),
  )
}
