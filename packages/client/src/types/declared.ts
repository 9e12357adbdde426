/** Types that select the fields of a declared resource, for example those with an equality filter. */
import type { DeclaredResource, FieldNameOf } from '@muster/model'

export type { DeclaredResource }

/** The name in the client of a resource or report: `career-sites` is called `careerSites`. */
export type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S

type FieldsOf<R extends DeclaredResource> = R['fields']

/** Names of the fields of the resource R whose declaration is assignable to T. */
type FieldNamesLike<R extends DeclaredResource, T> = {
  [K in FieldNameOf<R>]: FieldsOf<R>[K] extends T ? K : never
}[FieldNameOf<R>]

export type IdField<R extends DeclaredResource> = FieldNamesLike<R, { readonly kind: 'id' }>
/** Fields that a query can filter by one id or by any of several ids of related records. */
export type ReferenceFilterField<R extends DeclaredResource> = FieldNamesLike<
  R,
  { readonly kind: 'reference'; readonly filter: true }
>
/** Fields that a query can filter by one number. */
export type NumberFilterField<R extends DeclaredResource> = FieldNamesLike<
  R,
  { readonly kind: 'integer'; readonly filter: true }
>
/** Fields that a query can filter by one text or by any of several texts. */
export type TextFilterField<R extends DeclaredResource> = FieldNamesLike<
  R,
  { readonly kind: 'text'; readonly filter: true }
>
/** Fields such as a status or stage, which have the filter `<field>_not`. */
export type StateField<R extends DeclaredResource> = FieldNamesLike<R, { readonly state: true }>
export type TimeField<R extends DeclaredResource> = FieldNamesLike<R, { readonly kind: 'date' | 'timestamp' }>
export type NumberRangeField<R extends DeclaredResource> = FieldNamesLike<R, { readonly kind: 'number' }>
/** Fields that have the filter `<field>_is_null`. A field that is not stored in the database has no filter. */
export type NullableField<R extends DeclaredResource> = Exclude<
  FieldNamesLike<R, { readonly required: false }>,
  FieldNamesLike<R, { readonly kind: 'withheld' }>
>

/** The declarations of filters such as `employed_on`, whose condition is a query. */
export type ComputedFilters<R extends DeclaredResource> = R['computedFilters'][number]

/** Records can be sorted by a text field if it has a filter or holds at most `maxLengths.name` characters. */
type SortableField<R extends DeclaredResource> =
  | FieldNamesLike<R, { readonly kind: 'id' | 'reference' | 'integer' | 'number' | 'date' | 'timestamp' }>
  | TextFilterField<R>
  | FieldNamesLike<R, { readonly kind: 'text'; readonly maxLength?: 200 | 500 }>
export type SortKey<R extends DeclaredResource> = SortableField<R> | `-${SortableField<R>}`

type EqualityFilterField<R extends DeclaredResource> =
  | ReferenceFilterField<R>
  | NumberFilterField<R>
  | TextFilterField<R>

/**
 * `count` can group by every field with an equality filter except `id`, by the year, month or day of a date or
 * timestamp, and by the fields of related records with an equality filter, as in `employee.dept_id`.
 */
export type GroupKey<R extends DeclaredResource> =
  | EqualityFilterField<R>
  | `${'year' | 'month' | 'day'}(${TimeField<R>})`
  | { [N in Relation<R>]: `${N}.${EqualityFilterField<RelatedResource<R, N>>}` }[Relation<R>]

type ReferenceTo = { readonly references: { readonly resource: string } }
/** Without a name of its own, `As` is never; without `exactOptionalPropertyTypes` it is undefined. */
type RelationName<K extends string, F> = F extends { readonly references: { readonly as?: infer As } }
  ? [As] extends [undefined]
    ? K extends `${infer Name}_id`
      ? Name
      : K
    : Extract<As, string>
  : never

/** The declaration of each reference field, by the name of the related record in `expand`. */
export type Relations<R extends DeclaredResource> = {
  [K in FieldNamesLike<R, ReferenceTo> as RelationName<K, FieldsOf<R>[K]>]: FieldsOf<R>[K]
}
export type Relation<R extends DeclaredResource> = Extract<keyof Relations<R>, string>

/** The resource to which the relation N of the resource R leads. */
export type RelatedResource<R extends DeclaredResource, N extends Relation<R>> = Relations<R>[N] extends {
  readonly references: { readonly resource: infer P }
}
  ? ResourceAt<P>
  : never

export type ResourceAt<P> = Extract<DeclaredResource, { readonly path: P }>
