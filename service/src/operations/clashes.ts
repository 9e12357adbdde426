/** In charge of what in the database stands against a create: references to nothing, and values that are taken. */
import type { Fault, NamedField, Resource, Stored } from '@muster/model'
import { bodyFault, faultAt, resourceAt } from '@muster/model'
import type { Runner } from '../database/database.ts'
import type { RefusedValue } from '../database/sql-states.ts'
import type { Statement } from '../database/statement.ts'
import { quoted } from '../database/statement.ts'

type Values = ReadonlyMap<string, Stored>

interface Check {
  readonly fault: Fault
  /** True in SQL where the fault is there. */
  readonly condition: string
}

/** All clashes at once, found by one statement; none where nothing can be checked. */
export const clashFaults = async (database: Runner, resource: Resource, values: Values): Promise<readonly Fault[]> => {
  const { statement, faults } = clashStatement(resource, values)
  if (faults.length === 0) return []
  const [row] = await database.run(statement)
  return faults.filter((_, index) => row?.[index] === true)
}

export const clashStatement = (resource: Resource, values: Values): { statement: Statement; faults: Fault[] } => {
  const parameters: unknown[] = []
  const parameter = (value: Stored): string => `$${parameters.push(value)}`
  const checks = [
    ...resource.writable.flatMap((field) => referenceCheck(field, values, parameter)),
    ...resource.unique.flatMap((names) => uniqueCheck(resource, names, values, parameter)),
  ]
  const text = `select ${checks.map(({ condition }) => condition).join(', ')}`
  return {
    statement: {
      pool: 'write',
      summary: `clashes ${resource.path}`,
      tables: tablesOfCreate(resource),
      text,
      values: parameters,
    },
    faults: checks.map(({ fault }) => fault),
  }
}

/** The table of the record and those it refers to: a foreign key check waits for locks on the referenced table. */
export const tablesOfCreate = ({ table, writable }: Resource): readonly string[] => [
  ...new Set([
    table,
    ...writable.flatMap(({ references }) => (references === undefined ? [] : [resourceAt(references.resource).table])),
  ]),
]

const referenceCheck = (field: NamedField, values: Values, parameter: (value: Stored) => string): Check[] => {
  const value = values.get(field.name)
  if (field.references === undefined || value == null) return []
  const target = resourceAt(field.references.resource)
  const conditions = [`id = ${parameter(value)}::bigint`]
  const { within } = field.references
  const shared = within === undefined ? undefined : values.get(within)
  if (within !== undefined && shared != null) conditions.push(`${quoted(within)} = ${parameter(shared)}::bigint`)
  return [
    {
      fault: notFound(field.name, target, value),
      condition: `not exists (select from ${quoted(target.table)} where ${conditions.join(' and ')})`,
    },
  ]
}

const uniqueCheck = (
  resource: Resource,
  names: readonly string[],
  values: Values,
  parameter: (value: Stored) => string,
): Check[] => {
  const given = names.map((name) => [name, values.get(name)] as const)
  if (given.some(([, value]) => value == null)) return []
  const conditions = given.map(([name, value]) => `${quoted(name)} = ${parameter(value as Stored)}`)
  return [
    {
      fault: taken(names, values),
      condition: `exists (select from ${quoted(resource.table)} where ${conditions.join(' and ')})`,
    },
  ]
}

/** The fault that the database named by itself: constraints are called after their table and columns. */
export const refusalFault = (resource: Resource, { kind, constraint, column }: RefusedValue): Fault | undefined => {
  switch (kind) {
    case 'value':
      return faultAt(column === '' ? ['body'] : ['body', column], { type: 'value_refused' })
    case 'unique': {
      const names = resource.unique.find((set) => constraint === `${resource.table}_${set.join('_')}_key`)
      return names === undefined ? undefined : taken(names, new Map())
    }
    case 'reference': {
      const field = resource.writable.find(({ name }) => constraint === `${resource.table}_${name}_fkey`)
      return field?.references && notFound(field.name, resourceAt(field.references.resource))
    }
  }
}

const notFound = (name: string, { title }: Resource, value?: Stored): Fault =>
  bodyFault(name, { type: 'reference_not_found', ctx: { resource: title } }, value)

/** Told of the last field of the set: the slug, not the organization it is a slug in. */
const taken = (names: readonly string[], values: Values): Fault => {
  const name = names.at(-1) as string
  return bodyFault(name, { type: 'already_exists' }, values.get(name))
}
