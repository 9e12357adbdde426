/**
 * The search parameters of a screen are its state. They are plain texts, as in the URLs of the API: the default format of
 * the router would write a number-like text in quotes.
 */
export type SearchParameters = Readonly<Record<string, string | undefined>>

export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

export const stringifySearch = (search: Record<string, unknown>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text && `?${text}`
}

/**
 * The id of a record in a URL. Undefined if the text is none: `Number` would take `9e0` for 9, and round an id of more than
 * 15 digits to another one.
 */
export const parseId = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined

/** Where a page of a list begins, from a URL: 0 if the text is no such number. */
export const parseOffset = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

/** Keeps the named parameters of a URL, or all of them, and leaves out those without a value. */
export const readSearch = (
  names: readonly string[] | 'all',
  search: Readonly<Record<string, unknown>>,
): SearchParameters =>
  Object.fromEntries(
    (names === 'all' ? Object.keys(search) : names).flatMap((name) => {
      const value = search[name]
      return value === undefined || value === '' ? [] : [[name, String(value)]]
    }),
  )

/** A parameter that holds several texts, separated by commas. A comma within a text is doubled, as in the API. */
export const splitValues = (text: string | undefined): string[] =>
  text === undefined || text === '' ? [] : text.split(/(?<!,),(?!,)/).map((value) => value.replaceAll(',,', ','))

export const joinValues = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.map((value) => value.replaceAll(',', ',,')).join(',')
