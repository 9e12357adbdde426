/** Checks of the lines of a job-history export against the stored records and their history. */
import type { NamedField, Resource } from '@muster/model'
import { errorMessage } from '@muster/model'
import type { Client } from 'pg'
import { markBadSql, missingReference, rowErrorsTable } from '../../import-export/checks.ts'
import { givenBit, lookupColumn, stagingTable } from '../../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral } from '../../postgres/sql/statement.ts'
import type { Lookup } from '../lookups.ts'
import { fieldOf, keyExpression, rejectIncompleteKeys } from '../match.ts'

export interface VersionFile {
  /** The resource of the records. */
  readonly record: Resource
  /** The resource of the lines. */
  readonly lines: Resource
  readonly key: readonly string[]
  /** The tracked fields that the file contains. */
  readonly fields: readonly NamedField[]
  readonly lookups: readonly Lookup[]
}

/** The valid lines with the ids of their records, and the tracked fields as text, as the history stores them. */
export const versionsTable = 'pg_temp.history_versions'

export const recordTable = ({ record }: VersionFile): string => `public.${quoteIdentifier(record.table)}`

export const checkVersions = async (client: Client, file: VersionFile): Promise<void> => {
  const { lines } = file
  const lookupFields = file.lookups.map(({ field }) => field)
  await rejectIncompleteKeys(client, lines, file.key, lookupFields)
  await rejectIncompleteLines(client, file)
  for (const field of lines.storedFields)
    if (field.references !== undefined)
      await client.query(missingReference(lines, field, new Set(), { skipBad: false }))
  await matchLines(client, file)
  await rejectRepeatedDays(client, file)
  await client.query(markBadSql(lines))
  await client.query(
    `delete from ${versionsTable} where record_id is null or record_id in (
       select v.record_id from ${versionsTable} as v join ${stagingTable(lines)} as staged using (line) where staged.bad)`,
  )
  await client.query(`analyze ${versionsTable}`)
  await rejectOtherPresentValues(client, file)
  await rejectLateBeginnings(client, file)
  await client.query(markBadSql(lines))
}

interface LineError {
  readonly field: string
  /** SQL expressions. */
  readonly input: string
  readonly reason: string
}

const insertErrors = ({ path }: Resource, { field, input, reason }: LineError, from: string): string =>
  `insert into ${rowErrorsTable}
   select ${quoteLiteral(path)}, line, ${quoteLiteral(field)}, null::bigint, ${input}, ${reason} from ${from}`

const today = `(now() at time zone 'utc')::date`

const rejectIncompleteLines = async (client: Client, { lines, fields }: VersionFile): Promise<void> => {
  const missing = quoteLiteral(errorMessage({ type: 'missing' }))
  const staged = `${stagingTable(lines)} as staged where not staged.bad`
  await client.query(
    insertErrors(lines, { field: 'on', input: 'null', reason: missing }, `${staged} and staged."on" is null`),
  )
  await client.query(
    insertErrors(
      lines,
      { field: 'on', input: 'staged."on"::text', reason: `format('The day is after today, %s in UTC', ${today})` },
      `${staged} and staged."on" > ${today}`,
    ),
  )
  // In NDJSON each line names its own fields. A version without one would leave open whether the value changed.
  for (const { name } of fields)
    await client.query(
      insertErrors(
        lines,
        { field: name, input: 'null', reason: missing },
        `${staged} and staged.given & ${givenBit(lines, name)} = 0`,
      ),
    )
}

/** Finds the record of each line. A key that no record or several records have is an error. */
const matchLines = async (client: Client, file: VersionFile): Promise<void> => {
  const { record, lines, key, fields, lookups } = file
  const sameKey = key
    .map((name) => fieldOf(lines, name))
    .map((field) => `${keyExpression(field, 'stored')} = ${keyExpression(field, 'staged')}`)
    .join(' and ')
  await client.query(
    `create temporary table history_versions on commit drop as
     select staged.line, staged."on" as day, found.id as record_id, found.second_id,
       ${fields.map(({ name }) => `staged.${quoteIdentifier(name)}::text collate "C" as ${quoteIdentifier(name)}`).join(', ')}
     from ${stagingTable(lines)} as staged left join (
       select staged.line, min(stored.id) as id, nullif(max(stored.id), min(stored.id)) as second_id
       from ${stagingTable(lines)} as staged join ${recordTable(file)} as stored on ${sameKey} group by staged.line
     ) as found using (line)`,
  )
  const lastField = key.at(-1) as string
  const isLookup = lookups.some(({ field }) => field === lastField)
  const input = isLookup ? `staged.${lookupColumn(lastField)}` : `staged.${quoteIdentifier(lastField)}::text`
  const isComplete = key.map((name) => `staged.${quoteIdentifier(name)} is not null`).join(' and ')
  await client.query(
    insertErrors(
      lines,
      {
        field: lastField,
        input,
        reason: `case when v.record_id is null then ${quoteLiteral(`No ${record.title} has this key`)}
          else format(${quoteLiteral(`Two ${record.titles} have this key: %s and %s`)}, v.record_id, v.second_id) end`,
      },
      `${versionsTable} as v join ${stagingTable(lines)} as staged using (line)
       where ${isComplete} and (v.record_id is null or v.second_id is not null) and not exists (
         select from ${rowErrorsTable} as found where found.line = staged.line and found.field in (${key.map(quoteLiteral).join(', ')}))`,
    ),
  )
}

