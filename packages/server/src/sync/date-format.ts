/**
 * Date formats of maps: YYYY, MM, DD and Mon (Jan to Dec) in any order, with any other characters between them. Beside
 * another number, and after the year, MM and DD have two digits; elsewhere one digit is enough.
 */
import { parseDateTime } from '@muster/model'

export interface DateFormat {
  readonly text: string
  /** Returns the date as YYYY-MM-DD; undefined if the input has another form, or if there is no such day. */
  read(input: string): string | undefined
  /** Writes a date of the form YYYY-MM-DD. */
  write(date: string): string
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Files repeat dates. Reading one takes 3 µs, finding it again 0.1 µs. */
const maxKnownDates = 10_000

const groups: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{1,2})',
  Mon: '(?<name>[A-Za-z]{3})',
  DD: '(?<day>\\d{1,2})',
}

export const parseDateFormat = (text: string): DateFormat | undefined => {
  const tokens = text.match(/YYYY|MM|Mon|DD|[^A-Za-z]/g) ?? []
  const names = tokens.filter((token) => token in groups).toSorted()
  const isComplete = ['DD,MM,YYYY', 'DD,Mon,YYYY'].includes(names.join())
  if (!isComplete || tokens.join('') !== text) return undefined
  const isNumber = (token: string | undefined): boolean => token !== undefined && token !== 'Mon' && token in groups
  const source = tokens
    .map((token, index) => {
      // A line that is cut off could end in 2026-01-1 instead of 2026-01-15.
      const hasTwoDigits = tokens[0] === 'YYYY' || isNumber(tokens[index - 1]) || isNumber(tokens[index + 1])
      const group = hasTwoDigits ? groups[token]?.replace('{1,2}', '{2}') : groups[token]
      return group ?? token.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
    })
    .join('')
  const pattern = new RegExp(`^${source}$`)
  const read = (input: string): string | undefined => {
    const found = pattern.exec(input)?.groups
    if (found === undefined) return undefined
    const name = found.name?.toLowerCase()
    const month =
      name === undefined ? Number(found.month) : monthNames.findIndex((each) => each.toLowerCase() === name) + 1
    const date = `${found.year}-${twoDigits(month)}-${twoDigits(Number(found.day))}`
    return parseDateTime(date) === undefined ? undefined : date
  }
  const known = new Map<string, string | undefined>()
  return {
    text,
    read(input) {
      if (known.has(input)) return known.get(input)
      if (known.size >= maxKnownDates) known.clear()
      const date = read(input)
      known.set(input, date)
      return date
    },
    write(date) {
      const [year = '', month = '', day = ''] = date.split('-')
      const parts: Readonly<Record<string, string>> = {
        YYYY: year,
        MM: month,
        Mon: monthNames[Number(month) - 1] ?? '',
        DD: day,
      }
      return tokens.map((token) => parts[token] ?? token).join('')
    },
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

export type DateResult = { readonly value: string } | { readonly reason: string; readonly isOtherFormat?: true }

/** Reads a date with the formats of a column. Two formats that give different days are an error. */
export const readDate = (formats: readonly DateFormat[], text: string): DateResult => {
  const [format] = formats
  const only = formats.length === 1 ? format?.read(text) : undefined
  if (only !== undefined) return { value: only }
  const dates = new Set(formats.flatMap((format) => format.read(text) ?? []))
  const [date, ...others] = dates
  if (date === undefined) {
    const names = formats.map((format) => format.text).join(' or ')
    const reason = `Input should be a valid date of the form ${names}`
    return formats.some((format) => swappedFormat(format)?.read(text) !== undefined)
      ? { reason, isOtherFormat: true }
      : { reason }
  }
  if (others.length === 0) return { value: date }
  return { reason: `This date can be read as ${[...dates].join(' or as ')}: name one format in the rule of the column` }
}

/** The format with day and month exchanged. */
const swappedFormat = ({ text }: DateFormat): DateFormat | undefined =>
  parseDateFormat(text.replaceAll(/MM|DD/g, (token) => (token === 'MM' ? 'DD' : 'MM')))

/** A date that Europe and America read differently, or that no format tells how to read. */
export const isUndecidedDate = (text: string): boolean => /^\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})$/.test(text)
