/** The changes of a sync, record by record, as the database compares them. */
import type { NamedField, Resource } from '@muster/model'
import type { Client } from 'pg'
import { maskedText } from '../import-export/row-error.ts'
import { givenBit, stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier, quoteLiteral, responseExpression } from '../postgres/sql/statement.ts'
import type { Lookup } from './lookups.ts'
import { fieldOf } from './match.ts'
import type { RecordChange } from './options.ts'
import type { ResourcePlan } from './plan.ts'
import { differs, goneTable, goneValueSql, updatedTable } from './plan.ts'

export interface DiffOptions {
  readonly fields: readonly string[]
  /** The fields for which the map has a default. New records get it, although the line does not contain the field. */
  readonly defaultFields: readonly string[]
  /** References that the file contains as another field of the record, which is then shown instead of the id. */
  readonly lookups: readonly Lookup[]
  readonly isStaged: (resource: Resource) => boolean
  readonly showValues: boolean
}

const fetchRows = 1_000

/** Calls `onChange` for every record that the plan creates, updates, marks or deletes. */
export const readRecordChanges = async (
  client: Client,
  plan: ResourcePlan,
  options: DiffOptions,
  onChange: (change: RecordChange) => void,
): Promise<void> => {
  for (const select of [createdRows(plan, options), updatedRows(plan, options), goneRows(plan, options)]) {
    await client.query(`declare changes no scroll cursor for ${select}`)
    for (;;) {
      const { rows } = await client.query<{ change: RecordChange }>(`fetch ${fetchRows} from changes`)
      for (const { change } of rows) onChange(change)
      if (rows.length < fetchRows) break
    }
    await client.query('close changes')
  }
}

const valueSql = (resource: Resource, name: string, alias: RowSource, options: DiffOptions): string => {
  const field = fieldOf(resource, name)
  const lookup = options.lookups.find((each) => each.field === name)
  if (lookup !== undefined) {
    const by = quoteIdentifier(lookup.by)
    const isNewRecord = alias === 'staged' && options.isStaged(lookup.target)
    const found = `${foundAlias(alias, name)}.${by}`
    const value = isNewRecord ? `coalesce(${newAlias(name)}.${by}, ${found})` : found
    return maskedSql(fieldOf(lookup.target, lookup.by), value, options)
  }
  return maskedSql(field, responseExpression(field, alias), options)
}

type RowSource = 'staged' | 'stored'

const foundAlias = (alias: RowSource, name: string): string => quoteIdentifier(`${alias}_${name}`)
const newAlias = (name: string): string => quoteIdentifier(`new_${name}`)

/** Joins the records to which lookups refer. A new record has no id yet, only the negative number of its line. */
const lookupJoins = (sources: readonly RowSource[], { lookups, isStaged }: DiffOptions): string =>
  lookups
    .flatMap(({ field, target }) => {
      const column = quoteIdentifier(field)
      const stored = sources.map(
        (alias) =>
          `left join public.${quoteIdentifier(target.table)} as ${foundAlias(alias, field)} on ${foundAlias(alias, field)}.id = ${alias}.${column}`,
      )
      return sources.includes('staged') && isStaged(target)
        ? [
            ...stored,
            `left join ${stagingTable(target)} as ${newAlias(field)} on ${newAlias(field)}.id = staged.${column} and not ${newAlias(field)}.bad`,
          ]
        : stored
    })
    .join(' ')

const maskedSql = ({ personal }: NamedField, value: string, { showValues }: DiffOptions): string =>
  personal && !showValues
    ? `case when ${value} is null then null else to_json(${quoteLiteral(maskedText)}::text) end`
    : `to_json(${value})`

interface ChangeParts {
  readonly kind: string
  readonly id: string
  readonly line: string
  /** The row source that has the key. */
  readonly row: RowSource
  readonly fields: readonly {
    readonly name: string
    readonly old: string
    readonly new: string
    readonly condition: string
  }[]
}

const changeSql = (resource: Resource, parts: ChangeParts, options: DiffOptions): string => {
  const key = resource.naturalKey.map(
    (name) => `${quoteLiteral(name)}, ${valueSql(resource, name, parts.row, options)}`,
  )
  const fields = parts.fields.map(
    ({ name, old, new: value, condition }) =>
      `(${quoteLiteral(name)}, json_build_object('old', ${old}, 'new', ${value}), ${condition})`,
  )
  const fieldsSql =
    fields.length === 0
      ? `'{}'::json`
      : `(select coalesce(json_object_agg(name, difference), '{}') from (values ${fields.join(', ')}) as compared (name, difference, differs) where differs)`
  return `select json_build_object('resource', ${quoteLiteral(resource.path)}, 'kind', ${parts.kind}, 'id', ${parts.id},
    'line', ${parts.line}, 'key', json_build_object(${key.join(', ')}), 'fields', ${fieldsSql}) as change`
}

const createdRows = ({ resource }: ResourcePlan, options: DiffOptions): string =>
  `${changeSql(
    resource,
    {
      kind: `'created'`,
      id: 'case when staged.id > 0 then staged.id end',
      line: 'staged.line',
      row: 'staged',
      fields: resource.storedFields
        .filter(({ name }) => options.fields.includes(name) || options.defaultFields.includes(name))
        .map(({ name }) => ({
          name,
          old: 'null',
          new: valueSql(resource, name, 'staged', options),
          condition: `${options.defaultFields.includes(name) ? 'true' : `staged.given & ${givenBit(resource, name)} <> 0`} and staged.${quoteIdentifier(name)} is not null`,
        })),
    },
    options,
  )} from ${stagingTable(resource)} as staged ${lookupJoins(['staged'], options)} where not staged.matched and not staged.bad order by staged.line`

const updatedRows = ({ resource }: ResourcePlan, options: DiffOptions): string =>
  `${changeSql(
    resource,
    {
      kind: `'updated'`,
      id: 'staged.id',
      line: 'staged.line',
      row: 'stored',
      fields: options.fields.map((name) => ({
        name,
        old: valueSql(resource, name, 'stored', options),
        new: valueSql(resource, name, 'staged', options),
        condition: differs(resource, name),
      })),
    },
    options,
  )} from ${updatedTable(resource)} as updated join ${stagingTable(resource)} as staged using (id)
     join public.${quoteIdentifier(resource.table)} as stored using (id) ${lookupJoins(['staged', 'stored'], options)} where not staged.bad order by staged.line`

const goneRows = ({ resource, goneRule }: ResourcePlan, options: DiffOptions): string => {
  const values = goneRule.action === 'mark' ? goneRule.values : []
  return `${changeSql(
    resource,
    {
      kind: goneRule.action === 'mark' ? `'marked'` : `'deleted'`,
      id: 'stored.id',
      line: 'null',
      row: 'stored',
      fields: values.map((value) => ({
        name: value.field,
        old: valueSql(resource, value.field, 'stored', options),
        new: maskedSql(fieldOf(resource, value.field), goneValueSql(resource, value), options),
        condition: `stored.${quoteIdentifier(value.field)} is distinct from ${goneValueSql(resource, value)}`,
      })),
    },
    options,
  )} from ${goneTable(resource)} as gone join public.${quoteIdentifier(resource.table)} as stored using (id) ${lookupJoins(['stored'], options)} order by stored.id`
}
