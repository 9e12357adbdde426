/**
 * The keys of erased persons in a copy of all records, so that the database into which the copy is imported refuses files
 * with these persons too. The first line of the file is the secret of the HMACs, each other line is one key. The file is
 * empty if nobody was erased.
 */
import { pipeline } from 'node:stream/promises'
import type { Resource } from '@muster/model'
import { parseDateTime } from '@muster/model'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { OperatorError } from '../errors.ts'
import { copyStatement } from '../postgres/sql/copy-statement.ts'
import { hasPersonalValues, quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'
import { erasableResources } from '../privacy/erase.ts'
import { markBadSql, rowErrorsTable } from './checks.ts'
import { readSequence, startAfter } from './insert-staged.ts'
import { ndjsonReader } from './ndjson.ts'
import type { Output } from './output.ts'
import { stagingTable as stagedRowsTable } from './staging.ts'
import { textBlocks } from './text-blocks.ts'

export const erasedKeysName = 'erased-keys'
/** Always NDJSON, whatever the format of the other files. */
export const erasedKeysFile = `${erasedKeysName}.ndjson`

export interface ErasedKeysSource {
  readonly bytes: () => AsyncIterable<Uint8Array>
}

interface Secret {
  readonly innerKey: Buffer
  readonly outerKey: Buffer
}

export interface StagedErasedKeys {
  /** Undefined if the file is empty. */
  readonly secret: Secret | undefined
  readonly count: number
}

const tables = ['public.muster_erased_keys', 'public.muster_erasure_secret']
const stagingTable = 'pg_temp.import_erased_keys'

/** Only the owner can read the keys. Without them a copy is incomplete: a later sync would bring erased persons back. */
export const requireErasedKeysPermission = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ role: string; allowed: boolean }>(
    `select current_user as role, ${tables.map((table) => `has_table_privilege('${table}', 'select')`).join(' and ')} as allowed`,
  )
  if (rows[0]?.allowed !== true)
    throw new OperatorError(
      `"${rows[0]?.role}" may not read the keys of erased persons, which belong to a copy of all records: set DATABASE_MIGRATE_URL to the URL of the owner.`,
    )
}

const fileLines = `select line from (
  select '' as resource, 0 as record_id, '' as key_hmac, row_to_json(secret) as line from (
    select encode(inner_key, 'hex') as inner_key, encode(outer_key, 'hex') as outer_key from public.muster_erasure_secret
    where exists (select from public.muster_erased_keys)
  ) as secret
  union all
  select resource, record_id, key_hmac, row_to_json(key) from (
    select resource, record_id, encode(key_hmac, 'hex') as key_hmac,
      to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as erased_at
    from public.muster_erased_keys
  ) as key
) as lines order by resource collate "C", record_id, key_hmac collate "C"`

/** Returns the number of keys. */
export const exportErasedKeys = async (client: Client, { open, close }: Output): Promise<number> => {
  const output = await open()
  const lines = client.query(copyTo(copyStatement(fileLines, 'ndjson')))
  await pipeline(lines, output)
  await close?.()
  return Math.max(0, lines.rowCount - 1)
}

/** Reads the file into a temporary table. A line that is not as the export wrote it is an error, also with --skip-bad. */
export const stageErasedKeys = async (client: Client, { bytes }: ErasedKeysSource): Promise<StagedErasedKeys> => {
  await client.query(
    'create temporary table import_erased_keys (resource text collate "C" not null, record_id bigint not null, key_hmac bytea, erased_at timestamptz not null)',
  )
  const reader = ndjsonReader()
  const ending = openEnding(bytes())
  let secret: Secret | undefined
  let previousKey: Key | undefined
  let count = 0
  for await (const block of textBlocks(ending.bytes, erasedKeysFile)) {
    const keys: Key[] = []
    for (const { line, members } of reader.read(block)) {
      if (secret === undefined) {
        secret = readSecret(members) ?? rejectLine(line, 'the secret of the keys')
        continue
      }
      const key = isKey(members) ? members : rejectLine(line, 'a key of an erased person')
      if (previousKey !== undefined && !isBefore(previousKey, key))
        rejectLine(line, 'the key after that of the line before')
      keys.push(key)
      previousKey = key
    }
    await client.query(
      `insert into ${stagingTable} select resource, record_id, decode(key_hmac, 'hex'), erased_at
       from jsonb_to_recordset($1) as key (resource text, record_id bigint, key_hmac text, erased_at timestamptz)`,
      [JSON.stringify(keys)],
    )
    count += keys.length
  }
  if (!ending.isComplete() || (secret !== undefined && count === 0))
    throw new OperatorError(
      `${erasedKeysFile}:${reader.line()}: The file ends after this line, which is not the end of a file that "muster export --all" wrote: nothing was stored.`,
    )
  return { secret, count }
}

/** A file that was cut off may end in the middle of a line, and what is left of the line may look complete. */
const openEnding = (bytes: AsyncIterable<Uint8Array>) => {
  let lastByte: number | undefined
  const read = async function* () {
    for await (const chunk of bytes) {
      lastByte = chunk.at(-1) ?? lastByte
      yield chunk
    }
  }
  return { bytes: read(), isComplete: () => lastByte === undefined || lastByte === lineFeed }
}

const lineFeed = 0x0a

const rejectLine = (line: number, expected: string): never => {
  throw new OperatorError(
    `${erasedKeysFile}:${line}: The line should be ${expected}, as "muster export --all" writes it: nothing was stored.`,
  )
}

type Members = Readonly<Record<string, unknown>>

