/** Numbers, dates and names of values, in the language of the frame. */
import type { Html } from './html.ts'
import { html } from './html.ts'
import type { FrameLocale } from './locales.ts'
import type { Brand, PostingSummary } from './posting.ts'
import { textsIn } from './texts/texts.ts'
import type { Plural, Texts } from './texts/types.ts'

/** Formatters of Intl are stored, because pages share few locales. At most this many: a locale is free text. */
const maxFormatters = 500
const formatters = new Map<string, unknown>()
const formatterOf = <T>(key: string, create: () => T): T => {
  const existing = formatters.get(key)
  if (existing !== undefined) return existing as T
  if (formatters.size >= maxFormatters) formatters.clear()
  const formatter = create()
  formatters.set(key, formatter)
  return formatter
}

export const formatPlural = (plural: Plural, count: number, { language, formats }: FrameLocale): string => {
  const rules = formatterOf(`plural ${language}`, () => new Intl.PluralRules(language))
  const text = plural[rules.select(count)] ?? plural.other
  return text.replace('#', formatNumber(count, formats))
}

export const formatNumber = (count: number, locale: string): string =>
  formatterOf(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(count)

/** Days are days in UTC, as everywhere in the service. */
export const formatDate = (moment: string, locale: string): string =>
  formatterOf(`date ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })).format(
    new Date(moment),
  )

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
  const format = formatterOf(
    `pay ${formats} ${currency}`,
    () => new Intl.NumberFormat(formats, { style: 'currency', currency, maximumFractionDigits: 0 }),
  )
  const amount =
    min !== undefined && max !== undefined && min !== max
      ? format.formatRange(min, max)
      : format.format(min ?? max ?? 0)
  return textsIn(language).perYear.replace('{pay}', () => amount)
}

/** A value that has no translation is shown as it is. */
export const contractName = (texts: Texts, value: string): string => ownValue(texts.contracts, value) ?? value
export const workplaceName = (texts: Texts, value: string): string => ownValue(texts.workplaces, value) ?? value

/** Names of values are free text in the database: "constructor" must not find a property that every object inherits. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const listItem = /^\s*(?:[-*•–—]|\d{1,2}[.)])\s+/

/** Plain text as paragraphs and lists. A blank line ends a paragraph; a line that begins with a dash is a list item. */
export const formatText = (text: string): readonly Html[] => {
  const blocks: Html[] = []
  let items: string[] = []
  let lines: string[] = []
  const endList = () => {
    if (items.length > 0) blocks.push(html`<ul>${items.map((item) => html`<li dir="auto">${item}</li>`)}</ul>`)
    items = []
  }
  const endParagraph = () => {
    if (lines.length > 0)
      blocks.push(html`<p dir="auto">${lines.map((line, index) => (index === 0 ? line : html`<br>${line}`))}</p>`)
    lines = []
  }
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    if (line.trim() === '') {
      endParagraph()
    } else if (listItem.test(line)) {
      endParagraph()
      items.push(line.replace(listItem, '').trim())
    } else {
      endList()
      lines.push(line.trim())
    }
  }
  endParagraph()
  endList()
  return blocks
}
