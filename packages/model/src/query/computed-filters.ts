/** Filters whose condition is a query rather than a comparison with one field. */
export interface ComputedFilter {
  readonly parameter: string
  /** Whether the value is a date, a day of any year, an id, a string that is compared ignoring case, or one of `values`. */
  readonly kind: 'date' | 'month-day' | 'id' | 'text' | 'choice'
  readonly values?: readonly string[]
  /** A sentence such as `Only employees who were employed at the end of this day.` */
  readonly about: string
  /** If true, the filter reveals personal fields. */
  readonly personal: boolean
  /** If true for a value, this choice reveals personal fields. */
  readonly personalValues?: readonly string[]
  /** The tables that the condition reads besides that of the resource. */
  readonly tables: readonly string[]
  /** The same for each value of a choice, if they differ. */
  readonly tablesByValue?: Readonly<Record<string, readonly string[]>>
}
