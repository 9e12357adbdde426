/** Finds the stored record of each staged line, and completes the line with the values that it does not contain. */
import type { NamedField, Resource } from '@muster/model'
import { errorMessage, jsonType, redactedValue } from '@muster/model'
import type { Client } from 'pg'
import { OperatorError } from '../errors.ts'
import { duplicateInFile, markBadSql, rowErrorsTable } from '../import-export/checks.ts'
import { givenBit, lookupColumn, stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'

export const fieldOf = ({ storedFields }: Resource, name: string): NamedField =>
  storedFields.find((field) => field.name === name) as NamedField

/** A part of a key as SQL. Text is compared as filters compare it, ignoring case. */
export const keyExpression = (field: NamedField, alias: string): string => {
  const column = `${alias}.${quoteIdentifier(field.name)}`
  return jsonType(field) === 'string' && field.kind !== 'date' && field.kind !== 'timestamp'
    ? `public.muster_key(${column}) collate "C"`
    : column
}

interface KeyOptions {
  readonly requestedKey: readonly string[] | undefined
  readonly headerFields: readonly string[] | undefined
}

/**
 * The key of a source: the requested one, the id if a line has one, or else the natural key. If no line can be read,
 * the lines are what is wrong: a file without a header is then not said to lack a key.
 */
export const chooseKey = async (
  client: Client,
  resource: Resource,
  { requestedKey, headerFields }: KeyOptions,
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ has_id: boolean | null; given: string | null }>(
    `select bool_or(id is not null) as has_id, bit_or(given) as given from ${stagingTable(resource)}`,
  )
  const given = BigInt(rows[0]?.given ?? 0)
  const isPresent = (name: string): boolean =>
    given === 0n || (headerFields?.includes(name) ?? (given & BigInt(givenBit(resource, name))) !== 0n)
  const hasOnlyId = isPresent('id') && !resource.naturalKey.every(isPresent)
  const key = requestedKey ?? (rows[0]?.has_id === true || hasOnlyId ? ['id'] : resource.naturalKey)
  const missingField = key.find((name) => !isPresent(name))
  if (missingField !== undefined)
    throw new OperatorError(
      requestedKey === undefined
        ? `The file has neither the column id nor the key of ${resource.titles} (${resource.naturalKey.join(', ')}): add it, or name another key with --key.`
        : `The file has no column ${missingField}, which --key names.`,
    )
  return key
}

const insertError = (resource: Resource, field: string, input: string, reason: string): string =>
  `insert into ${rowErrorsTable} select ${quoteLiteral(resource.path)}, staged.line, ${quoteLiteral(field)}, null::bigint, ${input}, ${reason}`

/**
 * Replaces each staged line with a complete row: the stored values, overwritten by those of the line. A line without a
 * record gets a provisional id, the negative line number, unless it has an id. A line that fits several records is
 * ambiguous; it has an error and the id of one of them.
 */
export const matchRecords = async (
  client: Client,
  resource: Resource,
  key: readonly string[],
  lookupFields: readonly string[],
): Promise<void> => {
  await rejectIncompleteKeys(client, resource, key, lookupFields)
  await rejectRepeatedKeys(client, resource, key)
  const matches = `pg_temp.${quoteIdentifier(`sync_match_${resource.table}`)}`
  const table = `public.${quoteIdentifier(resource.table)}`
  const sameKey = key
    .map((name) => fieldOf(resource, name))
    .map((field) => `${keyExpression(field, 'stored')} = ${keyExpression(field, 'staged')}`)
    .join(' and ')
  await client.query(
    `create temporary table ${quoteIdentifier(`sync_match_${resource.table}`)} on commit drop as
     select staged.line, min(stored.id) as id, nullif(max(stored.id), min(stored.id)) as second_id
     from ${stagingTable(resource)} as staged join ${table} as stored on ${sameKey} group by staged.line`,
  )
  await client.query(`analyze ${matches}`)
  const lastKeyField = key.at(-1) as string
  await client.query(
    `${insertError(
      resource,
      lastKeyField,
      `staged.${quoteIdentifier(lastKeyField)}::text`,
      `format(${quoteLiteral(`Two ${resource.titles} have this key: %s and %s`)}, matched.id, matched.second_id)`,
    )} from ${stagingTable(resource)} as staged join ${matches} as matched using (line) where matched.second_id is not null`,
  )
  if (!key.includes('id')) await rejectOtherIds(client, resource, matches)
  await rejectRedactedValues(client, resource, matches)
  await mergeRows(client, resource, { matches, lookupFields })
  await client.query(markBadSql(resource))
}

