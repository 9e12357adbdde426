/** Locales of postings are free text in the database: they are checked before they are used as a language. */
import { formatterOf } from './formatters.ts'
import type { FrameLanguage } from './texts/texts.ts'
import { frameLanguages } from './texts/texts.ts'

/** RFC 5646, section 4.4.1, expects at most 35 characters. Intl takes 60 ms to parse a tag of 16,000. */
const maxTagLength = 100

/** The locale as BCP 47 writes it, such as `de-AT`; undefined if it is no language tag. */
export const languageTag = (locale: string): string | undefined => {
  if (locale.length > maxTagLength) return undefined
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

const languageOf = (locale: string): string => (languageTag(locale) ?? '').split('-', 1)[0] as string

export interface FrameLocale {
  /** The language of the texts around the postings. */
  readonly language: FrameLanguage
  /** For numbers and dates: the locale of the postings if it is the same language. */
  readonly formats: string
  /** The value of `lang` for texts of the records, if it differs from that of the page. */
  readonly contentLanguage: string | undefined
  /** The direction of the page: that of the language of the records. */
  readonly direction: 'ltr' | 'rtl'
}

/** Texts of a language that is not translated are English. */
export const frameLocaleOf = (locale: string): FrameLocale => {
  const tag = languageTag(locale)
  const language = frameLanguages.find((candidate) => candidate === languageOf(locale))
  if (language === undefined)
    return {
      language: 'en',
      formats: 'en',
      contentLanguage: tag,
      direction: tag === undefined ? 'ltr' : directionOf(tag),
    }
  return { language, formats: tag ?? language, contentLanguage: undefined, direction: 'ltr' }
}

/** Scripts of living languages that are written from right to left. */
const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'])

const directionOf = (tag: string): FrameLocale['direction'] =>
  rightToLeftScripts.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'

/**
 * The locale of the site that fits Accept-Language best (RFC 4647, section 3.4): each accepted range, by weight, with
 * ever fewer subtags, then any locale of the same language. Without a match the first locale of the site.
 */
export const chooseLocale = (acceptLanguage: string | undefined, locales: readonly string[]): string | undefined => {
  const byTag = new Map(locales.map((locale) => [(languageTag(locale) ?? locale).toLowerCase(), locale]))
  for (const range of acceptedRanges(acceptLanguage ?? '')) {
    for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const match = byTag.get(tag)
      if (match !== undefined) return match
    }
    const sameLanguage = locales.find((locale) => languageOf(locale) === range.split('-', 1)[0])
    if (sameLanguage !== undefined) return sameLanguage
  }
  return byTag.get('en') ?? locales[0]
}

const maxRanges = 20

const acceptedRanges = (acceptLanguage: string): readonly string[] =>
  acceptLanguage
    .toLowerCase()
    .split(',', maxRanges)
    .map((part) => {
      const [range = '', quality = 'q=1'] = part.split(';').map((piece) => piece.trim())
      return { range, weight: Number(/^q=(\d(?:\.\d+)?)$/.exec(quality)?.[1] ?? 0) }
    })
    .filter(({ range, weight }) => range.length <= maxTagLength && /^[a-z\d-]+$/.test(range) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range)

/** The name of a language in that language, such as "Deutsch" or "Deutsch (Schweiz)". */
export const languageName = (locale: string): string => {
  const tag = languageTag(locale)
  if (tag === undefined) return locale
  try {
    const names = formatterOf(
      `names ${tag}`,
      () => new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }),
    )
    const name = names.of(tag) ?? locale
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch {
    return locale
  }
}
