/** In charge of what a field may be: a closed set of kinds and the short list of things a declaration says about one. */

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

/** `never`: the service or an importer sets it. `optional` and `required` speak of the body of a create. */
export type Creation = 'never' | 'optional' | 'required'

export interface Reference {
  /** Path of the resource referred to. */
  readonly resource: string
  /** What the record referred to is called where it stands beside its id; the field's name without `_id` where this says nothing. */
  readonly as?: string
  /** A column that must hold the same value in both records: a team's parent belongs to the team's organization. */
  readonly within?: string
}

export interface Field {
  readonly kind: FieldKind
  readonly about: string
  /** Never null in an answer, and `not null` in the database. */
  readonly required: boolean
  readonly create: Creation
  /** Used when a create leaves the field out, or sends null where an answer may not be null. */
  readonly default?: string | number
  /** A create that leaves the field out stores today by the database's clock, in UTC; an explicit null stays null. */
  readonly today?: true
  /** Another date field of the record which this one may not precede. */
  readonly notBefore?: string
  readonly references?: Reference
  readonly maxLength?: number
  /** At least one character that is not white space. */
  readonly notBlank?: true
  /** A list can be narrowed by equality on this field. */
  readonly filter: boolean
  /** A status or stage: few values, so that the books count the records of each. */
  readonly state?: true
  /** Withheld from callers without a token where the deployment redacts. */
  readonly personal: boolean
  /** Values in common use: advice for people and tools, never a limit. */
  readonly values?: readonly string[]
}

type Said<Required extends boolean, Create extends Creation> = { readonly required: Required; readonly create: Create }
export type IntegerField<R extends boolean, C extends Creation> = Field & Said<R, C> & { readonly value?: number }
export type StringField<R extends boolean, C extends Creation> = Field & Said<R, C> & { readonly value?: string }

interface Saying<R extends boolean, C extends Creation> {
  required?: R
  create?: C
  personal?: true
}
interface FilterSaying<R extends boolean, C extends Creation> extends Saying<R, C> {
  filter?: true
}
interface TextSaying<R extends boolean, C extends Creation> extends FilterSaying<R, C> {
  default?: string
  maxLength?: number
  notBlank?: true
  values?: readonly string[]
}

/** Longest texts a create accepts, in characters. */
export const lengths = { word: 200, name: 500, address: 2_048, json: 262_144, text: 20_000 } as const

const complete = <R extends boolean, C extends Creation>(kind: FieldKind, about: string, says: Partial<Field>) =>
  ({ kind, about, required: false, create: 'never', filter: false, personal: false, ...says }) as Field & Said<R, C>

export const id = () =>
  complete<boolean, 'never'>('id', 'Identifier, given by the service.', {}) as IntegerField<true, 'never'>

/** `NoInfer`: what a builder returns is known from what it was told, never from where the field is put. */
export const reference = <R extends boolean = false, C extends Creation = 'never'>(
  resource: string,
  about: string,
  { as, within, ...says }: Saying<R, C> & { as?: string; within?: string } = {},
): IntegerField<NoInfer<R>, NoInfer<C>> =>
  complete('reference', about, {
    ...says,
    filter: true,
    references: {
      resource,
      ...(as === undefined ? {} : { as }),
      ...(within === undefined ? {} : { within }),
    },
  })

export const integer = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  says: FilterSaying<R, C> & { default?: number } = {},
): IntegerField<NoInfer<R>, NoInfer<C>> => complete('integer', about, says)

export const number = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  says: Saying<R, C> = {},
): IntegerField<NoInfer<R>, NoInfer<C>> => complete('number', about, says)

const textual =
  (kind: FieldKind, maxLength: number) =>
  <R extends boolean = false, C extends Creation = 'never'>(
    about: string,
    says: TextSaying<R, C> = {},
  ): StringField<NoInfer<R>, NoInfer<C>> =>
    complete(kind, about, {
      maxLength,
      ...(says.create === 'required' ? { notBlank: true as const } : {}),
      ...says,
    })

export const text = textual('text', lengths.text)
/** A person's, a thing's or a place's name, a title, a code. */
export const name = textual('text', lengths.name)
/** A short token: slug, locale, country. */
export const word = textual('text', lengths.word)
export const domain = textual('text', lengths.address)
export const color = textual('color', lengths.word)
export const url = textual('url', lengths.address)
/** A JSON document carried as a string, byte for byte. */
export const json = textual('json', lengths.json)

/** A status or a pipeline stage: an open vocabulary that is never blank and that lists can be narrowed by. */
export const state = <C extends Creation = 'never'>(
  about: string,
  says: { create?: C; default?: string; values: readonly string[] },
): StringField<true, NoInfer<C>> =>
  complete('text', about, {
    ...says,
    required: true,
    filter: true,
    state: true,
    notBlank: true,
    maxLength: lengths.word,
  })

export const date = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  says: Saying<R, C> & { today?: true; notBefore?: string } = {},
): StringField<NoInfer<R>, NoInfer<C>> => complete('date', about, says)

export const timestamp = <R extends boolean = false, C extends Creation = 'never'>(
  about: string,
  says: Saying<R, C> = {},
): StringField<NoInfer<R>, NoInfer<C>> => complete('timestamp', about, says)

/** A field of the published shape that is always null: it has no column, so there is nothing to leak. */
export const withheld = (about: string): StringField<false, 'never'> => complete('withheld', about, {})

/** Whether the field has a column. */
export const isStored = (field: Field): boolean => field.kind !== 'withheld'

/** Whether `q` looks into the field. */
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
