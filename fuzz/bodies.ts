/** In charge of bodies that a create must accept: what the schema says, and the few rules that no schema can say. */
import * as fc from 'fast-check'
import type { Resource } from '../acceptance/field-table.ts'
import { references } from '../acceptance/rule-table.ts'
import type { Contract, Operation, Schema } from './contract.ts'
import type { Pools } from './pools.ts'
import type { Body } from './record-model.ts'
import { isWithinYears } from './record-model.ts'
import { uniquePlace } from './request.ts'
import { schemaArbitrary, textArbitrary } from './schema-arbitrary.ts'

export interface BodyParts {
  readonly contract: Contract
  readonly pools: Pools
}

export const bodySchema = (contract: Contract, operation: Operation): Schema & Required<Pick<Schema, 'properties'>> => {
  const schema = contract.resolve(operation.body?.schema)
  if (schema?.properties === undefined) throw new Error(`${operation.id} takes no object.`)
  return { ...schema, properties: schema.properties }
}

/** Where a field of a create leads to; undefined for one that is no reference. */
export const referenceOf = (resource: string, field: string): Resource | undefined =>
  references[resource as Resource]?.[field]

export const validBodies = ({ contract, pools }: BodyParts, operation: Operation): fc.Arbitrary<Body> => {
  const { properties, required = [] } = bodySchema(contract, operation)
  const fields = Object.entries(properties).map(([name, schema]) => {
    const target = referenceOf(operation.resource, name)
    const isOptional = !required.includes(name)
    if (target !== undefined) return [name, idsOf(pools, target, isOptional)] as const
    if (name === 'slug') return [name, slugs] as const
    return [name, schemaArbitrary(schema, contract.resolve).filter(isKeepable)] as const
  })
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] })
    .map((body) => reconciled(pools, body as Body))
}

const idsOf = (pools: Pools, target: string, isOptional: boolean): fc.Arbitrary<number | null> => {
  const ids = fc.constantFrom(...pools.of(target).map(({ id }) => id))
  return isOptional ? fc.option(ids, { freq: 5 }) : ids
}

/** Any text with something in it that no other record has. */
const slugs = textArbitrary({ maxLength: 60 })
  .filter((text) => !text.includes('\0'))
  .map((text) => text + uniquePlace)

/** A date-time on the edge of the calendar may fall off it once its offset is applied. */
const isKeepable = (value: unknown): boolean =>
  typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[Tt ]/.test(value) || isWithinYears(value)

/** Sets right what fields say of one another: the order of two dates, and the organization of a team's parent. */
const reconciled = (pools: Pools, body: Body): Body => {
  const { from_date, to_date, parent_id } = body as { from_date?: string; to_date?: string; parent_id?: number }
  const parent = parent_id == null ? undefined : pools.of('organization-teams').find(({ id }) => id === parent_id)
  const swapped = from_date != null && to_date != null && to_date.slice(0, 10) < from_date.slice(0, 10)
  return {
    ...body,
    ...(swapped ? { from_date: to_date, to_date: from_date } : {}),
    ...(parent === undefined ? {} : { organization_id: parent.organization_id }),
  }
}

/** One fixed body with the required fields alone, for cases that are about something else. */
export const plainBody = ({ contract, pools }: BodyParts, operation: Operation): Body => {
  const { properties, required = [] } = bodySchema(contract, operation)
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => required.includes(name))
      .map((name) => {
        const target = referenceOf(operation.resource, name)
        if (target !== undefined) return [name, pools.of(target)[0]?.id]
        return [name, name === 'slug' ? uniquePlace : 'Plain']
      }),
  )
}

/** JSON text of a body in which one field carries a value written by hand, such as 1e400. */
export const withLiteral = (body: Body, field: string, literal: string): string => {
  const members = Object.entries(body).filter(([name]) => name !== field)
  const text = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...text, `${JSON.stringify(field)}:${literal}`].join(',')}}`
}
