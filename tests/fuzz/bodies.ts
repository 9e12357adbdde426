/** Generates create bodies that are valid by the schema and by the rules that a JSON Schema cannot express. */
import * as fc from 'fast-check'
import type { Field, Resource } from '../contract/contract.ts'
import { writableFieldsOf } from '../contract/contract.ts'
import type { Contract, Operation, Schema } from './contract.ts'
import type { Pools } from './pools.ts'
import type { Body } from './record-model.ts'
import { hasFourDigitYear } from './record-model.ts'
import { uniquePlaceholder } from './request.ts'
import { schemaArbitrary, textArbitrary } from './schema-arbitrary.ts'

export interface BodyContext {
  readonly contract: Contract
  readonly pools: Pools
}

export const bodySchema = (contract: Contract, operation: Operation): Schema & Required<Pick<Schema, 'properties'>> => {
  const schema = contract.resolve(operation.body?.schema)
  if (schema?.properties === undefined) throw new Error(`${operation.id} does not accept an object.`)
  return { ...schema, properties: schema.properties }
}

/** The contract of a field of a create. Undefined if there is no such field. */
export const writableField = (resource: Resource, name: string): Field | undefined =>
  writableFieldsOf(resource).find(({ field }) => field === name)

/** The resource that a field refers to. Undefined if the field is not a foreign key. */
export const referencedResource = (resource: Resource, name: string): Resource | undefined =>
  writableField(resource, name)?.to

export const validBodies = ({ contract, pools }: BodyContext, operation: Operation): fc.Arbitrary<Body> => {
  const { properties, required = [] } = bodySchema(contract, operation)
  const fields = Object.entries(properties).map(([name, schema]) => {
    const target = referencedResource(operation.resource, name)
    const isOptional = !required.includes(name)
    if (target !== undefined) return [name, idArbitrary(pools, target, isOptional)] as const
    if (writableField(operation.resource, name)?.uniqueWithin !== undefined) return [name, uniqueArbitrary] as const
    return [name, schemaArbitrary(schema, contract.resolve).filter(isStorable)] as const
  })
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] })
    .map((body) => withConsistentFields(pools, operation.resource, body as Body))
}

const idArbitrary = (pools: Pools, target: string, isOptional: boolean): fc.Arbitrary<number | null> => {
  const ids = fc.constantFrom(...pools.recordsOf(target).map(({ id }) => id))
  return isOptional ? fc.option(ids, { freq: 5 }) : ids
}

/** Arbitrary strings that end in a placeholder, which is replaced with a unique string when the request is sent. */
const uniqueArbitrary = textArbitrary({ maxLength: 60 })
  .filter((memberTexts) => !memberTexts.includes('\0'))
  .map((text) => text + uniquePlaceholder)

/** Rejects date-times whose year would leave the range 1 to 9999 when converted to UTC. */
const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[Tt ]/.test(value) || hasFourDigitYear(value)

/** Makes dependent fields consistent: swaps dates in the wrong order, and copies what a referenced record must share. */
const withConsistentFields = (pools: Pools, resource: Resource, body: Body): Body => {
  const consistent: Record<string, unknown> = { ...body }
  for (const { field, notBefore, to, within } of writableFieldsOf(resource)) {
    const value = consistent[field]
    if (value == null) continue
    if (notBefore !== undefined) {
      const earliest = consistent[notBefore]
      if (earliest != null && String(value).slice(0, 10) < String(earliest).slice(0, 10))
        Object.assign(consistent, { [field]: earliest, [notBefore]: value })
    }
    if (to !== undefined && within !== undefined)
      consistent[within] = pools.recordsOf(to).find(({ id }) => id === value)?.[within]
  }
  return consistent
}

/** A fixed valid body with only the required fields, for cases that do not test the body. */
export const minimalBody = ({ contract, pools }: BodyContext, operation: Operation): Body => {
  const { properties, required = [] } = bodySchema(contract, operation)
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => required.includes(name))
      .map((name) => {
        const target = referencedResource(operation.resource, name)
        if (target !== undefined) return [name, pools.recordsOf(target)[0]?.id]
        const { uniqueWithin, sample } = writableField(operation.resource, name) ?? {}
        return [name, uniqueWithin === undefined ? sample : uniquePlaceholder]
      }),
  )
}

/** The body as JSON with one field set to a literal that JSON.stringify cannot produce, such as 1e400. */
export const withLiteral = (body: Body, field: string, literal: string): string => {
  const members = Object.entries(body).filter(([name]) => name !== field)
  const text = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...text, `${JSON.stringify(field)}:${literal}`].join(',')}}`
}
