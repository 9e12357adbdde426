/** In charge of rows of every resource, made from the declarations: what writers of a database put in beside the service. */
import type { NamedField, Resource } from '@muster/model'
import { resourceAt, resources } from '@muster/model'
import type { Client } from 'pg'

/** Rows of each table that are there from the beginning and are never taken away, so that others can refer to them. */
export const baseCount = 20

export const states = ['active', 'Hired', 'archived', 'ACTIVE', "o'clock"]

/** Columns that a row cannot do without. */
export const columnsOf = (resource: Resource): readonly NamedField[] =>
  resource.stored.filter(({ kind, required }) => required && kind !== 'id')

export const insertRows = (resource: Resource): string => {
  const columns = columnsOf(resource)
  const names = columns.map(({ name }) => name).join(', ')
  return `insert into ${resource.table} (${names}) select ${columns.map(expression).join(', ')} from generate_series(1, $1::int) n`
}

/** An expression that gives another value for every row. */
const expression = ({ kind, state }: NamedField): string => {
  if (state)
    return `(array[${states.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}])[1 + floor(random() * ${states.length})::int]`
  switch (kind) {
    case 'reference':
      return `1 + floor(random() * ${baseCount})::bigint`
    case 'integer':
      return 'n'
    case 'date':
      return 'current_date'
    case 'timestamp':
      return 'now()'
    default:
      return 'gen_random_uuid()::text'
  }
}

/** Those that others refer to come first. */
const inOrder = (): Resource[] => {
  const ordered: Resource[] = []
  const visit = (resource: Resource): void => {
    if (ordered.includes(resource)) return
    for (const { references, required } of resource.stored)
      if (references !== undefined && required) visit(resourceAt(references.resource))
    ordered.push(resource)
  }
  for (const resource of resources) visit(resource)
  return ordered
}

export const baseRows = async (client: Client): Promise<void> => {
  for (const resource of inOrder()) await client.query(insertRows(resource), [baseCount])
}
