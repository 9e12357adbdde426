/** Checks of staged rows that need the database: missing references and duplicate values. */
import type { NamedField, Resource } from '@muster/model'
import { errorMessage, jsonType, resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import type { RowError, RowErrors } from './row-error.ts'
import { maxExamples, maxReportedErrors } from './row-error.ts'
import { stagingTable } from './staging.ts'

export const rowErrorsTable = 'pg_temp.import_row_errors'

export interface CheckOptions {
  /** Whether invalid lines are skipped instead of failing the import. No other line may then refer to them. */
  readonly skipBad: boolean
  /**
   * SQL condition for the stored rows of a resource that stay as they are, from a row source called `alias`; undefined
   * if all of them do. The staged rows replace the others.
   */
  readonly stays?: (resource: Resource, alias: string) => string | undefined
  /** The lists of fields whose combination of values is unique; by default the id and those of the declaration. */
  readonly uniqueRules?: (resource: Resource) => readonly (readonly string[])[]
}

export const createErrorsTable = async (client: Client): Promise<void> => {
  await client.query(
    `create temporary table import_row_errors
       (path text, line bigint, field text, first_line bigint, input text, reason text)`,
  )
}

/** Adds every conflict to `rowErrorsTable`, and marks the lines that have one as bad. */
export const checkStaged = async (
  client: Client,
  staged: readonly Resource[],
  options: CheckOptions,
): Promise<void> => {
  const stagedPaths = new Set(staged.map(({ path }) => path))
  for (const resource of staged) {
    for (const field of resource.storedFields) {
      if (field.references === undefined) continue
      await client.query(missingReference(resource, field, stagedPaths, options))
    }
  }
  for (const resource of staged) {
    if (options.skipBad) await client.query(markBadSql(resource))
    for (const names of options.uniqueRules?.(resource) ?? [['id'], ...resource.unique]) {
      await client.query(duplicateInTable(resource, names, options))
      await client.query(duplicateInFile(resource, names, options))
    }
    await client.query(markBadSql(resource))
  }
  if (options.skipBad) await skipDependents(client, staged, stagedPaths, options)
}

/**
 * Lines that refer to a skipped line are skipped too, and those that take a unique value of a record which therefore
 * stays as it is. This is repeated until no more are found.
 */
const skipDependents = async (
  client: Client,
  staged: readonly Resource[],
  paths: ReadonlySet<string>,
  options: CheckOptions,
): Promise<void> => {
  const internalReferences = staged.flatMap((resource) =>
    resource.storedFields
      .filter(({ references }) => references !== undefined && paths.has(references.resource))
      .map((field) => ({ resource, field })),
  )
  const checks = [
    ...internalReferences.map(({ resource, field }) => ({
      resource,
      insertErrors: missingReference(resource, field, paths, options),
    })),
    ...staged
      .filter((resource) => options.stays?.(resource, 'taken') !== undefined)
      .flatMap((resource) =>
        (options.uniqueRules?.(resource) ?? resource.unique).map((names) => ({
          resource,
          insertErrors: duplicateInTable(resource, names, options),
        })),
      ),
  ]
  for (let foundCount = 1; foundCount > 0; ) {
    foundCount = 0
    for (const { resource, insertErrors } of checks) {
      const { rowCount } = await client.query(`${insertErrors} and not staged.bad`)
      if (rowCount === 0) continue
      foundCount += rowCount ?? 0
      await client.query(markBadSql(resource))
    }
  }
}

/** A reference is valid if the table contains the record, or if the same import adds it. */
export const missingReference = (
  resource: Resource,
  field: NamedField,
  staged: ReadonlySet<string>,
  { skipBad, stays }: CheckOptions,
): string => {
  const { resource: path, within } = field.references ?? { resource: '' }
  const target = resourceAt(path)
  const column = `staged.${quoteIdentifier(field.name)}`
  const sameScope =
    within === undefined ? '' : ` and found.${quoteIdentifier(within)} = staged.${quoteIdentifier(within)}`
  const stayingRows = stays?.(target, 'found')
  const isAbsentSql = (table: string, more = '') =>
    ` and not exists (select from ${table} as found where found.id = ${column}${sameScope}${more})`
  return (
    `insert into ${rowErrorsTable} select '${resource.path}', staged.line, '${field.name}', null, ${column}::text, null` +
    ` from ${stagingTable(resource)} as staged where ${column} is not null` +
    isAbsentSql(`public.${quoteIdentifier(target.table)}`, stayingRows === undefined ? '' : ` and ${stayingRows}`) +
    (staged.has(path) ? isAbsentSql(stagingTable(target), skipBad ? ' and not found.bad' : '') : '')
  )
}

export const duplicateInTable = (resource: Resource, names: readonly string[], { stays }: CheckOptions): string => {
  const stayingRows = stays?.(resource, 'taken')
  return (
    `insert into ${rowErrorsTable} select '${resource.path}', staged.line, '${names.at(-1)}', null, staged.${quoteIdentifier(names.at(-1) ?? '')}::text, null` +
    ` from ${stagingTable(resource)} as staged join public.${quoteIdentifier(resource.table)} as taken using (${names.map(quoteIdentifier).join(', ')})` +
    (stayingRows === undefined ? '' : ` where ${stayingRows}`)
  )
}

/** Of several lines with the same value, the first is valid; the errors of the others give its line number. */
export const duplicateInFile = (resource: Resource, names: readonly string[], { skipBad }: CheckOptions): string => {
  const keys = names.map(quoteIdentifier).join(', ')
  const conditions = [
    ...names.map((name) => `${quoteIdentifier(name)} is not null`),
    ...(skipBad ? ['not bad'] : []),
  ].join(' and ')
  return (
    `insert into ${rowErrorsTable} select '${resource.path}', staged.line, '${names.at(-1)}', first_line, ${quoteIdentifier(names.at(-1) ?? '')}::text, null` +
    ` from (select ${keys}, min(line) as first_line from ${stagingTable(resource)} where ${conditions}` +
    ` group by ${keys} having count(*) > 1) as repeated join ${stagingTable(resource)} as staged using (${keys})` +
    ` where staged.line > first_line${skipBad ? ' and not staged.bad' : ''}`
  )
}

export const markBadSql = (resource: Resource): string =>
  `update ${stagingTable(resource)} as staged set bad = true from ${rowErrorsTable} as row_error` +
  ` where row_error.path = '${resource.path}' and row_error.line = staged.line and not staged.bad`

/** Adds the conflicts of a resource, in line order. Of many of one reason, the first stand for the others. */
export const addConflicts = async (
  client: Client,
  resource: Resource,
  { errors, locate }: { readonly errors: RowErrors; readonly locate: (error: RowError) => RowError },
): Promise<void> => {
  const samePartition = errors.isGrouped ? 'field, first_line, reason' : 'field, first_line, reason, line'
  const { rows } = await client.query<{
    line: string
    field: string
    first_line: string | null
    input: string | null
    reason: string | null
    others: string
  }>(
    `select line, field, first_line, input, reason, case when number = 1 then greatest(total - ${maxExamples}, 0) else 0 end as others
     from (select *, count(*) over (partition by ${samePartition}) as total,
         row_number() over (partition by ${samePartition} order by line) as number
       from ${rowErrorsTable} where path = $1) as numbered
     where number <= ${maxExamples} order by line limit ${maxReportedErrors}`,
    [resource.path],
  )
  for (const { line, field, first_line, input, reason, others } of rows) {
    const error = locate({
      line: Number(line),
      field,
      reason: reason ?? conflictReason(resource, field, first_line),
      ...(input === null ? {} : { input: isNumeric(resource, field) && reason === null ? Number(input) : input }),
    })
    errors.add(error, 1 + Number(others))
  }
}

const isNumeric = ({ storedFields: stored }: Resource, name: string): boolean =>
  stored.some((field) => field.name === name && jsonType(field) !== 'string')

const conflictReason = (resource: Resource, name: string, firstLine: string | null): string => {
  if (firstLine !== null) return `Line ${firstLine} has this value already`
  const field = resource.storedFields.find((candidate) => candidate.name === name)
  const target = field?.references?.resource
  // A conflict is reported at a reference if the referenced record is missing, and at the last field of a unique rule
  // if the value already exists. That last field is never a reference, so the field alone determines the kind of
  // conflict.
  return target === undefined
    ? errorMessage({ type: 'already_exists' })
    : errorMessage({ type: 'reference_not_found', ctx: { resource: resourceAt(target).title } })
}

export const countConflicts = async (client: Client, resource: Resource): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${rowErrorsTable} where path = $1`, [
    resource.path,
  ])
  return Number(rows[0]?.count)
}
