import { frameLanguages } from '../locales/texts/texts.ts'

/** Alphabetic codes of ISO 3166-1 are found by asking for the names of all pairs of letters. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Codes that CLDR names but that are no countries, or that stand for another code. */
const notCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

const foldName = (name: string): string => name.trim().toLowerCase().normalize('NFC')

const otherNames: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.a.': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'czech republic': 'CZ',
  holland: 'NL',
  turkey: 'TR',
  'viet nam': 'VN',
  'republic of korea': 'KR',
}

let codes: ReadonlyMap<string, string> | undefined

/** Built at the first call, which takes some milliseconds. */
const codeByName = (): ReadonlyMap<string, string> => {
  codes ??= buildCodes()
  return codes
}

const buildCodes = (): ReadonlyMap<string, string> => {
  const all = new Map<string, string>()
  for (const language of frameLanguages.toReversed()) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const first of letters)
      for (const second of letters) {
        const code = first + second
        const name = notCountries.has(code) ? undefined : names.of(code)
        if (name !== undefined) all.set(foldName(name), code)
      }
  }
  for (const [name, code] of Object.entries(otherNames)) all.set(name, code)
  return all
}

export interface ParsedPlace {
  /** The part of the text before the country; undefined if there is none. */
  readonly locality: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** Reads the country from the last part of a place such as "Lisboa, Portugal"; undefined if there is none. */
export const parsePlace = (location: string | undefined): ParsedPlace | undefined => {
  const parts = (location ?? '').split(',').map((part) => part.trim())
  const last = parts.pop() ?? ''
  const country = codeByName().get(foldName(last)) ?? (/^[A-Z]{2}$/.test(last) ? codeNamed(last) : undefined)
  if (country === undefined) return undefined
  const locality = parts.filter((part) => part !== '').join(', ')
  return { locality: locality === '' ? undefined : locality, country }
}

const codeNamed = (code: string): string | undefined =>
  !notCountries.has(code) && new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) !== undefined
    ? code
    : undefined