export const rejectIncompleteKeys = async (
  client: Client,
  resource: Resource,
  key: readonly string[],
  lookupFields: readonly string[],
): Promise<void> => {
  for (const name of key) {
    const isLookup = lookupFields.includes(name)
    await client.query(
      `${insertError(resource, name, 'null', quoteLiteral(errorMessage({ type: 'missing' })))}
       from ${stagingTable(resource)} as staged
       where staged.${quoteIdentifier(name)} is null and not staged.bad${isLookup ? ` and staged.${lookupColumn(name)} is null` : ''}`,
    )
  }
}

/** Of several lines with the same key, the first is valid; the errors of the others give its line number. */
const rejectRepeatedKeys = async (client: Client, resource: Resource, key: readonly string[]): Promise<void> => {
  const expressions = key.map((name) => keyExpression(fieldOf(resource, name), 'line')).join(', ')
  const present = key.map((name) => `line.${quoteIdentifier(name)} is not null`).join(' and ')
  const lastField = key.at(-1) as string
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(resource.path)}, line, ${quoteLiteral(lastField)}, first_line, input, null from (
       select line.line, line.${quoteIdentifier(lastField)}::text as input, min(line.line) over (partition by ${expressions}) as first_line
       from ${stagingTable(resource)} as line where ${present}
     ) as lines where line > first_line`,
  )
}

/** With another key than the id, an id in the file must be that of the record, or unused. */
const rejectOtherIds = async (client: Client, resource: Resource, matches: string): Promise<void> => {
  await client.query(duplicateInFile(resource, ['id'], { skipBad: false }))
  await client.query(
    `${insertError(resource, 'id', 'staged.id::text', `format('The record with this key has the id %s', matched.id)`)}
     from ${stagingTable(resource)} as staged join ${matches} as matched using (line) where staged.id <> matched.id`,
  )
  await client.query(
    `${insertError(resource, 'id', 'staged.id::text', quoteLiteral(errorMessage({ type: 'already_exists' })))}
     from ${stagingTable(resource)} as staged join public.${quoteIdentifier(resource.table)} as stored using (id)
     where not exists (select from ${matches} as matched where matched.line = staged.line)`,
  )
}

/** A file that was exported without a token has replacements in place of personal values, and would overwrite them. */
const rejectRedactedValues = async (client: Client, resource: Resource, matches: string): Promise<void> => {
  for (const field of resource.storedFields) {
    const replacement = field.personal ? redactedValue(field) : null
    if (replacement === null) continue
    const column = quoteIdentifier(field.name)
    const reason = `"${replacement}" stands for a value that the export left out: export with a token that reads personal fields`
    await client.query(
      `${insertError(resource, field.name, `staged.${column}`, quoteLiteral(reason))}
       from ${stagingTable(resource)} as staged left join ${matches} as matched using (line)
       left join public.${quoteIdentifier(resource.table)} as stored on stored.id = matched.id
       where staged.${column} = ${quoteLiteral(replacement)} and stored.${column} is distinct from staged.${column}`,
    )
  }
}

interface MergeOptions {
  readonly matches: string
  readonly lookupFields: readonly string[]
}

const mergeRows = async (
  client: Client,
  resource: Resource,
  { matches, lookupFields }: MergeOptions,
): Promise<void> => {
  const mergedColumns = resource.storedFields
    .filter(({ kind }) => kind !== 'id')
    .map(({ name }) => {
      const column = quoteIdentifier(name)
      return `case when matched.id is not null and staged.given & ${givenBit(resource, name)} = 0 then stored.${column} else staged.${column} end as ${column}`
    })
  const mergedName = quoteIdentifier(`sync_${resource.table}`)
  await client.query(
    `create temporary table ${mergedName} on commit drop as
     select staged.line, staged.bad, staged.given, matched.id is not null as matched,
       coalesce(matched.second_id is not null or staged.id <> matched.id, false) as ambiguous,
       coalesce(matched.id, staged.id, -staged.line) as id,
       ${[...mergedColumns, ...lookupFields.map((name) => `staged.${lookupColumn(name)}`)].join(', ')}
     from ${stagingTable(resource)} as staged left join ${matches} as matched using (line)
     left join public.${quoteIdentifier(resource.table)} as stored on stored.id = matched.id
     order by staged.line`,
  )
  await client.query(
    `drop table ${stagingTable(resource)}; alter table pg_temp.${mergedName} rename to ${quoteIdentifier(`import_${resource.table}`)}`,
  )
  await client.query(`analyze ${stagingTable(resource)}`)
}
