import type { Writable } from 'node:stream'

/** Where a file of an export is written. */
export interface Output {
  /** Called before the first row is written. */
  readonly open: () => Promise<Writable>
  /** Called after the last row was written. */
  readonly close?: () => Promise<void>
}
