/** Telephone numbers from ranges that numbering authorities reserve for fiction. */
import { pick, randomBelow, randomFraction } from '../random.ts'

interface Range {
  readonly prefix: string
  /** Number of digits after the prefix. */
  readonly digits: number
}

/** In every North American area code, the numbers 555-0100 to 555-0199 are reserved. */
const northAmerica: readonly Range[] = [
  { prefix: '+1-212-555-01', digits: 2 },
  { prefix: '+1-312-555-01', digits: 2 },
  { prefix: '+1-414-555-01', digits: 2 },
  { prefix: '+1-503-555-01', digits: 2 },
  { prefix: '+1-514-555-01', digits: 2 },
  { prefix: '+1-617-555-01', digits: 2 },
]
/** Telephone number ranges that the regulator of each country reserves for film and television. */
const ranges: Readonly<Record<string, readonly Range[]>> = {
  GB: [
    { prefix: '+44 20 7946 0', digits: 3 },
    { prefix: '+44 7700 900', digits: 3 },
  ],
  IE: [{ prefix: '+353 20 91', digits: 5 }],
  AU: [
    { prefix: '+61 3 5550 ', digits: 4 },
    { prefix: '+61 2 5550 ', digits: 4 },
  ],
  DE: [
    { prefix: '+49 30 23125 ', digits: 3 },
    { prefix: '+49 89 99998 ', digits: 3 },
  ],
  FR: [
    { prefix: '+33 1 99 00 ', digits: 4 },
    { prefix: '+33 6 39 98 ', digits: 4 },
  ],
}

/** A regular expression in PostgreSQL syntax that matches the telephone numbers of all reserved ranges. */
export const FICTION_PATTERN =
  '^(\\+1-[2-9][0-9]{2}-555-01[0-9]{2}|\\+44 20 7946 0[0-9]{3}|\\+44 7700 900[0-9]{3}|\\+353 20 91[0-9]{5}|\\+61 [2378] 5550 [0-9]{4}|\\+49 30 23125 [0-9]{3}|\\+49 89 99998 [0-9]{3}|\\+33 1 99 00 [0-9]{4}|\\+33 6 39 98 [0-9]{4})$'

/** Countries without a reserved range get North American numbers. */
export function phoneIn(country: string, randomKey: number): string {
  const { prefix, digits } = pick(ranges[country] ?? northAmerica, randomFraction(randomKey, 11))
  return prefix + String(randomBelow(randomKey, 12, 10 ** digits)).padStart(digits, '0')
}
