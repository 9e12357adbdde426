export type FieldKind =
  | 'id'
  | 'reference'
  | 'integer'
  | 'number'
  | 'text'
  | 'color'
  | 'url'
  | 'json'
  | 'date'
  | 'timestamp'
  | 'withheld'

/**
 * Whether the body of a create request can or must contain the field. `never` means that only the service or an import
 * sets it.
 */
export type Creation = 'never' | 'optional' | 'required'

export interface Reference {
  /** Path of the referenced resource. */
  readonly resource: string
  /** Name of the related record in `expand`. By default the name of the field without `_id`. */
  readonly as?: string
  /**
   * Name of a field that must have the same value in both records. For example, a team and its parent team must have
   * the same organization.
   */
  readonly within?: string
}

export interface Field {
  readonly kind: FieldKind
  readonly about: string
  /** If true, the field is never null in responses and `not null` in the database. */
  readonly required: boolean
  readonly create: Creation
  /** Value that is stored if a create request omits the field, or sends null for a required field. */
  readonly default?: string | number
  /**
   * If true and a create request omits the field, today's date in UTC (by the database clock) is stored. An explicit
   * null is stored as null.
   */
  readonly today?: true
  /** Name of another date field of the record. This date must not be earlier than that one. */
  readonly notBefore?: string
  readonly references?: Reference
  readonly maxLength?: number
  /** If true, the value must contain a character that is not white space. */
  readonly notBlank?: true
  /** Whether lists can be filtered by equality with a value of this field. */
  readonly filter: boolean
  /**
   * True for a status or stage. Such a field has few different values, so the database stores the number of rows for
   * each value.
   */
  readonly state?: true
  /**
   * If true, clients without a token get `redactedValue` instead of the value, in deployments that redact reads, and
   * `muster erase` stores it.
   */
  readonly personal: boolean
  /** Suggested values for people and tools; other values are accepted too. */
  readonly values?: readonly string[]
}

export type NamedField = Field & { readonly name: string }

type Presence<Required extends boolean, Create extends Creation> = {
  readonly required: Required
  readonly create: Create
}
export type IntegerField<R extends boolean, C extends Creation> = Field & Presence<R, C> & { readonly value?: number }
export type StringField<R extends boolean, C extends Creation> = Field & Presence<R, C> & { readonly value?: string }

/** The parts of a field's type that determine by which fields the client package can filter and sort. */
export interface Queryable<K extends FieldKind, F extends boolean = false, L extends number = number> {
  readonly kind: K
  readonly filter: F
  readonly maxLength?: L
}
/** Type of a reference field. `As` is `never` if the related record has its default name in `expand`. */
export interface Referring<T extends string, As extends string> extends Queryable<'reference', true> {
  readonly references: { readonly resource: T; readonly as?: As }
}

interface FieldOptions<R extends boolean, C extends Creation> {
  required?: R
  create?: C
  personal?: true
}
interface FilterableOptions<R extends boolean, C extends Creation, F extends boolean> extends FieldOptions<R, C> {
  filter?: F
}
interface TextOptions<R extends boolean, C extends Creation, F extends boolean> extends FilterableOptions<R, C, F> {
  default?: string
  notBlank?: true
  values?: readonly string[]
}

/** Maximum lengths of string fields in create requests, in characters. */
export const maxLengths = { word: 200, name: 500, url: 2_048, json: 262_144, text: 20_000 } as const

/**
 * Creates a field from its options and default values. The caller passes the type T, because the compiler cannot derive
 * it.
 */
const fieldWithDefaults = <T extends Field>(kind: FieldKind, about: string, options: Partial<Field>): T =>
  ({ kind, about, required: false, create: 'never', filter: false, personal: false, ...options }) as T

export const id = (): IntegerField<true, 'never'> & Queryable<'id'> =>
  fieldWithDefaults('id', 'Id, assigned by the service.', {})

/**
 * Declares a reference to another resource. With `NoInfer`, its type follows from the options alone, never from the
 * context of the call.
 */
export const reference = <
  T extends string,
  R extends boolean = false,
  C extends Creation = 'never',
  As extends string = never,
