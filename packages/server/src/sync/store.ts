/** Writes what was planned. Only rows that differ are written, so the others keep their version. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { OperatorError } from '../errors.ts'
import { sqlState } from '../import-export/bulk-session.ts'
import { readSequence, startAfterLargest } from '../import-export/insert-staged.ts'
import { givenBit, stagingTable } from '../import-export/staging.ts'
import { withSession } from '../postgres/connection/session.ts'
import { quoteIdentifier, storedColumns } from '../postgres/sql/statement.ts'
import type { ResourcePlan } from './plan.ts'
import { goneTable, goneValueSql, updatedTable } from './plan.ts'

export interface StoreOptions {
  readonly connectionString: string
  /** The fields that the file of a resource contains. */
  readonly fieldsOf: (resource: Resource) => readonly string[]
}

/** The plans are in the order of the references of their resources. */
export const storePlans = async (
  client: Client,
  plans: readonly ResourcePlan[],
  { connectionString, fieldsOf }: StoreOptions,
): Promise<void> => {
  // Employees refer to candidates (`candidate_id`), and candidates to the employees who referred them. A new team can have a
  // parent that is moved to the organization of the team.
  await client.query('set constraints all deferred')
  const resources = plans.map(({ resource }) => resource)
  // Before the first write: a create holds the lock of its id sequence while it waits for a row that was written here,
  // and another session waits for that lock, which PostgreSQL does not detect as a deadlock.
  for (const resource of resources) await reserveIds(client, resource, { connectionString, resources })
  for (const resource of resources) await releaseTakenUniqueValues(client, resource)
  for (const { resource, created } of plans) if (created > 0) await insertRows(client, resource)
  for (const { resource, updated } of plans) if (updated > 0) await updateRows(client, resource, fieldsOf(resource))
  // In reverse order, so that a record is deleted after those that refer to it.
  for (const plan of plans.toReversed()) if (plan.gone > 0) await applyGoneRule(client, plan)
}

/**
 * A line may take a unique value from a record that gives it up in the same sync. PostgreSQL checks unique values row
 * by row, so such records first get a random value.
 */
const releaseTakenUniqueValues = async (client: Client, resource: Resource): Promise<void> => {
  for (const names of resource.unique) {
    const sameValues = names.map((name) => `staged.${quoteIdentifier(name)} = holder.${quoteIdentifier(name)}`)
    await client.query(
      `update public.${quoteIdentifier(resource.table)} as holder
       set ${quoteIdentifier(names.at(-1) as string)} = gen_random_uuid()::text
       from ${stagingTable(resource)} as staged
       where ${sameValues.join(' and ')} and staged.id <> holder.id and not staged.bad
       and not exists (select from ${stagingTable(resource)} as own where own.id = holder.id and own.bad)`,
    )
  }
}

/** Replaces provisional ids by generated ones, also in the staged rows of all `resources` that refer to them. */
const reserveIds = async (
  client: Client,
  resource: Resource,
  { connectionString, resources }: { readonly connectionString: string; readonly resources: readonly Resource[] },
): Promise<void> => {
  const sequence = await readSequence(client, resource)
  // Creates go on during a sync and must not wait for its transaction. `alter sequence` locks the sequence until the
  // commit, so where records can be created, a short transaction of another session runs it.
  if (resource.creatable) {
    const largest = await largestNewId(client, resource)
    if (largest !== undefined)
      await withSession(connectionString, 'sync', (other) => moveSequence(other, resource, { sequence, largest }))
  } else {
    await startAfterLargest(client, resource, sequence)
  }
  const idsName = quoteIdentifier(`sync_ids_${resource.table}`)
  const { rowCount } = await client.query(
    `create temporary table ${idsName} on commit drop as
     select id as provisional, nextval(${escapeLiteral(sequence)}) as id
     from (select id from ${stagingTable(resource)} where id < 0 and not bad order by line) as new`,
  )
  if (rowCount === 0) return
  for (const referring of resources) {
    for (const { name, references, kind } of referring.storedFields) {
      const isOwnId = kind === 'id' && referring.path === resource.path
      if (!isOwnId && references?.resource !== resource.path) continue
      await client.query(
        `update ${stagingTable(referring)} as staged set ${quoteIdentifier(name)} = reserved.id
         from pg_temp.${idsName} as reserved where staged.${quoteIdentifier(name)} = reserved.provisional`,
      )
    }
  }
}

