/** In charge of people's names: reads the pools and gives each person a name with the plain letters an e-mail address needs. */
import { latinNames } from './names-latin.ts'
import { scriptNames } from './names-scripts.ts'
import { below, draw, unit } from './random.ts'

export interface Name {
  readonly written: string
  readonly plain: string
}

export interface NamePool {
  readonly female: readonly Name[]
  readonly male: readonly Name[]
  readonly familyOfWomen: readonly Name[]
  readonly familyOfMen: readonly Name[]
}

/** How a pool is written: names parted by blanks, `_` for a blank inside a name, `name=plain`, `man's form/woman's form`. */
export interface PoolText {
  readonly female: string
  readonly male: string
  readonly family: string
}

export interface PersonName {
  readonly first: Name
  readonly last: Name
  readonly gender: string | null
}

const LETTERS: Record<string, string> = { ł: 'l', ø: 'o', ß: 'ss', đ: 'd', ı: 'i', æ: 'ae', þ: 'th', ð: 'd', œ: 'oe' }

function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łøßđıæþðœ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}

function readName(text: string): Name {
  const [written = '', plain] = text.split('=')
  const spoken = written.replaceAll('_', ' ')
  return { written: spoken, plain: plain ?? plainLetters(spoken) }
}

function readNames(text: string): Name[] {
  return text.split(/\s+/).filter(Boolean).map(readName)
}

function readPool(text: PoolText): NamePool {
  const forms = text.family.split(/\s+/).filter(Boolean)
  return {
    female: readNames(text.female),
    male: readNames(text.male),
    familyOfMen: forms.map((form) => readName(form.split('/')[0] as string)),
    familyOfWomen: forms.map((form) => readName(form.split('/').at(-1) as string)),
  }
}

const texts: Record<string, PoolText> = { ...latinNames, ...scriptNames }
export const cultures: readonly string[] = Object.keys(texts)
export const pools: readonly NamePool[] = Object.values(texts).map(readPool)

export function personName(key: number, culture: number): PersonName {
  const pool = pools[culture] as NamePool
  const chance = unit(key, 1)
  const woman = chance < 0.48 || (chance >= 0.97 && chance < 0.985)
  const firsts = woman ? pool.female : pool.male
  const lasts = woman ? pool.familyOfWomen : pool.familyOfMen
  return {
    first: firsts[below(key, 2, firsts.length)] as Name,
    last: lasts[below(key, 3, lasts.length)] as Name,
    gender: draw(key, 4) % 25 === 0 ? null : genderOf(chance),
  }
}

function genderOf(chance: number): string {
  if (chance >= 0.97) return 'non_binary'
  return chance < 0.48 ? 'female' : 'male'
}
