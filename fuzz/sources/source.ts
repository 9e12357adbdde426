/** In charge of what a source of cases is. */
import type { Machine } from '../machine.ts'

export interface Source {
  readonly name: string
  /** What it tries, for the table at the end. */
  readonly about: string
  run(machine: Machine): Promise<void>
}

export const pathOf = (machine: Pick<Machine, 'contract'>, path: string): string => `${machine.contract.base}${path}`
