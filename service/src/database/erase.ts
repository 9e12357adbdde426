/** In charge of a person's right to be forgotten: empties every field that is personal, in every record of that person. */
import type { Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { Client } from 'pg'
import { requireSchema } from './migrate.ts'
import { withSession } from './session.ts'
import { quoted } from './statement.ts'

/** The resources whose records are people. */
export const kinds = ['employees', 'candidates'] as const
export type Kind = (typeof kinds)[number]

export interface EraseOptions {
  readonly kind: Kind
  readonly id: string
  /** Does all of it and takes it back. */
  readonly dryRun: boolean
}

export interface Erased {
  readonly resource: Resource
  readonly fields: readonly string[]
  readonly ids: readonly string[]
}

export interface Erasure {
  /** Undefined where there is no such record. */
  readonly erased: readonly Erased[] | undefined
  /** People with the same e-mail address whom no reference ties to this one: the same person, perhaps. */
  readonly alike: readonly { readonly kind: Kind; readonly id: string }[]
}

/** The ids of the records that are one person: somebody who was hired is a candidate and an employee, or several. */
type Person = Readonly<Record<Kind, readonly string[]>>

const personal = resources
  .map((resource) => ({ resource, fields: resource.stored.filter((field) => field.personal).map(({ name }) => name) }))
  .filter(({ fields }) => fields.length > 0)

export const erasePerson = (connectionString: string, options: EraseOptions): Promise<Erasure> =>
  withSession(connectionString, 'erase', async (client) => {
    await client.query(
      'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set search_path = public',
    )
    await requireSchema(client)
    await client.query('begin')
    const erasure = await eraseIn(client, options)
    await client.query(options.dryRun ? 'rollback' : 'commit')
    if (!options.dryRun && erasure.erased !== undefined) await forget(client)
    return erasure
  })

const eraseIn = async (client: Client, { kind, id }: EraseOptions): Promise<Erasure> => {
  const person = await findPerson(client, kind, id)
  if (!person[kind].includes(id)) return { erased: undefined, alike: [] }
  const alike = await findAlike(client, person)
  const erased: Erased[] = []
  for (const { resource, fields } of personal) {
    const { condition, values } = belonging(resource, person)
    const { rows } = await client.query<{ id: string }>(
      `update ${quoted(resource.table)} set ${fields.map((name) => `${quoted(name)} = null`).join(', ')}
       where (${condition}) and (${fields.map((name) => `${quoted(name)} is not null`).join(' or ')}) returning id`,
      values,
    )
    if (rows.length > 0) erased.push({ resource, fields, ids: rows.map((row) => row.id) })
  }
  for (const { resource, ids } of erased) {
    await client.query(
      `insert into muster_writes (route, record_id, outcome) select $1, id, 'erased' from unnest($2::bigint[]) id`,
      [`erase ${resource.path}`, ids],
    )
  }
  return { erased, alike }
}

/** Locked, so that nobody adds a record to the person meanwhile: a reference to a row waits for who changes it. */
const findPerson = async (client: Client, kind: Kind, id: string): Promise<Person> => {
  const ids = async (text: string, values: unknown[]): Promise<string[]> =>
    (await client.query<{ id: string }>(`${text} for update`, values)).rows.map((row) => row.id)
  const candidates = await ids(
    kind === 'candidates'
      ? 'select id from candidates where id = $1'
      : 'select id from candidates where id = (select candidate_id from employees where id = $1)',
    [id],
  )
  const employees = await ids('select id from employees where id = $1 or candidate_id = any($2)', [
    kind === 'employees' ? id : null,
    candidates,
  ])
  return { employees, candidates }
}

const findAlike = async (client: Client, { employees, candidates }: Person): Promise<Erasure['alike']> => {
  const { rows } = await client.query<{ kind: Kind; id: string }>(
    `with own as (
       select public.muster_key(email) as address from employees where id = any($1)
       union select public.muster_key(email) from candidates where id = any($2))
     select 'employees' as kind, id from employees where public.muster_key(email) in (table own) and id <> all($1)
     union all
     select 'candidates', id from candidates where public.muster_key(email) in (table own) and id <> all($2)
     order by 1, 2`,
    [employees, candidates],
  )
  return rows
}

/** True in SQL for the person's own records, and for whatever refers to them and holds something personal. */
const belonging = ({ path, all }: Resource, person: Person): { condition: string; values: unknown[] } => {
  const values: unknown[] = []
  const among = (name: string, kind: Kind): string => `${quoted(name)} = any($${values.push(person[kind])}::bigint[])`
  const isPerson = kinds.find((kind) => kind === path)
  const conditions =
    isPerson === undefined
      ? all.flatMap(({ name, references }) =>
          kinds.filter((kind) => kind === references?.resource).map((kind) => among(name, kind)),
        )
      : [among('id', isPerson)]
  return { condition: conditions.join(' or '), values }
}

/** Clears away the old versions of the rows and what indexes and the planner's statistics remember of their values. */
const forget = async (client: Client): Promise<void> => {
  for (const { resource } of personal)
    await client.query(`vacuum (analyze, index_cleanup on) ${quoted(resource.table)}`)
}
