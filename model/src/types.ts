/** In charge of the TypeScript types of records and create bodies, inferred from the declarations. */
import type { Field } from './field.ts'
import type { Resource } from './resource.ts'

type ValueOf<F> = F extends { readonly value?: infer V } ? NonNullable<V> : never
type NamesOf<F, C> = { [K in keyof F]: F[K] extends { readonly create: C } ? K : never }[keyof F]

/** A record as the service answers it. */
export type RecordOf<R extends Resource> = {
  -readonly [K in keyof R['fields']]: R['fields'][K] extends { readonly required: true }
    ? ValueOf<R['fields'][K]>
    : ValueOf<R['fields'][K]> | null
}

/** The body of a create. */
export type CreateBodyOf<R extends Resource> = {
  -readonly [K in NamesOf<R['fields'], 'required'>]: ValueOf<R['fields'][K]>
} & {
  -readonly [K in NamesOf<R['fields'], 'optional'>]?: ValueOf<R['fields'][K]> | null
}

export type FieldNameOf<R extends Resource> = Extract<keyof R['fields'], string>
export type { Field }
