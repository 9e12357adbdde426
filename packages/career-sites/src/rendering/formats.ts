/** Numbers, dates and names of values, in the language of the frame. */
import { formatterOf, storedIn } from '../locales/formatters.ts'
import type { FrameLocale } from '../locales/locales.ts'
import { textsIn } from '../locales/texts/texts.ts'
import type { Plural, Texts } from '../locales/texts/types.ts'
import type { Brand, PostingSummary } from '../postings/posting.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'

export const formatPlural = (plural: Plural, count: number, { language, formats }: FrameLocale): string => {
  const rules = formatterOf(`plural ${language}`, () => new Intl.PluralRules(language))
  const text = plural[rules.select(count)] ?? plural.other
  return text.replace('#', formatNumber(count, formats))
}

export const formatNumber = (count: number, locale: string): string =>
  formatterOf(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(count)

const dayMs = 86_400_000

/** The day of a moment, in milliseconds since 1970. Days are days in UTC, as everywhere in the service. */
export const formatDay = (ms: number, locale: string, dateStyle: 'long' | 'medium'): string =>
  formatterOf(`day ${dateStyle} ${locale}`, () => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' })
    return withStoredTexts((day) => format.format(day * dayMs))
  })(Math.floor(ms / dayMs))

const maxStoredTexts = 1_000

/** Stores texts that Intl takes microseconds to make, because postings share few days and amounts. */
const withStoredTexts = (format: (value: number) => string): ((value: number) => string) => {
  const texts = new Map<number, string>()
  return (value) => storedIn(texts, maxStoredTexts, value, () => format(value))
}

export interface Pay {
  /** At least one of both is given. */
  readonly min: number | undefined
  readonly max: number | undefined
  readonly currency: string
}

/** In whole units. Undefined if the brand does not show pay, or if amount or currency are missing or impossible. */
export const payOf = (
  { payMin, payMax, currency }: Pick<PostingSummary, 'payMin' | 'payMax' | 'currency'>,
  brand: Brand | undefined,
): Pay | undefined => {
  if (brand?.settings.showPay === false || currency === undefined || !isCurrency(currency)) return undefined
  const [min, max] = [payMin, payMax].map((amount) => {
    const rounded = Math.round(amount ?? 0)
    return rounded > 0 && Number.isSafeInteger(rounded) ? rounded : undefined
  })
  if (min === undefined && max === undefined) return undefined
  return min !== undefined && max !== undefined && min > max ? undefined : { min, max, currency }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (code: string): boolean => currencies.has(code)

export const formatPay = ({ min, max, currency }: Pay, { language, formats }: FrameLocale): string => {
  const format = formatterOf(`pay ${formats} ${currency}`, () => openPayFormat(formats, currency))
  const { payFrom, payUpTo, perYear } = textsIn(language)
  const insert = (text: string, amount: string): string => text.replace('{pay}', () => amount)
  const amount = format(min ?? max ?? 0, max ?? min ?? 0)
  if (min === undefined) return insert(perYear, insert(payUpTo, amount))
  return insert(perYear, max === undefined ? insert(payFrom, amount) : amount)
}

/**
 * Returns what `formatRange` of Intl returns, which takes 80 µs per call and was nine tenths of the time of a list page.
 * Its text, such as "€1 – €2", differs only in the numbers, and they are as in the text of one amount.
 */
const openPayFormat = (locale: string, currency: string): ((min: number, max: number) => string) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 })
  const [before = '', after = ''] = textsAround(format.formatToParts(1))
  const [start = '', middle = '', end = ''] = textsAround(format.formatRangeToParts(1, 2))
  const numberIn = (text: string): string => text.slice(before.length, text.length - after.length)
  const amountOf = withStoredTexts((amount) => format.format(amount))
  return (min, max) => {
    const least = amountOf(min)
    const most = amountOf(max)
    return least === most ? least : start + numberIn(least) + middle + numberIn(most) + end
  }
}

/** The texts before, between and after the numbers. */
const textsAround = (parts: readonly { readonly type: string; readonly value: string }[]): readonly string[] =>
  parts
    .map(({ type, value }) => (type === 'integer' ? '\0' : value))
    .join('')
    .split('\0')

/** A value that has no translation is shown as it is. */
export const contractName = (texts: Texts, value: string): string => ownValue(texts.contracts, value) ?? value
export const workplaceName = (texts: Texts, value: string): string => ownValue(texts.workplaces, value) ?? value

/** Names of values are free text in the database: "constructor" must not find a property that every object inherits. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const listItem = /^\s*(?:[-*•–—]|(\d{1,2})[.)])\s+/

/**
 * Plain text as paragraphs and lists. A blank line ends a paragraph; a line that begins with a dash is a list item, and
 * so is one that begins with a number.
 */
export const formatText = (text: string): readonly Html[] => {
  const blocks: Html[] = []
  let items: string[] = []
  /** The number of the first item; undefined in a list without numbers. */
  let start: number | undefined
  let lines: string[] = []
  // The direction of a list is that of its items, so these have none of their own.
  const endList = () => {
    const content = items.map((item) => html`<li>${item}</li>`)
    if (items.length > 0)
      blocks.push(
        start === undefined
          ? html`<ul dir="auto">${content}</ul>`
          : html`<ol dir="auto"${start === 1 ? undefined : html` start="${start}"`}>${content}</ol>`,
      )
    items = []
  }
  const endParagraph = () => {
    if (lines.length > 0)
      blocks.push(html`<p dir="auto">${lines.map((line, index) => (index === 0 ? line : html`<br>${line}`))}</p>`)
    lines = []
  }
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const item = listItem.exec(line)
    if (line.trim() === '') {
      endParagraph()
    } else if (item !== null) {
      endParagraph()
      const number = item[1] === undefined ? undefined : Number(item[1])
      if ((number === undefined) !== (start === undefined)) endList()
      if (items.length === 0) start = number
      items.push(line.slice(item[0].length).trim())
    } else {
      endList()
      lines.push(line.trim())
    }
  }
  endParagraph()
  endList()
  return blocks
}
