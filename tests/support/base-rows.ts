/** Inserts rows of every resource directly into the database, based on the resource declarations. */
import type { NamedField, Resource } from '@muster/model'
import { resourceAt, resources } from '@muster/model'
import type { Client } from 'pg'

/** Number of rows in each table that tests never delete, so that other rows can refer to them. */
export const baseRowCount = 20

export const statusValues = ['active', 'Hired', 'archived', 'ACTIVE', "o'clock"]

/** All NOT NULL columns except the id. */
export const requiredColumns = (resource: Resource): readonly NamedField[] =>
  resource.storedFields.filter(({ kind, required }) => required && kind !== 'id')

export const insertRowsSql = (resource: Resource): string => {
  const columns = requiredColumns(resource)
  const names = columns.map(({ name }) => name).join(', ')
  return `insert into ${resource.table} (${names}) select ${columns.map(columnExpression).join(', ')} from generate_series(1, $1::int) n`
}

/** An SQL expression for the value of a column. Unique columns get a different value in every row. */
const columnExpression = ({ kind, state }: NamedField): string => {
  if (state)
    return `(array[${statusValues.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}])[1 + floor(random() * ${statusValues.length})::int]`
  switch (kind) {
    case 'reference':
      return `1 + floor(random() * ${baseRowCount})::bigint`
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

/** All resources, ordered so that a resource comes after those that it refers to. */
const resourcesInInsertOrder = (): Resource[] => {
  const ordered: Resource[] = []
  const visit = (resource: Resource): void => {
    if (ordered.includes(resource)) return
    for (const { references, required } of resource.storedFields)
      if (references !== undefined && required) visit(resourceAt(references.resource))
    ordered.push(resource)
  }
  for (const resource of resources) visit(resource)
  return ordered
}

export const insertBaseRows = async (client: Client): Promise<void> => {
  for (const resource of resourcesInInsertOrder()) await client.query(insertRowsSql(resource), [baseRowCount])
}
