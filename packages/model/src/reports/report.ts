import type { ErrorContext, ErrorType } from '../validation/violation.ts'

/**
 * What the rows of a report describe: the state on one day, the fate of records chosen by when they began, or what
 * happened in a period.
 */
export type ReportKind = 'snapshot' | 'cohort' | 'activity'

export type ColumnType = 'integer' | 'number' | 'text' | 'date' | 'month'

export interface ReportColumn {
  readonly type: ColumnType
  readonly about: string
  /** If true, the value is null for clients without a token, in deployments that redact reads. */
  readonly personal?: true
  /** The same, but only in rows in which another column has one of these values. */
  readonly personalWhere?: { readonly column: string; readonly values: readonly string[] }
  /** The value follows from the other columns. The SQL function does not return this column. */
  readonly derive?: (row: ReportRow) => string | null
}

export type ParameterKind = 'date' | 'month' | 'id' | 'ids' | 'texts' | 'integer' | 'boolean' | 'choice'

export interface ReportParameter {
  readonly kind: ParameterKind
  readonly about: string
  /** The allowed values of a choice. */
  readonly values?: readonly string[]
  /** If true, the parameter reveals a personal field; rejected where personal columns would be null. */
  readonly personal?: true
  /** The same, but only with these values of a choice. */
  readonly personalValues?: readonly string[]
  /** Bounds of an integer. */
  readonly minimum?: number
  readonly maximum?: number
  /**
   * The value if the request sends none. It may depend on the parameters that the request sends, and on the defaults of
   * those declared before this one.
   */
  readonly default?: string | ((given: ReportArguments) => string)
}

/**
 * The parameters of a request by name, as text in the form in which a URL repeats them, with defaults filled in. Null
 * means that the parameter is absent and has no default.
 */
export type ReportArguments = Readonly<Record<string, string | null>>

/** The values of one row by column. */
export type ReportRow = Readonly<Record<string, string | null>>

export interface ArgumentViolation {
  readonly parameter: string
  readonly type: ErrorType
  readonly ctx?: ErrorContext
}

export interface ReportDeclaration {
  /** Last segment of the URL. */
  readonly name: string
  /** Heading in the OpenAPI document, such as `Leave by day`. */
  readonly title: string
  readonly kind: ReportKind
  /** One sentence that says what is counted. */
  readonly definition: string
  /** What `meta.excluded` counts. If absent, nothing is left out and it is 0. */
  readonly excluded?: string
  /**
   * How the rows differ for clients without a token, in deployments that redact reads. The SQL function of these rows is
   * called `muster_report_<name>_redacted`. If absent, only the values of personal columns differ.
   */
  readonly redactedRows?: string
  /**
   * Paths of the resources whose history the report reads, if the table is among those of the request. `meta.history_from`
   * says from which day on it is complete.
   */
  readonly history?: readonly string[]
  /** The tables that the SQL function reads. */
  readonly tables: readonly [string, ...string[]]
  /** The tables that a request with these parameters reads, if that depends on them. */
  readonly tablesOf?: (given: ReportArguments) => readonly [string, ...string[]]
  /** In the order of the arguments of the SQL function, after `as_of`. */
  readonly parameters: Readonly<Record<string, ReportParameter>>
  /** Thresholds that the SQL function of the rows receives after the parameters. */
  readonly constants?: readonly number[]
  /** In the order of the columns that the SQL function returns, apart from those that are derived. */
  readonly columns: Readonly<Record<string, ReportColumn>>
  /** Checks what the declaration of a single parameter cannot express, such as the length of a period. */
  readonly check?: (given: ReportArguments) => ArgumentViolation | undefined
  /** The URL of the list behind each figure. A figure that is null gets no link. */
  readonly links: (row: ReportRow, given: ReportArguments) => Readonly<Record<string, string | undefined>>
  /**
   * What differs if `as_of` is before today, with the same parameters and columns. The name of its SQL functions ends in
   * `_past`. The rows depend on personal fields, so such an `as_of` is rejected where personal columns would be null.
   */
  readonly past?: Partial<Pick<ReportDeclaration, 'history' | 'tables' | 'parameters' | 'links'>>
}

export interface Report extends Omit<ReportDeclaration, 'past'> {
  /** The SQL functions are called `muster_report_<sqlName>` and `muster_excluded_<sqlName>`. */
  readonly sqlName: string
  /** All parameters, with `as_of` first. */
  readonly allParameters: readonly NamedParameter[]
  readonly allColumns: readonly NamedColumn[]
  /** The report if `as_of` is before today. If absent, it is the same. */
  readonly past?: Report
}

export type NamedParameter = ReportParameter & { readonly name: string }
export type NamedColumn = ReportColumn & { readonly name: string }

const asOfAbout = 'The day for which the report is made; today in UTC by default.'

export const report = ({ past, ...declaration }: ReportDeclaration): Report => {
  const sqlName = declaration.name.replaceAll('-', '_')
  return {
    ...named(declaration, sqlName),
    ...(past === undefined ? {} : { past: named({ ...declaration, ...past }, `${sqlName}_past`, { personal: true }) }),
  }
}

const named = (
  declaration: Omit<ReportDeclaration, 'past'>,
  sqlName: string,
  asOf: Pick<ReportParameter, 'personal'> = {},
): Report => ({
  ...declaration,
  sqlName,
  allParameters: [
    { name: 'as_of', kind: 'date', about: asOfAbout, ...asOf },
    ...Object.entries(declaration.parameters).map(([name, parameter]) => ({ ...parameter, name })),
  ],
  allColumns: Object.entries(declaration.columns).map(([name, column]) => ({ ...column, name })),
})

/** Declares a column. */
export const column = (
  type: ColumnType,
  about: string,
  options: Omit<ReportColumn, 'type' | 'about'> = {},
): ReportColumn => ({ type, about, ...options })

/** Declares a parameter. */
export const parameter = (
  kind: ParameterKind,
  about: string,
  options: Omit<ReportParameter, 'kind' | 'about'> = {},
): ReportParameter => ({ kind, about, ...options })

/** If the parameters of a request take more characters than this in a URL, the rows of the response have no links. */
export const maxLinkedParameters = 2_000

/** The violation of a period that ends before it begins. Both are in the form `YYYY-MM-DD` or `YYYY-MM`. */
export const periodOrder = (
  given: ReportArguments,
  fromName: string,
  toName: string,
): ArgumentViolation | undefined => {
  const [from = null, to = null] = [given[fromName], given[toName]]
  return from !== null && to !== null && to < from
    ? { parameter: toName, type: 'date_order', ctx: { not_before: fromName } }
    : undefined
}

/** Maximum number of rows in one response. */
export const maxReportRows = 10_000
