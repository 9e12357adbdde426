/** In charge of what a source of cases is. */
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'

export interface Source {
  readonly name: string
  /** What it tries, for the table at the end. */
  readonly about: string
  run(machine: Machine): Promise<void>
}

/** What has to be asked of an operation, such as `by=status`: each required parameter with its first example. */
export const requiredQuery = ({ parameters }: Operation): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }) => [name, String(schema.examples?.[0])]),
  )

/** The content types of lists as files, by what asks for them. */
export const fileTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
}

export const pathOf = (machine: Pick<Machine, 'contract'>, path: string): string => `${machine.contract.base}${path}`

/** The path of an operation that something is at: a get leads to a record that exists. */
export const servedPath = (machine: Pick<Machine, 'contract' | 'pools'>, { path, resource }: Operation): string =>
  pathOf(machine, path.includes('{') ? path.replace('{item_id}', String(machine.pools.of(resource)[0]?.id)) : path)
