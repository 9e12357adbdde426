/** In charge of what a source of cases is. */
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'

export interface Source {
  readonly name: string
  /** What it tries, for the table at the end. */
  readonly about: string
  run(machine: Machine): Promise<void>
}

export const pathOf = (machine: Pick<Machine, 'contract'>, path: string): string => `${machine.contract.base}${path}`

/** The path of an operation that something is at: a get leads to a record that exists. */
export const servedPath = (machine: Pick<Machine, 'contract' | 'pools'>, { path, resource }: Operation): string =>
  pathOf(machine, path.includes('{') ? path.replace('{item_id}', String(machine.pools.of(resource)[0]?.id)) : path)
