/** The names in the access file, and what they stand for. */
import type { Report, Resource } from '@muster/model'
import { history, listedResources, reports, resourceAt, resources, trackedResources } from '@muster/model'
import type { TableSource } from '../../postgres/sql/statement.ts'
import { tablesOf } from '../../postgres/sql/statement.ts'

/** What a response is read from. */
export interface ReadNeeds {
  readonly tables: readonly string[]
  /** The right to this report is enough, whatever the report reads. */
  readonly report?: string
}

const resourcePaths = listedResources.map(({ path }) => path)

/** Without the report `attendance`: its name stands for the resource. */
const reportNames = reports.map(({ name }) => name).filter((name) => !resourcePaths.includes(name))

export const readableNames: readonly string[] = [...resourcePaths, ...reportNames]

export const creatablePaths: readonly string[] = resources.filter(({ creatable }) => creatable).map(({ path }) => path)

/** The tables of the resources among these names. */
export const tablesNamed = (names: readonly string[]): string[] =>
  listedResources.filter(({ path }) => names.includes(path)).map(({ table }) => table)

export const reportsNamed = (names: readonly string[]): string[] => reportNames.filter((name) => names.includes(name))

export const pathsOfTables = (tables: readonly string[]): string[] =>
  listedResources.filter(({ table }) => tables.includes(table)).map(({ path }) => path)

/** The tables that all records of a resource are about. */
export const tablesOfAll = (resource: Resource): readonly string[] =>
  resource.table === history.table ? [history.table, ...trackedResources.map(({ table }) => table)] : [resource.table]

/** With the resources whose history the report reads. `tables` are those of the request. */
export const reportNeeds = ({ name, history: paths = [] }: Report, tables: readonly string[]): ReadNeeds => ({
  report: name,
  tables: tables.includes(history.table) ? [...tables, ...paths.map((path) => resourceAt(path).table)] : tables,
})

export const needsOf = (source: TableSource): ReadNeeds => ({ tables: tablesOf(source) })