>(
  resource: T,
  about: string,
  { as, within, ...options }: FieldOptions<R, C> & { as?: As; within?: string } = {},
): IntegerField<NoInfer<R>, NoInfer<C>> & Referring<T, NoInfer<As>> =>
  fieldWithDefaults('reference', about, {
    ...options,
    filter: true,
    references: {
      resource,
      ...(as === undefined ? {} : { as }),
      ...(within === undefined ? {} : { within }),
    },
  })

export const integer = <R extends boolean = false, C extends Creation = 'never', F extends boolean = false>(
  about: string,
  options: FilterableOptions<R, C, F> & { default?: number } = {},
): IntegerField<NoInfer<R>, NoInfer<C>> & Queryable<'integer', NoInfer<F>> =>
  fieldWithDefaults('integer', about, options)

export const number = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  options: FieldOptions<R, C> = {},
): IntegerField<NoInfer<R>, NoInfer<C>> & Queryable<'number'> => fieldWithDefaults('number', about, options)

const stringFieldBuilder =
  <K extends FieldKind, L extends number>(kind: K, maxLength: L) =>
  <R extends boolean = false, C extends Creation = 'never', F extends boolean = false>(
    about: string,
    options: TextOptions<R, C, F> = {},
  ): StringField<NoInfer<R>, NoInfer<C>> & Queryable<K, NoInfer<F>, L> =>
    fieldWithDefaults(kind, about, {
      maxLength,
      ...(options.create === 'required' ? { notBlank: true as const } : {}),
      ...options,
    })

export const text = stringFieldBuilder('text', maxLengths.text)
/** Declares a string field for names, titles and codes. */
export const name = stringFieldBuilder('text', maxLengths.name)
/** Declares a string field for short identifiers such as slugs, locales and country codes. */
export const word = stringFieldBuilder('text', maxLengths.word)
export const domain = stringFieldBuilder('text', maxLengths.url)
export const color = stringFieldBuilder('color', maxLengths.word)
export const url = stringFieldBuilder('url', maxLengths.url)
/** Declares a string field for JSON documents. They are stored byte for byte. */
export const json = stringFieldBuilder('json', maxLengths.json)

/** Declares a status or pipeline stage: a string that is never blank, with a filter and suggested values. */
export const state = <C extends Creation = 'never'>(
  about: string,
  options: { create?: C; default?: string; values: readonly string[] },
): StringField<true, NoInfer<C>> & Queryable<'text', true, typeof maxLengths.word> & { readonly state: true } =>
  fieldWithDefaults('text', about, {
    ...options,
    required: true,
    filter: true,
    state: true,
    notBlank: true,
    maxLength: maxLengths.word,
  })

export const date = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  options: FieldOptions<R, C> & { today?: true; notBefore?: string } = {},
): StringField<NoInfer<R>, NoInfer<C>> & Queryable<'date'> => fieldWithDefaults('date', about, options)

export const timestamp = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  options: FieldOptions<R, C> = {},
): StringField<NoInfer<R>, NoInfer<C>> & Queryable<'timestamp'> => fieldWithDefaults('timestamp', about, options)

/**
 * Declares a field that the API contract requires but that is always null. It has no column, so no stored value can
 * leak.
 */
export const alwaysNull = (about: string): StringField<false, 'never'> & Queryable<'withheld'> =>
  fieldWithDefaults('withheld', about, {})

/** Whether the field is stored in a database column. */
export const isStored = (field: Field): boolean => field.kind !== 'withheld'

/** What replaces a personal value in redacted reads, and after an erasure. A required field can never be null. */
export const redactedValue = ({ required }: Field): string | null => (required ? 'withheld' : null)

/** Whether the search parameter `q` searches the field. */
export const isSearchable = (field: Field): boolean => field.kind === 'text'

export type JsonType = 'integer' | 'number' | 'string'

export const jsonType = (field: Field): JsonType => {
  switch (field.kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return 'integer'
    case 'number':
      return 'number'
    default:
      return 'string'
  }
}
