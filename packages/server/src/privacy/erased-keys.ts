/**
 * Remembers who was erased, without storing who: an HMAC of the natural key of each erased record. A later sync can
 * then refuse a file that still contains the person. Only the owner can read the HMACs and their secret.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'

const blockBytes = 64

/**
 * Creates the secret when the first person is erased. PostgreSQL has no HMAC without an extension, so the two padded
 * keys of HMAC-SHA-256 (RFC 2104) are stored instead of the secret.
 */
const requireSecret = async (client: Client): Promise<void> => {
  const secret = Buffer.concat([createHash('sha256').update(randomBytes(32)).digest(), Buffer.alloc(blockBytes - 32)])
  await client.query(
    'insert into public.muster_erasure_secret (inner_key, outer_key) values ($1, $2) on conflict do nothing',
    [secret.map((byte) => byte ^ 0x36), secret.map((byte) => byte ^ 0x5c)],
  )
}

/** The parts of the natural key as one text; null if one is missing. Text ignores case, as in a sync. */
const keyText = ({ naturalKey, storedFields }: Resource, alias: string): string =>
  naturalKey
    .map((name) => {
      const column = `${alias}.${quoteIdentifier(name)}`
      const isText = storedFields.some((field) => field.name === name && field.kind === 'text')
      return isText ? `public.muster_key(${column})` : `${column}::text`
    })
    .join(` || E'\\x1f' || `)

/** The HMAC of the natural key of a row; null if the row has none. */
const keyHmac = (resource: Resource, alias: string): string =>
  `(select sha256(outer_key || sha256(inner_key || convert_to(${keyText(resource, alias)}, 'UTF8'))) from public.muster_erasure_secret)`

export interface ErasedRows {
  /** SQL condition for the rows, with the values of its parameters. */
  readonly condition: string
  readonly values: readonly unknown[]
}

/** Call this before the rows are emptied. */
export const rememberErased = async (
  client: Client,
  resource: Resource,
  { condition, values }: ErasedRows,
): Promise<void> => {
  await requireSecret(client)
  const table = quoteIdentifier(resource.table)
  await client.query(
    `insert into public.muster_erased_keys (resource, record_id, key_hmac)
     select ${quoteLiteral(resource.path)}, ${table}.id, ${keyHmac(resource, table)}
     from public.${table} where ${condition} on conflict do nothing`,
    [...values],
  )
}

/** The references by which a row belongs to a person. Others, such as `manager_id`, name another person. */
const personReferences = ['employee_id', 'candidate_id']

interface ErasedMatch {
  readonly path: string
  readonly column: 'record_id' | 'key_hmac'
  /** The value of the row that is compared with the column. */
  readonly expression: string
}

/** How a row is recognised: it is an erased record, belongs to an erased person, or has the natural key of a record. */
const erasedMatches = (resource: Resource, alias: string): ErasedMatch[] => [
  { path: resource.path, column: 'record_id', expression: `${alias}.id` },
  ...resource.storedFields.flatMap(({ name, references }): ErasedMatch[] =>
    references !== undefined && personReferences.includes(name)
      ? [{ path: references.resource, column: 'record_id', expression: `${alias}.${quoteIdentifier(name)}` }]
      : [],
  ),
  { path: resource.path, column: 'key_hmac', expression: keyHmac(resource, alias) },
]

/** SQL condition: the row belongs to an erased person. */
export const erasedCondition = (resource: Resource, alias: string): string => {
  const conditions = erasedMatches(resource, alias).map(
    ({ path, column, expression }) =>
      `${expression} in (select ${column} from public.muster_erased_keys where resource = ${quoteLiteral(path)} and ${column} is not null)`,
  )
  return `(${conditions.join(' or ')})`
}

/**
 * Forgets the erasure of the rows of a table that satisfy the condition, and of the people to whom they belong, because
 * a sync has restored them.
 */
export const forgetErased = async (
  client: Client,
  resource: Resource,
  { table, condition }: { readonly table: string; readonly condition: string },
): Promise<void> => {
  for (const { path, column, expression } of erasedMatches(resource, 'restored'))
    await client.query(
      `delete from public.muster_erased_keys where resource = ${quoteLiteral(path)}
       and ${column} in (select ${expression} from ${table} as restored where ${condition})`,
    )
}
