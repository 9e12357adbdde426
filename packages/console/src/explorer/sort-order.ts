/** The order of a list in its URL, such as `-created`. */

export interface SortField<F extends string> {
  readonly field: F
  readonly label: string
  /** If its values are withheld, the list cannot be sorted by them. */
  readonly isPersonal: boolean
  readonly isDate?: boolean
}

export interface ListOrder<F extends string = string> {
  readonly field: F
  readonly isDescending: boolean
}

const offered = <F extends string>(fields: readonly SortField<F>[], isWithheld: boolean): readonly SortField<F>[] =>
  fields.filter(({ isPersonal }) => !(isPersonal && isWithheld))

/** The order in the URL, or the standard one if there is none, an unknown one, or one by a withheld field. */
export const readOrder = <F extends string>(
  fields: readonly SortField<F>[],
  sort: string | undefined,
  isWithheld: boolean,
  standard: ListOrder<F>,
): ListOrder<F> => {
  const [, minus, name] = /^(-?)(\w+)$/.exec(sort ?? '') ?? []
  const offer = offered(fields, isWithheld).find(({ field }) => field === name)
  return offer === undefined ? standard : { field: offer.field, isDescending: minus === '-' }
}

export const orderOf = (id: string): ListOrder => ({ field: id.replace(/^-/, ''), isDescending: id.startsWith('-') })

export const orderId = ({ field, isDescending }: ListOrder): string => (isDescending ? `-${field}` : field)

/** The sort keys of the API. People with the same family name are in the order of their given names. */
export const sortKeys = <F extends string>({
  field,
  isDescending,
}: ListOrder<F>): (F | 'first_name' | `-${F | 'first_name'}`)[] => {
  const names = field === 'last_name' ? [field, 'first_name' as const] : [field]
  return names.map((name) => (isDescending ? (`-${name}` as const) : name))
}

/** The orders of a list that has no column heads. */
export const sortChoices = <F extends string>(
  fields: readonly SortField<F>[],
  isWithheld: boolean,
): readonly { readonly id: string; readonly label: string }[] =>
  offered(fields, isWithheld).flatMap(({ field, label, isDate = false }) => {
    const [up, down] = isDate ? ['earliest first', 'latest first'] : ['A to Z', 'Z to A']
    return [
      { id: field, label: `${label}, ${up}` },
      { id: `-${field}`, label: `${label}, ${down}` },
    ]
  })
