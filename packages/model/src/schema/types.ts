import type { Field } from './field.ts'
import type { Resource } from './resource.ts'

type ValueOf<F> = F extends { readonly value?: infer V } ? NonNullable<V> : never
type NamesOf<F, C> = { [K in keyof F]: F[K] extends { readonly create: C } ? K : never }[keyof F]

/** The type of a record of the resource R in responses. */
export type RecordOf<R extends Resource> = {
  -readonly [K in keyof R['fields']]: R['fields'][K] extends { readonly required: true }
    ? ValueOf<R['fields'][K]>
    : ValueOf<R['fields'][K]> | null
}

/** The type of the body of a create request. */
export type CreateBodyOf<R extends Resource> = {
  -readonly [K in NamesOf<R['fields'], 'required'>]: ValueOf<R['fields'][K]>
} & {
  -readonly [K in NamesOf<R['fields'], 'optional'>]?: ValueOf<R['fields'][K]> | null
}

export type FieldNameOf<R extends Resource> = Extract<keyof R['fields'], string>
export type { Field }
