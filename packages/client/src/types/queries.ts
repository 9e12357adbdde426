export type OneOrMore<T> = T | readonly T[]
/** Callers that compile with `exactOptionalPropertyTypes` can also pass `undefined` to leave a parameter out. */
export type Optional<T> = T | undefined

/** F is the union of the selected fields. E is the union of the related records to include. */
export interface Selection<F, E> {
  readonly fields?: Optional<readonly F[]>
  readonly expand?: Optional<readonly E[]>
}

type OneOrTwo<T> = T | readonly [T] | readonly [T, T]

export interface Grouping<G> {
  /** The one or two fields to group by. */
  readonly by: OneOrTwo<G>
  /** Number of groups in a page, from 1 to 1,000. Without `limit` and `offset`, the response contains all groups. */
  readonly limit?: Optional<number>
  readonly offset?: Optional<number>
}
