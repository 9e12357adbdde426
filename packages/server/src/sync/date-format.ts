/**
 * Date formats of maps: YYYY, MM, DD and Mon (Jan to Dec) in any order, with any other characters between them. Beside
 * another number, MM and DD have two digits; elsewhere one digit is enough.
 */
import { parseDateTime } from '@muster/model'

export interface DateFormat {
  readonly text: string
  /** Returns the date as YYYY-MM-DD; undefined if the input has another form, or if there is no such day. */
  read(input: string): string | undefined
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

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
      const isBesideNumber = isNumber(tokens[index - 1]) || isNumber(tokens[index + 1])
      const group = isBesideNumber ? groups[token]?.replace('{1,2}', '{2}') : groups[token]
      return group ?? token.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
    })
    .join('')
  const pattern = new RegExp(`^${source}$`)
  return {
    text,
    read(input) {
      const found = pattern.exec(input)?.groups
      if (found === undefined) return undefined
      const month = found.name === undefined ? Number(found.month) : monthNames.indexOf(found.name.toLowerCase()) + 1
      const date = `${found.year}-${twoDigits(month)}-${twoDigits(Number(found.day))}`
      return parseDateTime(date) === undefined ? undefined : date
    },
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
