import type { Resource } from '@muster/model'
import type { Source } from '../import-export/source.ts'
import type { ReadProgress } from '../import-export/staging.ts'
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
  /**
   * Replaces the limit on marked or deleted records, in percent, and raises the limit on updated records if it is
   * larger. Undefined: the defaults.
   */
  readonly atMostPercent: number | undefined
  /** The day, in the form YYYY-MM-DD, that changes of tracked fields get; undefined for today in UTC. */
  readonly effectiveOn: string | undefined
  readonly skipBad: boolean
  readonly restoreErased: boolean
  /** Whether reported changes and errors contain the values of personal fields. */
  readonly showValues: boolean
  readonly dryRun: boolean
  /** Called for every change, before any is stored. */
  readonly onChange?: (change: RecordChange) => void
  /** Called after the last change, unless the sync is refused. If it throws, nothing is changed. */
  readonly onLastChange?: () => void
  readonly onProgress?: (progress: ReadProgress) => void
}

export type RecordChangeKind = 'created' | 'updated' | 'marked' | 'deleted'

export interface RecordChange {
  readonly resource: string
  readonly kind: RecordChangeKind
  /** Null for a new record without an id in the file. */
  readonly id: number | null
  /** Null for a record that is missing from the file. */
  readonly line: number | null
  /** The natural key of the record. */
  readonly key: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}
