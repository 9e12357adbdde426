/** Validates bodies and headers against the OpenAPI document with Ajv, which shares no code with the service. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Contract, Schema } from './contract.ts'

export interface Validators {
  /** Returns the schema errors of a value. Undeclared properties count as errors. */
  errorsOf(schema: Schema, value: unknown): readonly ErrorObject[]
}

export const openValidators = (contract: Contract): Validators => {
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictTypes: false, validateSchema: false })
  for (const format of ['int64', 'double']) ajv.addFormat(format, true)
  ajv.addKeyword('components')
  ajv.addSchema({ components: withoutExtraProperties(contract.document.components) }, 'contract')
  const validatorsBySchema = new Map<Schema, ValidateFunction>()
  return {
    errorsOf(schema, value) {
      let validate = validatorsBySchema.get(schema)
      if (validate === undefined) {
        validate = ajv.compile(withAbsoluteRefs(withoutExtraProperties(schema)) as object)
        validatorsBySchema.set(schema, validate)
      }
      return validate(value) ? [] : (validate.errors ?? [])
    },
  }
}

type JsonObject = Readonly<Record<string, unknown>>

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Adds `additionalProperties: false` to every object schema that has properties and does not set it. */
const withoutExtraProperties = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExtraProperties)
  if (!isJsonObject(value)) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutExtraProperties(inner)]))
  return isJsonObject(value.properties) && isObjectSchema(value) && value.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}

const isObjectSchema = ({ type }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

/** Makes every `$ref` absolute, because each schema is compiled on its own, outside the document. */
const withAbsoluteRefs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withAbsoluteRefs)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' ? [key, `contract${inner}`] : [key, withAbsoluteRefs(inner)],
    ),
  )
}