const largestNewId = async (client: Client, resource: Resource): Promise<bigint | undefined> => {
  const { rows } = await client.query<{ largest: string | null }>(
    `select max(id) as largest from ${stagingTable(resource)} where not bad and not matched and id > 0`,
  )
  return rows[0]?.largest == null ? undefined : BigInt(rows[0].largest)
}

/** Creates wait behind the lock request, for at most 2 s, so each request ends earlier and is repeated. */
const sequenceLockSeconds = 1
const sequenceLockAttempts = 5

const moveSequence = async (
  client: Client,
  resource: Resource,
  { sequence, largest }: { readonly sequence: string; readonly largest: bigint },
): Promise<void> => {
  await client.query(`set lock_timeout = '${sequenceLockSeconds}s'`)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startSequenceAfter(client, sequence, largest)
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error
      await client.query('rollback')
      if (attempt === sequenceLockAttempts)
        throw new OperatorError(
          `Another session has been creating ${resource.titles} for more than ${sequenceLockSeconds * sequenceLockAttempts} seconds: nothing was changed. End it, or try again.`,
          { cause: error },
        )
    }
  }
}

const startSequenceAfter = async (client: Client, sequence: string, largest: bigint): Promise<void> => {
  await client.query('begin')
  // Takes the lock of the sequence and changes nothing: no id is generated between the next two statements.
  await client.query(`alter sequence ${sequence} increment by 1`)
  const { rows } = await client.query<{ next: string }>(
    `select case when is_called then last_value + 1 else last_value end as next from ${sequence}`,
  )
  if (largest >= BigInt(rows[0]?.next ?? 1))
    await client.query(`alter sequence ${sequence} restart with ${largest + 1n}`)
  await client.query('commit')
}

const insertRows = async (client: Client, resource: Resource): Promise<void> => {
  await client.query(
    `insert into public.${quoteIdentifier(resource.table)} (${storedColumns(resource)})
     select ${storedColumns(resource)} from ${stagingTable(resource)} where not matched and not bad order by line`,
  )
}

/** The value of `updated` of a record that the sync changes, unless the operator gives one. */
const currentTime = `date_trunc('second', now())`
const hasUpdated = ({ storedFields }: Resource): boolean => storedFields.some(({ name }) => name === 'updated')

const updateRows = async (client: Client, resource: Resource, fields: readonly string[]): Promise<void> => {
  // The fields of unique rules are always written, because `releaseTakenUniqueValues` may have replaced their values.
  const names = new Set([...fields, ...resource.unique.flat()])
  const assignments = [...names]
    .filter((name) => name !== 'updated')
    .map((name) => `${quoteIdentifier(name)} = staged.${quoteIdentifier(name)}`)
  if (hasUpdated(resource))
    assignments.push(
      `updated = case when staged.given & ${givenBit(resource, 'updated')} <> 0 then staged.updated else ${currentTime} end`,
    )
  await client.query(
    `update public.${quoteIdentifier(resource.table)} as stored set ${assignments.join(', ')}
     from ${stagingTable(resource)} as staged join ${updatedTable(resource)} as updated on updated.id = staged.id
     where stored.id = staged.id and not staged.bad`,
  )
}

const applyGoneRule = async (client: Client, { resource, goneRule }: ResourcePlan): Promise<void> => {
  const table = `public.${quoteIdentifier(resource.table)}`
  const isGone = `stored.id in (select id from ${goneTable(resource)})`
  if (goneRule.action === 'delete') await client.query(`delete from ${table} as stored where ${isGone}`)
  if (goneRule.action !== 'mark') return
  const assignments = goneRule.values.map(
    (value) => `${quoteIdentifier(value.field)} = ${goneValueSql(resource, value)}`,
  )
  if (hasUpdated(resource) && goneRule.values.every(({ field }) => field !== 'updated'))
    assignments.push(`updated = ${currentTime}`)
  await client.query(`update ${table} as stored set ${assignments.join(', ')} where ${isGone}`)
}
