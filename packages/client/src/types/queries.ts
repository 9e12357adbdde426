import type { FieldNameOf } from '@muster/model'
import type {
  ComputedFilters,
  DeclaredResource,
  GroupKey,
  IdField,
  NullableField,
  NumberFilterField,
  NumberRangeField,
  ReferenceFilterField,
  RelatedResource,
  Relation,
  SortKey,
  StateField,
  TextFilterField,
  TimeField,
} from './declared.ts'

export type OneOrMore<T> = T | readonly T[]
/** Callers that compile with `exactOptionalPropertyTypes` can also pass `undefined` to leave a parameter out. */
export type Optional<T> = T | undefined

/** Filters that also exist for related records. The bounds `<field>_from` and `<field>_to` are inclusive. */
type ValueFilters<R extends DeclaredResource> = {
  readonly [K in ReferenceFilterField<R>]?: Optional<OneOrMore<number>>
} & {
  readonly [K in NumberFilterField<R>]?: Optional<number>
} & {
  readonly [K in TextFilterField<R>]?: Optional<OneOrMore<string>>
} & {
  readonly [K in TimeField<R> as `${K}_${'from' | 'to'}`]?: Optional<string>
} & {
  readonly [K in NumberRangeField<R> as `${K}_${'from' | 'to'}`]?: Optional<number>
}

type RelationFilterName<R extends DeclaredResource> = {
  [N in Relation<R>]: `${N}.${Extract<keyof ValueFilters<RelatedResource<R, N>>, string>}`
}[Relation<R>]

type RelationFilterValue<
  R extends DeclaredResource,
  Name extends string,
> = Name extends `${infer N extends Relation<R>}.${infer K}`
  ? // TypeScript 6 needs a name for the type that K indexes.
    ValueFilters<RelatedResource<R, N>> extends infer Filters
    ? K extends keyof Filters
      ? Filters[K]
      : never
    : never
  : never

/** The value of a filter whose condition is a query. C is the declaration of the filter. */
export type ComputedFilterValue<C> = C extends { readonly kind: 'choice'; readonly values: readonly (infer V)[] }
  ? V
  : C extends { readonly kind: 'id' }
    ? number
    : string

/** A record matches if all filters match. A filter such as `employee.dept_id` applies to the related record. */
export type Filters<R extends DeclaredResource> = ValueFilters<R> & {
  readonly [Name in RelationFilterName<R>]?: RelationFilterValue<R, Name>
} & {
  readonly [K in IdField<R>]?: Optional<OneOrMore<number>>
} & {
  readonly [K in NullableField<R> as `${K}_is_null`]?: Optional<boolean>
} & {
  readonly [K in StateField<R> as `${K}_not`]?: Optional<OneOrMore<string>>
} & {
  readonly [C in ComputedFilters<R> as C['parameter']]?: Optional<ComputedFilterValue<C>>
} & {
  /** Search terms that a record must contain; case and accents are ignored. */
  readonly q?: Optional<string>
}

/** F is the union of the selected fields. E is the union of the related records to include. */
export interface Selection<R extends DeclaredResource, F extends FieldNameOf<R>, E extends Relation<R>> {
  readonly fields?: Optional<readonly F[]>
  readonly expand?: Optional<readonly E[]>
}

interface SortOption<R extends DeclaredResource> {
  /** `-` before a field reverses its order. Records with equal values are sorted by `id`. */
  readonly sort?: Optional<OneOrMore<SortKey<R>>>
}

export type EachQuery<R extends DeclaredResource, F extends FieldNameOf<R>, E extends Relation<R>> = Filters<R> &
  Selection<R, F, E> &
  SortOption<R>

export type ListQuery<R extends DeclaredResource, F extends FieldNameOf<R>, E extends Relation<R>> = EachQuery<
  R,
  F,
  E
> & {
  /** Number of records in a page, from 1 to 200. The default is 50. */
  readonly limit?: Optional<number>
  readonly offset?: Optional<number>
}

export type CountQuery<R extends DeclaredResource, G extends GroupKey<R>> = Filters<R> & {
  /** The one or two fields to group by. */
  readonly by: G | readonly [G] | readonly [G, G]
  /** Number of groups in a page, from 1 to 1,000. Without `limit` and `offset`, the response contains all groups. */
  readonly limit?: Optional<number>
  readonly offset?: Optional<number>
}
