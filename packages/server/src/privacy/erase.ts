/** Erasure of a person (GDPR Art. 17): empties every personal field in all records of that person. */
import type { NamedField, PersonKind, Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { Client } from 'pg'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'
import { hasPersonalValues, quoteIdentifier, redactedLiteral } from '../postgres/sql/statement.ts'
import { storeErasedKeys } from './erased-keys.ts'
import { linkCondition, personLinks } from './person-links.ts'

export interface EraseOptions {
  readonly kind: PersonKind
  readonly id: string
  /** Whether the transaction is rolled back instead of committed. */
  readonly dryRun: boolean
}

export interface ErasedRecords {
  readonly resource: Resource
  readonly fields: readonly NamedField[]
  readonly ids: readonly string[]
}

export interface Erasure {
  /** Undefined if no record has the given id. */
  readonly erased: readonly ErasedRecords[] | undefined
  /** Other records with the same e-mail address and no reference to this person: perhaps the same person. */
  readonly sameEmail: readonly { readonly kind: PersonKind; readonly id: string }[]
}

/** The ids of all records of one person: a hired candidate also has one or more employee records. */
export type Person = Readonly<Record<PersonKind, readonly string[]>>

/** The resources with personal fields. */
export const erasableResources = resources.filter(({ storedFields }) => storedFields.some(({ personal }) => personal))

/** The resources without which it is not known whose data others have. */
const linkingResources = [
  ...new Set(
    erasableResources.flatMap((resource) =>
      personLinks(resource).flatMap(({ via }) => via.map(({ resource: linking }) => linking)),
    ),
  ),
]

export const erasePerson = (connectionString: string, options: EraseOptions): Promise<Erasure> =>
  withSession(connectionString, 'erase', async (client) => {
    await client.query(
      'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set search_path = public',
    )
    await requireSchema(client)
    // The triggers then write each record to the change feed as erased, not as updated.
    await client.query("begin; set local muster.erases = 'on'")
    await lockTables(client)
    const erasure = await eraseInTransaction(client, options)
    await client.query(options.dryRun ? 'rollback' : 'commit')
    if (!options.dryRun && erasure.erased !== undefined) await vacuum(client)
    return erasure
  })

/**
 * Waits for running syncs and imports, and makes later ones wait: they could store values for records that are empty
 * here. All of them lock tables in the order of their names, so they cannot deadlock. The lock blocks neither reads nor
 * creates.
 */
const lockTables = async (client: Client): Promise<void> => {
  const tables = [...new Set([...erasableResources, ...linkingResources])]
    .map(({ table }) => quoteIdentifier(table))
    .toSorted()
  await client.query(`lock table ${tables.join(', ')} in share update exclusive mode`)
}

const eraseInTransaction = async (client: Client, { kind, id }: EraseOptions): Promise<Erasure> => {
  const person = await findPerson(client, kind, id)
  if (!person[kind].includes(id)) return { erased: undefined, sameEmail: [] }
  const sameEmail = await findSameEmail(client, person)
  await lockLinkingRecords(client, person)
  const erased: ErasedRecords[] = []
  for (const resource of erasableResources) {
    const fields = resource.storedFields.filter(({ personal }) => personal)
    const { condition, values } = personCondition(resource, person)
    const filledCondition = `(${condition}) and ${hasPersonalValues(resource, quoteIdentifier(resource.table))}`
    // Records without personal values too: a later file could contain some.
    await storeErasedKeys(client, resource, { condition, values })
    const { rows } = await client.query<{ id: string }>(
      `update ${quoteIdentifier(resource.table)} set ${fields.map((field) => `${quoteIdentifier(field.name)} = ${redactedLiteral(field)}`).join(', ')}
       where ${filledCondition} returning id`,
      values,
    )
    if (rows.length > 0) erased.push({ resource, fields, ids: rows.map((row) => row.id) })
  }
  for (const { resource, ids } of erased) {
    await client.query(
      `insert into muster_audit_log (route, record_id, outcome) select $1, id, 'erased' from unnest($2::bigint[]) id`,
      [`erase ${resource.path}`, ids],
    )
  }
  return { erased, sameEmail }
}

/** Locks the rows: an insert that refers to them waits, so that no record of the person is added meanwhile. */
const findPerson = async (client: Client, kind: PersonKind, id: string): Promise<Person> => {
  const selectIds = async (text: string, values: unknown[]): Promise<string[]> =>
    (await client.query<{ id: string }>(`${text} for update`, values)).rows.map((row) => row.id)
  const candidateIds = await selectIds(
    kind === 'candidates'
      ? 'select id from candidates where id = $1'
      : 'select id from candidates where id = (select candidate_id from employees where id = $1)',
    [id],
  )
  const employeeIds = await selectIds('select id from employees where id = $1 or candidate_id = any($2)', [
    kind === 'employees' ? id : null,
    candidateIds,
  ])
  return { employees: employeeIds, candidates: candidateIds }
}

const findSameEmail = async (client: Client, { employees, candidates }: Person): Promise<Erasure['sameEmail']> => {
  const { rows } = await client.query<{ kind: PersonKind; id: string }>(
    `with own as (
       select public.muster_key(email) as address from employees where id = any($1)
       union select public.muster_key(email) from candidates where id = any($2))
     select 'employees' as kind, id from employees where public.muster_key(email) collate "C" in (table own) and id <> all($1)
     union all
     select 'candidates', id from candidates where public.muster_key(email) collate "C" in (table own) and id <> all($2)
     order by 1, 2`,
    [employees, candidates],
  )
  return rows
}

/** As `findPerson` does, for records that others refer to instead of the person. */
const lockLinkingRecords = async (client: Client, person: Person): Promise<void> => {
  for (const resource of linkingResources) {
    const { condition, values } = personCondition(resource, person)
    await client.query(`select from ${quoteIdentifier(resource.table)} where ${condition} for update`, values)
  }
}

/** The SQL condition for the records of the person, and for records that lead to them. */
export const personCondition = (resource: Resource, person: Person): { condition: string; values: unknown[] } => {
  const links = personLinks(resource)
  return {
    condition: links
      .map((link, index) =>
        linkCondition(link, quoteIdentifier(resource.table), (id) => `${id} = any($${index + 1}::bigint[])`),
      )
      .join(' or '),
    values: links.map(({ kind }) => person[kind]),
  }
}

/** Removes the old row versions from the tables, and the erased values from indexes and planner statistics. */
const vacuum = async (client: Client): Promise<void> => {
  for (const { table } of erasableResources)
    await client.query(`vacuum (analyze, index_cleanup on) ${quoteIdentifier(table)}`)
}
