/** References that a file contains as another field of the record, such as the code of a manager. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { markBadSql, rowErrorsTable } from '../import-export/checks.ts'
import { lookupColumn, stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'

export interface Lookup {
  readonly field: string
  readonly target: Resource
  /** The field of the target that the file contains. */
  readonly by: string
}

export interface LookupRows {
  /** SQL condition for the stored rows that no valid staged line replaces; undefined if the target is not staged. */
  readonly staying: string | undefined
  /** Whether invalid lines are skipped. Otherwise a line may refer to one: fixing the invalid line fixes both. */
  readonly skipBad: boolean
}

/** Sets the reference of every staged line to the record that has the value. */
export const resolveLookup = async (
  client: Client,
  resource: Resource,
  { field, target, by }: Lookup,
  { staying, skipBad }: LookupRows,
): Promise<void> => {
  const value = `${quoteIdentifier(by)}::text as value`
  const storedRows = `select id, ${value} from public.${quoteIdentifier(target.table)} as found`
  const rows =
    staying === undefined
      ? storedRows
      : `${storedRows} where ${staying} union all select id, ${value} from ${stagingTable(target)}${skipBad ? ' where not bad' : ''}`
  const foundName = quoteIdentifier(`sync_found_${resource.table}_${field}`)
  await client.query(
    `create temporary table ${foundName} on commit drop as
     select public.muster_key(value) collate "C" as key, min(id) as id, count(distinct id) as records
     from (${rows}) as named where value is not null group by 1`,
  )
  const sameKey = `found.key = public.muster_key(staged.${lookupColumn(field)}) collate "C"`
  await client.query(
    `update ${stagingTable(resource)} as staged set ${quoteIdentifier(field)} = found.id
     from pg_temp.${foundName} as found where ${sameKey} and found.records = 1`,
  )
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(resource.path)}, staged.line, ${quoteLiteral(field)}, null, staged.${lookupColumn(field)},
       case when found.records > 1 then ${quoteLiteral(`Several ${target.titles} have this ${by}`)}
       else ${quoteLiteral(`No ${target.title} has this ${by}`)} end
     from ${stagingTable(resource)} as staged left join pg_temp.${foundName} as found on ${sameKey}
     where staged.${lookupColumn(field)} is not null and coalesce(found.records, 0) <> 1`,
  )
  await client.query(markBadSql(resource))
}
