/**
 * Stores the ids of erased records, and an HMAC of the natural key and of the e-mail address of each, so that a later
 * sync or import can refuse a file that still contains the person. Only the owner can read the HMACs and their secret.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'
import type { PersonLink, RowSource } from './person-links.ts'
import { linkCondition, linkedPeople, personLinks } from './person-links.ts'

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

/**
 * Characters that do not show, as a regular expression of PostgreSQL, which knows no Unicode categories: control
 * characters, white space, format characters (Cf), and the others that Unicode lists as Default_Ignorable_Code_Point.
 */
const invisibleCharacters = String.raw`[\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]`

/**
 * The parts of a key as one text; null if one is missing or empty. Case, white space, invisible characters and variants
 * of letters (NFKC) make no difference, so that a disguised key is recognised.
 */
const keyText = ({ storedFields }: Resource, key: readonly string[], alias: string): string =>
  key
    .map((name) => {
      const column = `${alias}.${quoteIdentifier(name)}`
      const isText = storedFields.some((field) => field.name === name && field.kind === 'text')
      return isText
        ? `public.muster_key(nullif(normalize(regexp_replace(${column} collate "C", ${quoteLiteral(invisibleCharacters)}, '', 'g'), nfkc), ''))`
        : `${column}::text`
    })
    .join(` || E'\\x1f' || `)

/** The keys by which a person is recognised: the natural key, and the e-mail address. */
const keysOf = ({ naturalKey, storedFields }: Resource): (readonly string[])[] => [
  naturalKey,
  ...(storedFields.some(({ name }) => name === 'email') && !naturalKey.includes('email') ? [['email']] : []),
]

/** The HMAC of a key of a row; null if the row has none. */
const keyHmac = (resource: Resource, key: readonly string[], alias: string): string =>
  `(select sha256(outer_key || sha256(inner_key || convert_to(${keyText(resource, key, alias)}, 'UTF8'))) from public.muster_erasure_secret)`

export interface ErasedRows {
  /** SQL condition for the rows, with the values of its parameters. */
  readonly condition: string
  readonly values: readonly unknown[]
}

/** Call this before the rows are emptied. */
export const storeErasedKeys = async (
  client: Client,
  resource: Resource,
  { condition, values }: ErasedRows,
): Promise<void> => {
  await requireSecret(client)
  const table = quoteIdentifier(resource.table)
  for (const key of keysOf(resource))
    await client.query(
      `insert into public.muster_erased_keys (resource, record_id, key_hmac)
       select ${quoteLiteral(resource.path)}, ${table}.id, ${keyHmac(resource, key, table)}
       from public.${table} where ${condition} on conflict do nothing`,
      [...values],
    )
}

interface ErasedMatch {
  readonly column: 'record_id' | 'key_hmac'
  /** The value of the row that is compared with the column. */
  readonly expression: string
  /** SQL condition for rows that are accepted although they have such a value. */
  readonly unless?: string
}

/** How a row is recognised by itself: it is an erased record, or has a key of one. */
const erasedMatches = (resource: Resource, alias: string): ErasedMatch[] => [
  { column: 'record_id', expression: `${alias}.id` },
  ...keysOf(resource).map((key): ErasedMatch => {
    const expression = keyHmac(resource, key, alias)
    // Several people may share an e-mail address. The record of another person may keep it.
    const unless = `exists (select from public.${quoteIdentifier(resource.table)} as kept where kept.id = ${alias}.id and ${keyHmac(resource, key, 'kept')} = ${expression})`
    return { column: 'key_hmac', expression, unless }
  }),
]

/** How a row is recognised by the person to whom it leads. Others, such as the manager, are not that person. */
const linksToOthers = (resource: Resource): PersonLink[] => personLinks(resource).filter(({ field }) => field !== 'id')

const isErased = (path: string, column: ErasedMatch['column'], expression: string): string =>
  `${expression} in (select ${column} from public.muster_erased_keys where resource = ${quoteLiteral(path)} and ${column} is not null)`

/** SQL condition: the row belongs to an erased person. `rowsOf` says where the records are by which it leads there. */
export const erasedCondition = (resource: Resource, alias: string, rowsOf?: RowSource): string => {
  const conditions = [
    ...erasedMatches(resource, alias).map(
      ({ column, expression, unless = 'false' }) =>
        `(${isErased(resource.path, column, expression)} and not ${unless})`,
    ),
    ...linksToOthers(resource).map((link) =>
      linkCondition(link, alias, (id) => isErased(link.kind, 'record_id', id), rowsOf),
    ),
  ]
  return `(${conditions.join(' or ')})`
}

/**
 * Deletes the keys of the rows of a table that satisfy the condition, and of the people to whom they belong, because a
 * sync has restored them.
 */
export const deleteErasedKeys = async (
  client: Client,
  resource: Resource,
  { table, condition }: { readonly table: string; readonly condition: string },
): Promise<void> => {
  const rows = `${table} as restored where ${condition}`
  const restoredKeys = [
    ...erasedMatches(resource, 'restored').map(({ column, expression }) => ({
      path: resource.path,
      column,
      values: `select ${expression} from ${rows}`,
    })),
    ...linksToOthers(resource).map((link) => ({
      path: link.kind,
      column: 'record_id',
      values: linkedPeople(link, 'restored', rows),
    })),
  ]
  for (const { path, column, values } of restoredKeys)
    await client.query(
      `delete from public.muster_erased_keys where resource = ${quoteLiteral(path)} and ${column} in (${values})`,
    )
}
