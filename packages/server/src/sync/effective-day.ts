/** The day that a sync gives to its changes of tracked fields. */
import type { NamedField, Resource } from '@muster/model'
import { trackedFields } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { OperatorError } from '../errors.ts'
import { markBadSql, rowErrorsTable } from '../import-export/checks.ts'
import { stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'
import type { ResourcePlan } from './plan.ts'
import { differs, goneTable, goneValueSql } from './plan.ts'

/** The tracked fields without a day of their own in the record, such as that of a stage. */
export const effectiveFields = (resource: Resource): readonly NamedField[] =>
  trackedFields(resource).filter(({ history }) => history === true)

export const requireNotFuture = async (client: Client, day: string): Promise<void> => {
  const { rows } = await client.query<{ today: string; is_future: boolean }>(
    `select d.today::text as today, ${escapeLiteral(day)}::date > d.today as is_future
     from (select (now() at time zone 'utc')::date as today) as d`,
  )
  for (const { today, is_future } of rows)
    if (is_future)
      throw new OperatorError(
        `--effective-on ${day} is after today, ${today} in UTC: nothing was changed. A sync stores what holds now, so run it on that day.`,
      )
}

/** The records whose field was last changed after the day. The trigger would move the change to the day of that one. */
const laterChanges = (resource: Resource, field: string, day: string): string =>
  `(select record_id, max("on") as last from public.history
    where resource = ${quoteLiteral(resource.path)} and field = ${quoteLiteral(field)} and "on" > ${escapeLiteral(day)}::date
    group by record_id)`

/** Rejects the lines that change a field before its last recorded change. */
export const rejectEarlierDays = async (client: Client, resource: Resource, day: string): Promise<void> => {
  for (const { name } of effectiveFields(resource))
    await client.query(
      `insert into ${rowErrorsTable}
       select ${quoteLiteral(resource.path)}, staged.line, ${quoteLiteral(name)}, null, null,
         format(${quoteLiteral('The last recorded change of this field is of %s: the new value cannot begin before, on %s')},
           later.last, ${escapeLiteral(day)})
       from ${stagingTable(resource)} as staged
       join public.${quoteIdentifier(resource.table)} as stored on stored.id = staged.id
       join ${laterChanges(resource, name, day)} as later on later.record_id = staged.id
       where staged.matched and not staged.bad and ${differs(resource, name)}`,
    )
  await client.query(markBadSql(resource))
}

/** Sentences about records missing from the file of which `--gone` would change a field before its last recorded change. */
export const earlierGoneDays = async (
  client: Client,
  { resource, goneRule }: ResourcePlan,
  day: string,
): Promise<string[]> => {
  if (goneRule.action !== 'mark') return []
  const sentences: string[] = []
  for (const { name } of effectiveFields(resource)) {
    const value = goneRule.values.find(({ field }) => field === name)
    if (value === undefined) continue
    const { rows } = await client.query<{ count: string; example: string; last: string }>(
      `select count(*), min(stored.id) as example, max(later.last)::text as last
       from ${goneTable(resource)} join public.${quoteIdentifier(resource.table)} as stored using (id)
       join ${laterChanges(resource, name, day)} as later on later.record_id = stored.id
       where stored.${quoteIdentifier(name)} is distinct from ${goneValueSql(resource, value)}`,
    )
    for (const { count, example, last } of rows)
      if (count !== '0')
        sentences.push(
          `${resource.path}: --gone would change ${name} of ${count} of the records, such as ${example}, before its last recorded change. --effective-on can be ${last} at the earliest.`,
        )
  }
  return sentences
}

/** The triggers of the history read the setting. */
export const setEffectiveDay = async (client: Client, day: string): Promise<void> => {
  await client.query(`select set_config('muster.effective_on', $1, true)`, [day])
}
