/** What a result of the ranked search shows, as SQL. */
import type { Resource, SearchDeclaration, SearchedResource, SearchRelation } from '@muster/model'
import { redacted, resourceAt } from '@muster/model'
import type { TableSource } from '../../postgres/sql/statement.ts'
import { quoteIdentifier, quoteLiteral, responseColumns, sourceOf } from '../../postgres/sql/statement.ts'

/** The JSON text of the result for the record with this id. `match` is an expression. */
export const resultText = (resource: SearchedResource, id: string, match: string): string => {
  const { path, table, search } = resource
  const columns = [
    `${quoteLiteral(path)} as resource`,
    'r0.id',
    `${match} as match`,
    shownColumns(resource, search.fields, 'r0'),
    ...search.related.map((relation) => relatedColumn(relation, resource.hidesPersonal, 0)),
  ]
  return `(select row_to_json(result)::text from (select ${columns.join(', ')} from ${quoteIdentifier(table)} r0 where r0.id = ${id}) result)`
}

const shownColumns = (resource: Resource, names: readonly string[], alias: string): string =>
  responseColumns({ ...resource, allFields: resource.allFields.filter(({ name }) => names.includes(name)) }, alias)

/** The related record as a JSON object; null if there is none. */
const relatedColumn = (relation: SearchRelation, hidesPersonal: boolean, depth: number): string => {
  const { name, resource: path, by, latest, fields, related = [] } = relation
  const resource = hidesPersonal ? redacted(resourceAt(path)) : resourceAt(path)
  const [owner, alias] = [`r${depth}`, `r${depth + 1}`]
  const columns = [
    shownColumns(resource, fields, alias),
    ...related.map((each) => relatedColumn(each, hidesPersonal, depth + 1)),
  ]
  const reference = quoteIdentifier(by)
  const condition =
    latest === undefined
      ? `${alias}.id = ${owner}.${reference}`
      : `${alias}.${reference} = ${owner}.id order by ${alias}.${quoteIdentifier(latest)} desc nulls last, ${alias}.id desc limit 1`
  return `(select row_to_json(related) from (select ${columns.join(', ')} from ${quoteIdentifier(resource.table)} ${alias} where ${condition}) related) as ${quoteIdentifier(name)}`
}

/** The tables that a search of these resources reads. */
export const searchSource = (resources: readonly SearchedResource[]): TableSource => {
  const tables = resources.flatMap(({ table, search }) => [table, ...relatedTables(search.related)])
  return sourceOf(tables as [string, ...string[]])
}

const relatedTables = (relations: SearchDeclaration['related']): string[] =>
  relations.flatMap(({ resource, related = [] }) => [resourceAt(resource).table, ...relatedTables(related)])