const rejectRepeatedDays = (client: Client, { lines }: VersionFile): Promise<unknown> =>
  client.query(
    insertErrors(
      lines,
      {
        field: 'on',
        input: 'day::text',
        reason: `format('Line %s has this day of the same record already', first_line)`,
      },
      `(select line, day, min(line) over (partition by record_id, day) as first_line
        from ${versionsTable} where record_id is not null and day is not null) as days where line > first_line`,
    ),
  )

/** What the file does not contain would be lost: a change after its last version, or a value that it has wrong. */
const rejectOtherPresentValues = async (client: Client, file: VersionFile): Promise<void> => {
  const { lines, fields, lookups } = file
  for (const { name } of fields) {
    const column = quoteIdentifier(name)
    const lookup = lookups.find(({ field }) => field === name)
    const present = lookup === undefined ? `to_json(stored.${column})` : lookedUpValue(lookup, `stored.${column}`)
    await client.query(
      insertErrors(
        lines,
        {
          field: name,
          input: lookup === undefined ? 'last.value' : 'last.lookup',
          reason: `format('The last version must have the present value of the record, which is %s', coalesce(${present}::text, 'empty'))`,
        },
        `(select distinct on (v.record_id) v.record_id, v.line, v.${column} as value,
            ${lookup === undefined ? 'null' : `staged.${lookupColumn(name)}`} as lookup
          from ${versionsTable} as v join ${stagingTable(lines)} as staged using (line) order by v.record_id, v.day desc) as last
         join ${recordTable(file)} as stored on stored.id = last.record_id
         where last.value is distinct from stored.${column}::text collate "C"`,
      ),
    )
  }
}

/** The value by which a map looks up the record, such as the code of a manager. */
const lookedUpValue = ({ target, by }: Lookup, id: string): string =>
  fieldOf(target, by).personal
    ? `case when ${id} is not null then 'another' end`
    : `(select to_json(found.${quoteIdentifier(by)}) from public.${quoteIdentifier(target.table)} as found where found.id = ${id})`

/** SQL for the first day of the record, or null. */
export const startDaySql = ({ record: { startDay } }: VersionFile, alias: string): string =>
  startDay === undefined ? 'null::date' : `${alias}.${quoteIdentifier(startDay)}`

/**
 * From the first version of a record on, its history must reach back as far as it did before: to its first recorded
 * change, and to the day from which on the history is complete, if the record is older.
 */
const rejectLateBeginnings = async (client: Client, file: VersionFile): Promise<void> => {
  const { record, lines, fields } = file
  const start = startDaySql(file, 'stored')
  await client.query(
    insertErrors(
      lines,
      {
        field: 'on',
        input: 'first.day::text',
        reason: `format('This is the first version of the record, but its history is known from %s on: add what it was then', known)`,
      },
      `(select distinct on (record_id) record_id, line, day from ${versionsTable} order by record_id, day) as first
       join ${recordTable(file)} as stored on stored.id = first.record_id
       left join (
         select record_id, min("on") as day from public.history
         where resource = ${quoteLiteral(record.path)} and field in (${fields.map(({ name }) => quoteLiteral(name)).join(', ')})
         group by record_id
       ) as recorded on recorded.record_id = first.record_id
       cross join lateral (
         select least(recorded.day, case when ${start} is not null then greatest(complete.day, ${start}) end) as known
         from public.muster_history_from as complete where complete.resource = ${quoteLiteral(record.path)}
       ) as bound
       where first.day > known`,
    ),
  )
}
