/** The views for BI tools: one per resource, without personal fields. */
import type { Resource } from '@muster/model'
import { listedResources } from '@muster/model'
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

/**
 * The view reads the table with the permissions of its owner, so a role needs none on the table. It calls no function,
 * because functions run with the permissions of the caller.
 */
const biViewSql = (resource: Resource): string => {
  const view = `${biSchema}.${quoteIdentifier(biViewName(resource))}`
  const fields = publicFields(resource)
  const columns = fields.map(({ name }) => quoteIdentifier(name)).join(', ')
  return [
    `drop view if exists ${view}`,
    `create view ${view} as select ${columns} from public.${quoteIdentifier(resource.table)}`,
    `comment on view ${view} is ${quoteLiteral(resource.about)}`,
    ...fields.map(({ name, about }) => `comment on column ${view}.${quoteIdentifier(name)} is ${quoteLiteral(about)}`),
  ].join(';\n')
}

/** The resources whose views are missing or not as this release defines them. */
export const changedBiViews = async (client: Client): Promise<Resource[]> => {
  const existingDefinitions = await readDefinitions(client)
  return listedResources.filter((resource) => {
    const name = `view ${biSchema}.${biViewName(resource)}`
    return !existingDefinitions.has(name) || existingDefinitions.get(name) !== definitions[name]
  })
}

/** Replacing a view waits for the queries that read it, so only the changed ones are replaced. */
export const replaceBiViews = async (client: Client, changedResources: readonly Resource[]): Promise<void> => {
  try {
    // "create schema if not exists" needs a permission on the database even if the schema exists.
    const { rows } = await client.query(`select to_regnamespace('${biSchema}') is null as missing`)
    if (rows[0].missing) await client.query(`create schema ${biSchema}`)
    for (const resource of changedResources) await client.query(biViewSql(resource))
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
