/** Tables of resources and columns of fields that have no generator of their own. */
import type { NamedField, Resource } from '@muster/model'
import type { Chunk, ColumnValue, Row } from '../copy-text.ts'
import { formatChunks, formatRow } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import type { RowSources } from './declared-values.ts'
import { maxRows, notDerivable, rowMaker } from './declared-values.ts'
import type { Table } from './table.ts'

/** A table has at most so many rows for each employee. */
const MAX_ROWS_PER_EMPLOYEE = 4
const MIN_ROWS = 20

/**
 * Adds the missing columns to the written tables, and appends a table for each declared resource without one, in an
 * order that satisfies their references.
 */
export function withDeclaredRows(
  plan: Plan,
  declared: readonly Resource[],
  written: readonly Table[],
): readonly Table[] {
  const tables: Table[] = []
  const rowCounts = new Map<string, number>()
  for (const table of written) {
    const resource = declared.find((one) => one.table === table.name)
    if (resource === undefined) throw new TypeError(`no resource is declared for the table ${table.name}`)
    tables.push(withMissingColumns(table, { plan, resource, rowCounts: new Map(rowCounts) }))
    rowCounts.set(resource.path, table.rowCount)
  }
  const remaining = new Set(declared.filter(({ path }) => !rowCounts.has(path)))
  while (remaining.size > 0) {
    const [first] = remaining
    const resource = [...remaining].find(({ path, relations }) =>
      relations.every((relation) => relation.resource === path || rowCounts.has(relation.resource)),
    )
    if (resource === undefined) {
      const paths = [...remaining].map(({ path }) => path)
      throw notDerivable(first as Resource, `${paths.join(' and ')} refer to each other`)
    }
    const table = declaredTable(resource, plan, new Map(rowCounts))
    tables.push(table)
    rowCounts.set(resource.path, table.rowCount)
    remaining.delete(resource)
  }
  return tables
}

function declaredTable(resource: Resource, plan: Plan, rowCounts: ReadonlyMap<string, number>): Table {
  const fields = resource.storedFields
  const rowCount = rowCountOf(resource, plan, rowCounts)
  return {
    name: resource.table,
    columns: fields.map(({ name }) => name),
    rowCount,
    chunks: () => formatChunks(declaredRows({ plan, resource, fields, rowCount, rowCounts })),
  }
}

function* declaredRows(sources: RowSources): Generator<Row, void, void> {
  const makeRow = rowMaker(sources)
  for (let row = 0; row < sources.rowCount; row++) yield valuesInOrder(sources.fields, makeRow(row))
}

const valuesInOrder = (fields: readonly NamedField[], values: Readonly<Record<string, ColumnValue>>): Row =>
  fields.map(({ name }) => values[name] ?? null)

/**
 * Half as many rows as the largest table that the resource refers to, or as employees if it refers to none, within
 * bounds. Every suggested value needs a row.
 */
function rowCountOf(resource: Resource, plan: Plan, rowCounts: ReadonlyMap<string, number>): number {
  const referenced = resource.relations.flatMap((relation) => rowCounts.get(relation.resource) ?? [])
  const wanted = Math.ceil((referenced.length === 0 ? plan.employees : Math.max(...referenced)) / 2)
  const bounded = Math.max(MIN_ROWS, Math.min(wanted, MAX_ROWS_PER_EMPLOYEE * plan.employees))
  const suggested = resource.storedFields.map(({ values = [] }) => values.length)
  return Math.max(...suggested, Math.min(bounded, maxRows(resource, rowCounts)))
}

type Known = Pick<RowSources, 'plan' | 'resource' | 'rowCounts'>

/** Adds the fields of the resource that the table does not have at the end of its lines. */
function withMissingColumns(table: Table, known: Known): Table {
  const fields = known.resource.storedFields.filter(({ name }) => !table.columns.includes(name))
  if (fields.length === 0) return table
  return {
    ...table,
    columns: [...table.columns, ...fields.map(({ name }) => name)],
    chunks: () => completedChunks(table, { ...known, fields, rowCount: table.rowCount }),
  }
}

function* completedChunks(table: Table, sources: RowSources): Generator<Chunk, void, void> {
  const makeRow = rowMaker(sources)
  let row = 0
  for (const { bytes, rows } of table.chunks()) {
    let text = ''
    for (const line of bytes.toString().slice(0, -1).split('\n')) {
      const cells = line.split('\t').map((cell) => (cell === '\\N' ? null : cell))
      const given = Object.fromEntries(table.columns.map((name, index) => [name, cells[index] ?? null]))
      text += `${line}\t${formatRow(valuesInOrder(sources.fields, makeRow(row, given)))}`
      row++
    }
    yield { bytes: Buffer.from(text), rows }
  }
}
