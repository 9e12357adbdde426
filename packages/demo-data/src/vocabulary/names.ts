import { randomBelow, randomFraction, randomUint32 } from '../random.ts'
import { latinNames } from './names-latin.ts'
import { scriptNames } from './names-scripts.ts'
import type { PoolText } from './pool-text.ts'

export interface Name {
  readonly written: string
  /** Spelling of the name in ASCII letters, for e-mail addresses. */
  readonly ascii: string
}

export interface NamePool {
  readonly female: readonly Name[]
  readonly male: readonly Name[]
  readonly familyNamesOfWomen: readonly Name[]
  readonly familyNamesOfMen: readonly Name[]
}

export interface PersonName {
  readonly first: Name
  readonly last: Name
  readonly gender: string | null
}

const ASCII_LETTERS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  þ: 'th',
  ð: 'd',
  œ: 'oe',
}

function toAsciiLetters(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łøßđıæþðœ]/g, (letter) => ASCII_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}

function parseName(text: string): Name {
  const [nativeSpelling = '', ascii] = text.split('=')
  const fullName = nativeSpelling.replaceAll('_', ' ')
  return { written: fullName, ascii: ascii ?? toAsciiLetters(fullName) }
}

function parseNames(text: string): Name[] {
  return text.split(/\s+/).filter(Boolean).map(parseName)
}

function parsePool(text: PoolText): NamePool {
  const familyNameForms = text.family.split(/\s+/).filter(Boolean)
  return {
    female: parseNames(text.female),
    male: parseNames(text.male),
    familyNamesOfMen: familyNameForms.map((form) => parseName(form.split('/')[0] as string)),
    familyNamesOfWomen: familyNameForms.map((form) => parseName(form.split('/').at(-1) as string)),
  }
}

const poolTexts: Record<string, PoolText> = { ...latinNames, ...scriptNames }
export const cultures: readonly string[] = Object.keys(poolTexts)
export const pools: readonly NamePool[] = Object.values(poolTexts).map(parsePool)

export function personName(randomKey: number, culture: number): PersonName {
  const pool = pools[culture] as NamePool
  const chance = randomFraction(randomKey, 1)
  const hasWomansName = chance < 0.48 || (chance >= 0.97 && chance < 0.985)
  const firstNames = hasWomansName ? pool.female : pool.male
  const lastNames = hasWomansName ? pool.familyNamesOfWomen : pool.familyNamesOfMen
  return {
    first: firstNames[randomBelow(randomKey, 2, firstNames.length)] as Name,
    last: lastNames[randomBelow(randomKey, 3, lastNames.length)] as Name,
    gender: randomUint32(randomKey, 4) % 25 === 0 ? null : genderOf(chance),
  }
}

function genderOf(chance: number): string {
  if (chance >= 0.97) return 'non_binary'
  return chance < 0.48 ? 'female' : 'male'
}