const readSecret = (members: Members): Secret | undefined => {
  const { inner_key: inner, outer_key: outer } = members
  if (!hasOnly(members, ['inner_key', 'outer_key']) || !isHex(inner, 64) || !isHex(outer, 64)) return undefined
  const innerKey = Buffer.from(inner, 'hex')
  const outerKey = Buffer.from(outer, 'hex')
  // Both are the same secret, combined with different bytes (RFC 2104).
  return innerKey.every((byte, index) => (byte ^ 0x36 ^ 0x5c) === outerKey[index]) ? { innerKey, outerKey } : undefined
}

interface Key extends Members {
  readonly resource: string
  readonly record_id: number
  readonly key_hmac: string | null
  readonly erased_at: string
}

const isKey = (members: Members): members is Key => {
  const { resource, record_id: id, key_hmac: hmac, erased_at: erasedAt } = members
  return (
    hasOnly(members, ['resource', 'record_id', 'key_hmac', 'erased_at']) &&
    erasableResources.some(({ path }) => path === resource) &&
    Number.isSafeInteger(id) &&
    Number(id) >= 1 &&
    (hmac === null || isHex(hmac, 32)) &&
    typeof erasedAt === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(erasedAt) &&
    parseDateTime(erasedAt) !== undefined
  )
}

const hasOnly = (members: Members, names: readonly string[]): boolean =>
  Object.keys(members).every((name) => names.includes(name))

/** The order of the export, in which no key occurs twice. A key without an HMAC comes last. */
const isBefore = (a: Key, b: Key): boolean => {
  if (a.resource !== b.resource) return a.resource < b.resource
  if (a.record_id !== b.record_id) return a.record_id < b.record_id
  return a.key_hmac !== null && (b.key_hmac === null || a.key_hmac < b.key_hmac)
}

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

/**
 * Rejects keys that would have another meaning in this database. Each database has its own secret, and without it the
 * HMACs of one cannot be computed with the secret of the other. Record ids mean the same records if the database was
 * empty, or if it has the same secret because it is a copy of the same database. Such a copy may have got records of its
 * own since, so no record that keys name may have personal values.
 *
 * Call this after `lockTables`: an erasure locks the same tables in the same order.
 */
export const checkErasedKeys = async (client: Client, { innerKey }: Secret): Promise<void> => {
  await client.query('lock table public.muster_erasure_secret in share row exclusive mode')
  const { rows } = await client.query<{ same: boolean; used: boolean; filled: boolean }>(
    `select exists (select from public.muster_erasure_secret where inner_key = $1) as same,
       exists (select from public.muster_erased_keys) as used,
       ${erasableResources.map(({ table }) => `exists (select from public.${quoteIdentifier(table)})`).join(' or ')} as filled`,
    [innerKey],
  )
  if (rows[0]?.same) return rejectKeysOfFilledRecords(client)
  if (rows[0]?.used)
    throw new OperatorError(
      `Persons were erased in this database, and their keys have another secret than those in ${erasedKeysFile}: import the copy into a new database.`,
    )
  if (rows[0]?.filled)
    throw new OperatorError(
      `${erasedKeysFile} names erased records by their ids, which belong to other records in this database: import the copy into a new database.`,
    )
}

const rejectKeysOfFilledRecords = async (client: Client): Promise<void> => {
  const records = erasableResources.map(
    (resource) =>
      `select stored.id, ${quoteLiteral(resource.path)} as path from public.${quoteIdentifier(resource.table)} as stored
       where ${isInCopy(resource, 'stored')} and ${hasPersonalValues(resource, 'stored')}`,
  )
  const { rows } = await client.query<{ id: string; path: string }>(`${records.join(' union all ')} limit 1`)
  const [record] = rows
  if (record !== undefined)
    throw new OperatorError(
      `${erasedKeysFile} contains a key of ${record.path} ${record.id}, a record with personal values in this database. If it is the same person, erase it here first. If not, import the copy into a new database.`,
    )
}

const isInCopy = ({ path }: Resource, alias: string): string =>
  `${alias}.id in (select record_id from ${stagingTable} where resource = ${quoteLiteral(path)})`

/** Rejects personal values of records that the keys call erased: the file is older than the keys. */
export const rejectErasedInCopy = async (client: Client, resource: Resource): Promise<void> => {
  if (!erasableResources.includes(resource)) return
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(resource.path)}, staged.line, 'id', null, null,
       'This person was erased according to ${erasedKeysFile}, so this file is of another time: make the copy again, or add --restore-erased'
     from ${stagedRowsTable(resource)} as staged where not staged.bad and ${isInCopy(resource, 'staged')} and ${hasPersonalValues(resource, 'staged')}`,
  )
  await client.query(markBadSql(resource))
}

export const storeStagedErasedKeys = async (client: Client, { innerKey, outerKey }: Secret): Promise<void> => {
  await client.query(
    `insert into public.muster_erasure_secret (inner_key, outer_key) values ($1, $2)
     on conflict (singleton) do update set inner_key = excluded.inner_key, outer_key = excluded.outer_key`,
    [innerKey, outerKey],
  )
  await client.query(
    `insert into public.muster_erased_keys (resource, record_id, key_hmac, erased_at)
     select resource, record_id, key_hmac, erased_at from ${stagingTable} on conflict do nothing`,
  )
  // An erased record may have been deleted since. A new record with its id would count as erased.
  for (const resource of erasableResources)
    await startAfter(
      client,
      await readSequence(client, resource),
      `(select max(record_id) from ${stagingTable} where resource = ${quoteLiteral(resource.path)})`,
    )
}
