import type { Resource } from '@muster/model'
import type { ReadProgress, Source } from '../import-export/staging.ts'
import type { FieldMap } from './field-map.ts'

export interface SyncSource extends Source {
  /** Translates the columns of the file; undefined if they are named after fields. */
  readonly map?: FieldMap
}

/** The value of `--gone` that stands for the current date in UTC. */
export const today = Symbol('today')

export interface GoneValue {
  readonly field: string
  readonly value: string | number | null | typeof today
  /** Whether an erased record keeps its value of the field. */
  readonly exceptErased?: boolean
}

/** What happens to records that are missing from the file. */
export type GoneRule =
  | { readonly action: 'keep' }
  | { readonly action: 'mark'; readonly values: readonly GoneValue[] }
  | { readonly action: 'delete' }

export interface SyncOptions {
  readonly connectionString: string
  readonly sources: readonly SyncSource[]
  /** The fields by which records are found; undefined for the id, or else the natural key. */
  readonly key: readonly string[] | undefined
  /** Whether an empty cell leaves the stored value as it is, instead of emptying it. */
  readonly emptyKeeps: boolean
  readonly goneRule: (resource: Resource) => GoneRule
  /** The largest share of the records, in percent, that may change or be missing; undefined for the defaults. */
  readonly atMostPercent: number | undefined
  readonly skipBad: boolean
  readonly restoreErased: boolean
  /** Whether reported changes contain the values of personal fields. */
  readonly showValues: boolean
  readonly dryRun: boolean
  /** Receives every change, before any is stored; undefined if nobody wants to know. */
  readonly onChange?: (change: RecordChange) => void
  readonly onProgress?: (progress: ReadProgress) => void
}

export type ChangeKind = 'created' | 'updated' | 'marked' | 'removed'

export interface RecordChange {
  readonly resource: string
  readonly kind: ChangeKind
  /** Null for a new record without an id in the file. */
  readonly id: number | null
  /** Null for a record that is missing from the file. */
  readonly line: number | null
  /** The natural key of the record. */
  readonly key: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}
