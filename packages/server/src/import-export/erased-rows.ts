/** Staged rows of people whose data was erased. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { hasPersonalValue, quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'
import { deleteErasedKeys, erasedCondition } from '../privacy/erased-keys.ts'
import type { RowSource } from '../privacy/person-links.ts'
import { markBadSql, rowErrorsTable } from './checks.ts'
import type { StagingRules } from './staging.ts'
import { givenBit, stagingTable } from './staging.ts'

export interface ErasedRules extends Pick<StagingRules, 'partial'> {
  /** The resources with staged rows. */
  readonly staged: readonly Resource[]
}

/** Rejects the lines of erased people that contain a value of a personal field. */
export const rejectErased = async (
  client: Client,
  resource: Resource,
  { partial, staged }: ErasedRules,
): Promise<void> => {
  const restores = restoresPersonalValue(resource, 'staged', { partial })
  if (restores === undefined) return
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(resource.path)}, staged.line, ${quoteLiteral(resource.naturalKey.at(-1) as string)}, null, null,
       'This person was erased: remove the person from the system that writes the file, or add --restore-erased'
     from ${stagingTable(resource)} as staged where not staged.bad and ${restores} and ${erasedCondition(resource, 'staged', storedAndStaged(staged))}`,
  )
  await client.query(markBadSql(resource))
}

const storedAndStaged =
  (staged: readonly Resource[]): RowSource =>
  ({ resource, field }) => {
    const columns = `select id, ${quoteIdentifier(field)} from`
    const stored = `${columns} public.${quoteIdentifier(resource.table)}`
    return staged.includes(resource) ? `(${stored} union all ${columns} ${stagingTable(resource)})` : `(${stored})`
  }

/** Deletes the keys of the people whose personal values were stored again. */
export const deleteRestoredKeys = async (
  client: Client,
  resource: Resource,
  rules: Pick<StagingRules, 'partial'>,
): Promise<void> => {
  const restores = restoresPersonalValue(resource, 'restored', rules)
  if (restores === undefined) return
  await deleteErasedKeys(client, resource, {
    table: stagingTable(resource),
    condition: `${restores} and not restored.bad`,
  })
}

/** SQL condition: the line gives a personal field a value. Undefined if the resource has no personal fields. */
const restoresPersonalValue = (
  resource: Resource,
  alias: string,
  { partial }: Pick<StagingRules, 'partial'>,
): string | undefined => {
  const conditions = resource.storedFields
    .filter(({ personal }) => personal)
    .map((field) => {
      const hasValue = hasPersonalValue(field, `${alias}.${quoteIdentifier(field.name)}`)
      return partial ? `(${alias}.given & ${givenBit(resource, field.name)} <> 0 and ${hasValue})` : hasValue
    })
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`
}
