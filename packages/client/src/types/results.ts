/** The types of one resource, such as `EmployeeTypes`. A type is `never` if the resource has nothing of its kind. */
export interface ResourceTypes {
  readonly record: object
  readonly relation: string
  readonly relations: object
  readonly filters: object
  readonly query: object
  readonly groupKey: string
  readonly create: object
  readonly trackedField: string
}

export type Flat<T> = { [K in keyof T]: T[K] }

/** A record with only the fields F, and the related records E. If F is all fields, the type keeps its name. */
export type SelectedRecord<R extends ResourceTypes, F extends keyof R['record'], E extends R['relation']> = [
  keyof R['record'],
] extends [F]
  ? [E] extends [never]
    ? R['record']
    : R['record'] & Pick<R['relations'], E & keyof R['relations']>
  : Flat<Pick<R['record'], F> & Pick<R['relations'], E & keyof R['relations']>>

export interface Page<T> {
  readonly data: T[]
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
}

/** A first value of a tracked field, with neither `id` nor `at`, or a change. */
export interface RecordedValue<F extends string> {
  readonly id: number | null
  readonly field: F
  readonly old: string | null
  readonly new: string | null
  readonly on: string | null
  readonly since: string | null
  readonly at: string | null
}

export interface RecordHistory<F extends string> {
  readonly data: RecordedValue<F>[]
  /** `history_from` is the day from which on the history of the resource is complete. */
  readonly meta: { readonly total: number; readonly history_from: string }
}

/** The value of a field, of a field of a related record such as `employee.dept_id`, or of a year, month, week or day. */
type GroupValue<R extends ResourceTypes, G> = G extends keyof R['record']
  ? R['record'][G]
  : G extends `${infer N extends keyof R['relations'] & string}.${infer K}`
    ? FieldOf<NonNullable<R['relations'][N]>, K> | null
    : string | null

type FieldOf<T, K> = K extends keyof T ? T[K] : never

export type Group<R extends ResourceTypes, G extends R['groupKey']> = Flat<
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
