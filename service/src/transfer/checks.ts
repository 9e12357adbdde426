/** In charge of what only the database knows about staged rows: references to nothing, and values that are taken. */
import type { NamedField, Resource } from '@muster/model'
import { faultMessage, jsonType, resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { quoted } from '../database/statement.ts'
import type { Refusal } from './refusal.ts'
import { mostTold } from './refusal.ts'
import { stagingTable } from './staging.ts'

export const faultsTable = 'pg_temp.import_faults'

export interface CheckOptions {
  /** Bad lines are left out instead of stopping everything, so nothing may refer to them. */
  readonly skipBad: boolean
}

/** Finds every clash, and marks the lines that have one as bad. */
export const checkStaged = async (
  client: Client,
  staged: readonly Resource[],
  options: CheckOptions,
): Promise<void> => {
  await client.query(
    'create temporary table import_faults (path text, line bigint, field text, first_line bigint, input text)',
  )
  const paths = new Set(staged.map(({ path }) => path))
  for (const resource of staged) {
    for (const field of resource.stored) {
      if (field.references === undefined) continue
      await client.query(missingReference(resource, field, paths, options))
    }
  }
  for (const resource of staged) {
    if (options.skipBad) await client.query(markBad(resource))
    for (const names of [['id'], ...resource.unique]) {
      await client.query(takenInTable(resource, names))
      await client.query(takenInFile(resource, names, options))
    }
    await client.query(markBad(resource))
  }
  if (options.skipBad) await followReferences(client, staged, paths)
}

/** A line that refers to a line left out is left out too, and so on until no more are found. */
const followReferences = async (
  client: Client,
  staged: readonly Resource[],
  paths: ReadonlySet<string>,
): Promise<void> => {
  const inside = staged.flatMap((resource) =>
    resource.stored
      .filter(({ references }) => references !== undefined && paths.has(references.resource))
      .map((field) => ({ resource, field })),
  )
  for (let found = 1; found > 0; ) {
    found = 0
    for (const { resource, field } of inside) {
      const { rowCount } = await client.query(
        `${missingReference(resource, field, paths, { skipBad: true })} and not staged.bad`,
      )
      if (rowCount === 0) continue
      found += rowCount ?? 0
      await client.query(markBad(resource))
    }
  }
}

/** A reference is good when the table has the record, or when the same import brings it. */
export const missingReference = (
  resource: Resource,
  field: NamedField,
  staged: ReadonlySet<string>,
  { skipBad }: CheckOptions,
): string => {
  const { resource: path, within } = field.references ?? { resource: '' }
  const target = resourceAt(path)
  const column = `staged.${quoted(field.name)}`
  const same = within === undefined ? '' : ` and found.${quoted(within)} = staged.${quoted(within)}`
  const absent = (table: string, more = '') =>
    ` and not exists (select from ${table} as found where found.id = ${column}${same}${more})`
  return (
    `insert into ${faultsTable} select '${resource.path}', staged.line, '${field.name}', null, ${column}::text` +
    ` from ${stagingTable(resource)} as staged where ${column} is not null` +
    absent(`public.${quoted(target.table)}`) +
    (staged.has(path) ? absent(stagingTable(target), skipBad ? ' and not found.bad' : '') : '')
  )
}

export const takenInTable = (resource: Resource, names: readonly string[]): string =>
  `insert into ${faultsTable} select '${resource.path}', staged.line, '${names.at(-1)}', null, staged.${quoted(names.at(-1) ?? '')}::text` +
  ` from ${stagingTable(resource)} as staged join public.${quoted(resource.table)} as taken using (${names.map(quoted).join(', ')})`

/** The first of several lines with one value stands; the others are told of it. */
export const takenInFile = (resource: Resource, names: readonly string[], { skipBad }: CheckOptions): string => {
  const keys = names.map(quoted).join(', ')
  const given = [...names.map((name) => `${quoted(name)} is not null`), ...(skipBad ? ['not bad'] : [])].join(' and ')
  return (
    `insert into ${faultsTable} select '${resource.path}', staged.line, '${names.at(-1)}', first_line, ${quoted(names.at(-1) ?? '')}::text` +
    ` from (select ${keys}, min(line) as first_line from ${stagingTable(resource)} where ${given}` +
    ` group by ${keys} having count(*) > 1) as repeated join ${stagingTable(resource)} as staged using (${keys})` +
    ` where staged.line > first_line${skipBad ? ' and not staged.bad' : ''}`
  )
}

const markBad = (resource: Resource): string =>
  `update ${stagingTable(resource)} as staged set bad = true from ${faultsTable} as fault` +
  ` where fault.path = '${resource.path}' and fault.line = staged.line and not staged.bad`

/** The first clashes of a resource in the order of its lines. */
export const readClashes = async (client: Client, resource: Resource): Promise<Refusal[]> => {
  const { rows } = await client.query<{ line: string; field: string; first_line: string | null; input: string }>(
    `select line, field, first_line, input from ${faultsTable} where path = $1 order by line limit ${mostTold}`,
    [resource.path],
  )
  return rows.map(({ line, field, first_line, input }) => ({
    line: Number(line),
    field,
    reason: clashReason(resource, field, first_line),
    input: isNumeric(resource, field) ? Number(input) : input,
  }))
}

const isNumeric = ({ stored }: Resource, name: string): boolean =>
  stored.some((field) => field.name === name && jsonType(field) !== 'string')

const clashReason = (resource: Resource, name: string, firstLine: string | null): string => {
  if (firstLine !== null) return `Line ${firstLine} has this value already`
  const field = resource.stored.find((candidate) => candidate.name === name)
  const target = field?.references?.resource
  // An organization's slug is unique, and no reference is: the two kinds of clash never meet in one field.
  return target === undefined
    ? faultMessage({ type: 'already_exists' })
    : faultMessage({ type: 'reference_not_found', ctx: { resource: resourceAt(target).title } })
}

export const countClashes = async (client: Client, resource: Resource): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${faultsTable} where path = $1`, [
    resource.path,
  ])
  return Number(rows[0]?.count)
}
