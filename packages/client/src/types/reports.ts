import type { ReportKind } from '@muster/model'
import type { ReportQueries } from '../generated/reports.ts'

export type ReportName = keyof ReportQueries

export interface ReportResult<T> {
  readonly data: T[]
  readonly meta: {
    /** What the report counts, in words. */
    readonly definition: string
    readonly kind: ReportKind
    readonly as_of: string
    /** Number of records that the report leaves out, for example because they have no date. */
    readonly excluded: number
    /** Only in reports that read the history: the day from which on all changes are recorded. */
    readonly history_from?: string
  }
}
