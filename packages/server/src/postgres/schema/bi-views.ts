/** The views for BI tools, without personal fields: one per resource, and one with the versions of its records. */
import type { Resource } from '@muster/model'
import { listedResources, storageOf, trackedFields, versionsSelect } from '@muster/model'
import type { Client } from 'pg'
import { DatabaseError } from 'pg'
import { OperatorError } from '../connection/explain-error.ts'
import { quoteIdentifier, quoteLiteral } from '../sql/statement.ts'
import { definitions } from './definitions.ts'
import { readDefinitions } from './integrity.ts'

export const biSchema = 'muster_bi'

/** The name of a resource in URLs, as an SQL name: career_sites, not career-sites. */
export const biViewName = ({ path }: Resource): string => path.replaceAll('-', '_')

/** The fields that a client without a token sees if reads are redacted. */
const publicFields = ({ storedFields }: Resource) => storedFields.filter(({ personal }) => !personal)

export interface BiView {
  readonly name: string
  readonly about: string
  readonly columns: readonly { readonly name: string; readonly about: string }[]
  readonly select: string
}

const tableView = (resource: Resource): BiView => {
  const fields = publicFields(resource)
  const columns = fields.map(({ name }) => quoteIdentifier(name)).join(', ')
  return {
    name: biViewName(resource),
    about: resource.about,
    columns: fields,
    select: `select ${columns} from public.${quoteIdentifier(resource.table)}`,
  }
}

/** One row per version of each record: a slowly changing dimension of type 2. */
const versionsView = (resource: Resource, select: string): BiView => ({
  name: `${biViewName(resource)}_versions`,
  about: `Versions of ${resource.titles}: the values of the tracked fields over time.`,
  columns: [
    { name: 'record_id', about: `Id of the ${resource.title}.` },
    { name: 'version', about: 'Number of the version, from 1.' },
    { name: 'valid_from', about: 'First day of the version; null if the first day of the first one is not known.' },
    { name: 'valid_to', about: 'Day from which on the next version holds; null for the present one.' },
    ...trackedFields(resource),
  ],
  select,
})

const storage = storageOf(listedResources)

/** In the order of the resources: first all that show a table, then the versions. */
export const biViews: readonly BiView[] = [
  ...listedResources.map(tableView),
  ...listedResources.flatMap((resource) => {
    const { table } = resource
    const description = storage[table]
    if (description?.history === undefined) return []
    return versionsView(resource, versionsSelect(table, { ...description, history: description.history }))
  }),
]

/**
 * The view reads the tables with the permissions of its owner, so a role needs none on them. It calls no function,
 * because functions run with the permissions of the caller.
 */
const biViewSql = ({ name, about, columns, select }: BiView): string => {
  const view = `${biSchema}.${quoteIdentifier(name)}`
  return [
    `drop view if exists ${view}`,
    `create view ${view} (${columns.map((column) => quoteIdentifier(column.name)).join(', ')}) as ${select}`,
    `comment on view ${view} is ${quoteLiteral(about)}`,
    ...columns.map(
      (column) => `comment on column ${view}.${quoteIdentifier(column.name)} is ${quoteLiteral(column.about)}`,
    ),
  ].join(';\n')
}

/** The views that are missing or not as this release defines them. */
export const changedBiViews = async (client: Client): Promise<BiView[]> => {
  const existingDefinitions = await readDefinitions(client)
  return biViews.filter(({ name: viewName }) => {
    const name = `view ${biSchema}.${viewName}`
    return !existingDefinitions.has(name) || existingDefinitions.get(name) !== definitions[name]
  })
}

/** Replacing a view waits for the queries that read it, so only the changed ones are replaced. */
export const replaceBiViews = async (client: Client, changedViews: readonly BiView[]): Promise<void> => {
  try {
    // "create schema if not exists" needs a permission on the database even if the schema exists.
    const { rows } = await client.query(`select to_regnamespace('${biSchema}') is null as missing`)
    if (rows[0].missing) await client.query(`create schema ${biSchema}`)
    for (const view of changedViews) await client.query(biViewSql(view))
  } catch (error) {
    throw dependentObjectError(error) ?? error
  }
}

/** An operator's own view that reads one of these views. PostgreSQL names it in the detail of the error. */
const dependentObjectError = (error: unknown): OperatorError | undefined => {
  if (!(error instanceof DatabaseError) || error.code !== dependentObjects) return undefined
  return new OperatorError(
    `${error.message} (${error.detail}): drop what depends on it, run "npx muster migrate" again, and create it again.`,
    { cause: error },
  )
}

/** SQLSTATE dependent_objects_still_exist. */
const dependentObjects = '2BP01'
