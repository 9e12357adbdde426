/** A part of a text, and whether a search term matches it. */
interface TextPart {
  readonly text: string
  readonly isMatch: boolean
}

/** Letters that Unicode does not decompose, with what the search of the service takes them for. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
}

/** Lower case without accents, as the service compares texts. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłıþħ]/g, (letter) => plainLetters[letter] ?? letter)

export const searchTerms = (query: string): string[] => query.split(/\s+/).filter(Boolean).map(fold)

/** Divides a text into the parts that match one of the terms and the others. Case and accents are ignored. */
export const matchingParts = (text: string, terms: readonly string[]): TextPart[] => {
  // For each character of the folded text: the character of the text from which it comes.
  const characters = [...text]
  const origins: number[] = []
  let folded = ''
  for (const [index, character] of characters.entries()) {
    const plain = fold(character)
    folded += plain
    for (let unit = 0; unit < plain.length; unit += 1) origins.push(index)
  }
  const matches = new Set<number>()
  for (const term of terms) {
    for (let at = folded.indexOf(term); at !== -1 && term !== ''; at = folded.indexOf(term, at + 1)) {
      for (const origin of origins.slice(at, at + term.length)) matches.add(origin)
    }
  }
  const parts: TextPart[] = []
  for (const [index, character] of characters.entries()) {
    // A combining accent belongs to the letter before it.
    const isMatch = matches.has(index) || (/^\p{M}$/u.test(character) && (parts.at(-1)?.isMatch ?? false))
    const last = parts.at(-1)
    if (last?.isMatch === isMatch) parts[parts.length - 1] = { text: last.text + character, isMatch }
    else parts.push({ text: character, isMatch })
  }
  return parts
}

export const isMatching = (text: string, terms: readonly string[]): boolean => {
  const folded = fold(text)
  return terms.some((term) => folded.includes(term))
}

/** Whether a text contains every term, as records do that the service finds. */
export const containsAll = (text: string, terms: readonly string[]): boolean => {
  const folded = fold(text)
  return terms.every((term) => folded.includes(term))
}
