import type { CreateBodyOf, FieldNameOf, RecordOf } from '@muster/model'
import type { DeclaredResource, GroupKey, RelatedResource, Relation, Relations, ResourceAt } from './declared.ts'

export type Flat<T> = { [K in keyof T]: T[K] }

/** A complete record of a resource, as the service returns it. */
export type FullRecord<R extends DeclaredResource> = Flat<RecordOf<R>>
export type CreateBody<R extends DeclaredResource> = Flat<CreateBodyOf<R>>

/**
 * The type of the related record that the reference field F points to; it includes null if the reference may be null.
 */
type RelatedRecord<F> = F extends {
  readonly references: { readonly resource: infer P }
  readonly required: infer Required
}
  ? FullRecord<ResourceAt<P>> | (Required extends true ? never : null)
  : never

/** A record of the resource R with only the fields F and the related records E. */
export type SelectedRecord<R extends DeclaredResource, F extends FieldNameOf<R>, E extends Relation<R>> = Flat<
  Pick<RecordOf<R>, F> & { [K in E]: RelatedRecord<Relations<R>[K]> }
>

export interface Page<T> {
  readonly data: T[]
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
}

type GroupValue<R extends DeclaredResource, G> = G extends keyof RecordOf<R>
  ? RecordOf<R>[G]
  : G extends `${infer N extends Relation<R>}.${infer K}`
    ? K extends keyof RecordOf<RelatedResource<R, N>>
      ? RecordOf<RelatedResource<R, N>>[K] | null
      : never
    : string | null

export type Group<R extends DeclaredResource, G extends GroupKey<R>> = Flat<
  { [K in G]: GroupValue<R, K> } & { count: number }
>

export interface Counts<T> {
  readonly data: T[]
  /** `total` and `groups` describe all pages. `limit` and `offset` are present if the query has one of them. */
  readonly meta: {
    readonly total: number
    readonly groups: number
    readonly limit?: number
    readonly offset?: number
  }
}
