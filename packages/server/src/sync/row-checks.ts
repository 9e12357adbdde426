/**
 * Checks merged rows: required fields and the order of dates, which an import checks before staging. Also rejects lines
 * of erased people.
 */
import type { Resource } from '@muster/model'
import { errorMessage } from '@muster/model'
import type { Client } from 'pg'
import { markBadSql, rowErrorsTable } from '../import-export/checks.ts'
import { rejectErased } from '../import-export/erased-rows.ts'
import { stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'

export const checkRows = async (
  client: Client,
  resource: Resource,
  options: { readonly staged: readonly Resource[]; readonly restoreErased: boolean },
): Promise<void> => {
  for (const field of resource.storedFields) {
    if (field.required && field.kind !== 'id')
      await addErrors(client, resource, {
        field: field.name,
        reason: errorMessage({ type: 'missing' }),
        condition: `staged.${quoteIdentifier(field.name)} is null`,
      })
    if (field.notBefore !== undefined)
      await addErrors(client, resource, {
        field: field.name,
        reason: errorMessage({ type: 'date_order', ctx: { not_before: field.notBefore } }),
        condition: `staged.${quoteIdentifier(field.name)} < staged.${quoteIdentifier(field.notBefore)}`,
      })
  }
  if (!options.restoreErased) await rejectErased(client, resource, { partial: true, staged: options.staged })
  await client.query(markBadSql(resource))
}

interface RowCheck {
  readonly field: string
  readonly reason: string
  readonly condition: string
}

const addErrors = async (client: Client, resource: Resource, { field, reason, condition }: RowCheck): Promise<void> => {
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(resource.path)}, staged.line, ${quoteLiteral(field)}, null, null, ${quoteLiteral(reason)}
     from ${stagingTable(resource)} as staged where not staged.bad and ${condition}`,
  )
}
