/** In charge of what a list must answer, worked out in plain TypeScript over all of its rows. */
import { createHash } from 'node:crypto'
import type { FilterTest, NamedField, Resource } from '@muster/model'
import type { Row } from './reference.ts'

/** All rows of a resource as one kind of caller sees them. */
export interface View {
  readonly resource: Resource
  readonly isRedacted: boolean
  readonly rows: readonly Row[]
}

/** What is asked, parameter by parameter, as it is written in an address before escaping. */
export interface Asked {
  readonly q?: string
  readonly filters: readonly { readonly field: NamedField; readonly test: FilterTest; readonly text: string }[]
  readonly sort?: string
  /** Names; none asks for all fields, and for no related records. */
  readonly fields?: readonly string[]
  readonly expand?: readonly string[]
  readonly limit?: number
  readonly offset?: number
}

export const viewOf = (resource: Resource, rows: readonly Row[], isRedacted: boolean): View => ({
  resource,
  isRedacted,
  rows: isRedacted ? rows.map((row) => withoutPersonal(resource, row)) : rows,
})

const withoutPersonal = ({ all }: Resource, row: Row): Row =>
  Object.fromEntries(all.map(({ name, personal }) => [name, personal ? null : (row[name] ?? null)]))

/** Names of the parameters that must be refused, because they use what is withheld; in the order of the entries. */
export const refusedParameters = ({ resource, isRedacted }: View, asked: Asked): string[] => {
  if (!isRedacted) return []
  const filters = asked.filters
    .filter(({ field, text }) => field.personal && text.trim() !== '')
    .map(({ field, test }) => parameterName(field, test))
  const keys = (asked.sort ?? '').split(',').map((piece) => piece.replace('-', ''))
  const isSorted = resource.all.some(({ name, personal }) => personal && keys.includes(name))
  return [...filters, ...(isSorted ? ['sort'] : [])]
}

export const parameterName = ({ name }: NamedField, test: FilterTest): string =>
  test === 'equals' ? name : `${name}_${test}`

/** Every row that matches, in order: what a page is cut from, a file holds and a count counts. */
export const matching = (view: View, asked: Asked): Row[] => {
  const terms = (asked.q ?? '')
    .split(/\s+/u)
    .filter((term) => term !== '')
    .map(fold)
  const fields = view.resource.all.filter(({ kind, personal }) => kind === 'text' && !(view.isRedacted && personal))
  const isFound = (row: Row): boolean => {
    if (terms.length === 0) return true
    const text = fold(fields.map(({ name }) => row[name] ?? '').join('\n'))
    return terms.every((term) => text.includes(term))
  }
  return view.rows
    .filter((row) => asked.filters.every((filter) => holds(filter, row[filter.field.name])) && isFound(row))
    .toSorted(comparison(view.resource, asked.sort))
}

const holds = ({ field, test, text }: Asked['filters'][number], value: unknown): boolean => {
  if (text.trim() === '') return true
  if (test === 'is_null') return (value === null) === (text.toLowerCase() === 'true')
  if (value === null) return false
  if (test === 'equals') return equals(field, text, value)
  const [given, wanted] = [amount(field, value), edge(field, test, text)]
  return test === 'from' ? given >= wanted : given <= wanted
}

const equals = ({ kind }: NamedField, text: string, value: unknown): boolean => {
  if (kind !== 'text') return text.split(',').some((piece) => Number(piece) === value)
  const pieces = piecesOf(text)
  return pieces.length === 0 || pieces.some((piece) => key(piece) === key(String(value)))
}

/** A doubled comma is a comma inside a value. */
const piecesOf = (text: string): string[] =>
  text
    .replaceAll(',,', '\u0001')
    .split(',')
    .filter((piece) => piece !== '')
    .map((piece) => piece.replaceAll('\u0001', ','))

type Amount = number | bigint | string

const amount = ({ kind }: NamedField, value: unknown): Amount => {
  if (kind === 'timestamp') return micros(String(value))
  return value as Amount
}

const edge = ({ kind }: NamedField, test: FilterTest, text: string): Amount => {
  if (kind === 'number') return Number(text)
  if (kind === 'date') return text.slice(0, 10)
  const isDay = text.length === 10
  return micros(isDay ? `${text}T00:00:00Z` : text) + (isDay && test === 'to' ? 86_399_999_999n : 0n)
}

/** Microseconds since 1970. */
const micros = (text: string): bigint => {
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}${zone}`)) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6) || '0')
}

type Comparison = (a: Row, b: Row) => number

const comparison = ({ all }: Resource, sort = ''): Comparison => {
  const pieces = sort.split(',').filter((piece) => piece !== '')
  const last = pieces.at(-1) ?? 'id'
  const keys = [...pieces, last.startsWith('-') ? '-id' : 'id'].map((piece) => {
    const field = all.find(({ name }) => name === piece.replace('-', '')) as NamedField
    return { field, sign: piece.startsWith('-') ? -1 : 1 }
  })
  return (a, b) => {
    for (const { field, sign } of keys) {
      const order = compareValues(field, a[field.name], b[field.name])
      if (order !== 0) return order * sign
    }
    return 0
  }
}

/** Null counts as greater than every value. */
const compareValues = (field: NamedField, a: unknown, b: unknown): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (field.kind === 'text') return Buffer.compare(Buffer.from(key(String(a))), Buffer.from(key(String(b))))
  const [left, right] = [amount(field, a), amount(field, b)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

const keys = new Map<string, string>()

/** How filters and orders see a text: without case; a long one by its start and then by a digest of the whole. */
export const key = (text: string): string => {
  const known = keys.get(text)
  if (known !== undefined) return known
  const lowered = text.toLowerCase()
  const characters = [...lowered]
  const made =
    characters.length <= 200
      ? lowered
      : characters.slice(0, 200).join('') + createHash('sha256').update(lowered).digest('hex')
  keys.set(text, made)
  return made
}

const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g
const letters = 'ςµϐϑϕϖϰϱϵſøłđðħıŋŧƀɓƈɖɗƒǥɠɨɉƙƚɲƞƥɍʈƭʉʋƴɏƶȥⱥⱦȼɇ'
const plain = 'σμβθφπκρεsolddhintbbcddfggijkllnnprttuvyyzzatce'
const groups: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ĳ: 'ij', ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' },
  ...{ ŉ: 'ʼn', ẚ: 'aʾ' },
}
const folded = new Map<string, string>()

/** How search sees a text: without case and accents. */
const fold = (text: string): string => {
  const known = folded.get(text)
  if (known !== undefined) return known
  const made = [...text.toLowerCase().normalize('NFD').replace(accents, '').normalize('NFC')]
    .map((letter) => {
      const at = letters.indexOf(letter)
      return at < 0 ? (groups[letter] ?? letter) : (plain[at] ?? letter)
    })
    .join('')
  folded.set(text, made)
  return made
}
