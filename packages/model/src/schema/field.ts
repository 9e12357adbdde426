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
  /** If true, the time at which the record was stored, by the database clock; no create request sets it. */
  readonly now?: true
  /** Value that is stored if an import leaves out a field that no create request sets. */
  readonly importDefault?: number
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
  /** Whether changes of the value are recorded in `history`. `day` names the date on which the present value began. */
  readonly history?: Tracking
}

export type Tracking = true | { readonly day: string }

export type NamedField = Field & { readonly name: string }

interface FieldOptions {
  required?: boolean
  create?: Creation
  personal?: true
  history?: Tracking
}
interface FilterableOptions extends FieldOptions {
  filter?: boolean
}
interface TextOptions extends FilterableOptions {
  default?: string
  notBlank?: true
  values?: readonly string[]
}

/** Maximum lengths of string fields in create requests, in characters. */
export const maxLengths = { word: 200, name: 500, url: 2_048, json: 262_144, text: 20_000 } as const

const fieldWithDefaults = (kind: FieldKind, about: string, options: Partial<Field>): Field => ({
  kind,
  about,
  required: false,
  create: 'never',
  filter: false,
  personal: false,
  ...options,
})

export const id = (): Field => fieldWithDefaults('id', 'Id, assigned by the service.', {})

export const reference = (
  resource: string,
  about: string,
  { as, within, ...options }: FieldOptions & Omit<Reference, 'resource'> = {},
): Field =>
  fieldWithDefaults('reference', about, {
    ...options,
    filter: true,
    references: {
      resource,
      ...(as === undefined ? {} : { as }),
      ...(within === undefined ? {} : { within }),
    },
  })

export const integer = (
  about: string,
  options: FilterableOptions & { default?: number; importDefault?: number } = {},
): Field => fieldWithDefaults('integer', about, options)

export const number = (about: string, options: FieldOptions = {}): Field => fieldWithDefaults('number', about, options)

const stringFieldBuilder =
  (kind: FieldKind, maxLength: number) =>
  (about: string, options: TextOptions = {}): Field =>
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
export const state = (
  about: string,
  options: { create?: Creation; default?: string; values: readonly string[]; history?: Tracking },
): Field =>
  fieldWithDefaults('text', about, {
    ...options,
    required: true,
    filter: true,
    state: true,
    notBlank: true,
    maxLength: maxLengths.word,
  })

export const date = (about: string, options: FieldOptions & { today?: true; notBefore?: string } = {}): Field =>
  fieldWithDefaults('date', about, options)

export const timestamp = (about: string, options: FieldOptions & { now?: true } = {}): Field =>
  fieldWithDefaults('timestamp', about, options)

/**
 * Declares a field that the API contract requires but that is always null. It has no column, so no stored value can
 * leak.
 */
export const alwaysNull = (about: string): Field => fieldWithDefaults('withheld', about, {})

/** Whether the field is stored in a database column. */
export const isStored = (field: Field): boolean => field.kind !== 'withheld'

/** What replaces a personal value in redacted reads, and after an erasure. A required field can never be null. */
export const redactedValue = ({ required }: Field): string | null => (required ? 'withheld' : null)

/** Whether a stored text must not be blank. That holds for creates that say so, and for required texts that only imports set. */
export const isNeverBlank = ({ notBlank, required, create, kind }: Field): boolean =>
  notBlank === true || (required && create === 'never' && kind === 'text')

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
