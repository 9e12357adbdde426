import type { DeclaredReport, ReportColumn, ReportKind, ReportParameter } from '@muster/model'
import type { CamelCase } from './declared.ts'
import type { OneOrMore, Optional } from './queries.ts'
import type { Flat } from './results.ts'

/** The declarations of the reports, by their name in the client. */
export type Reports = { [R in DeclaredReport as CamelCase<R['name']>]: R }
export type ReportName = keyof Reports
/** Parameters of reports: `ReportQueries['leaveDays']`. */
export type ReportQueries = { [N in ReportName]: ReportQuery<Reports[N]> }
/** Rows of reports: `ReportRows['leaveDays']`. */
export type ReportRows = { [N in ReportName]: ReportRow<Reports[N]> }

interface ValuesByKind {
  readonly date: string
  readonly month: string
  readonly id: number
  readonly ids: OneOrMore<number>
  readonly texts: OneOrMore<string>
  readonly integer: number
  readonly boolean: boolean
}

/** The value of a parameter with the declaration P. */
type ParameterValue<P> =
  P extends ReportParameter<'choice', infer V>
    ? V
    : P extends { readonly kind: infer K extends keyof ValuesByKind }
      ? ValuesByKind[K]
      : never

type ReportQuery<R extends DeclaredReport> = {
  /** The day for which the report is made, as in `2026-12-31`. The default is today in UTC. */
  readonly as_of?: Optional<string>
} & {
  readonly [K in keyof R['parameters']]?: Optional<ParameterValue<R['parameters'][K]>>
}

type ReportRow<R extends DeclaredReport> = Flat<
  {
    -readonly [K in keyof R['columns']]: R['columns'][K] extends ReportColumn<'integer' | 'number'>
      ? number | null
      : string | null
  } & {
    /** The path, with `/api`, of the list behind each figure. */
    links: { [K in keyof R['columns']]?: string }
  }
>

export interface ReportResult<T> {
  readonly data: T[]
  readonly meta: {
    /** What the report counts, in words. */
    readonly definition: string
    readonly kind: ReportKind
    readonly as_of: string
    /** Number of records that the report leaves out, for example because they have no date. */
    readonly excluded: number
  }
}
