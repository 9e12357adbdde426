/**
 * Parser for JSON that should be one flat object, such as a create body or a line of NDJSON.
 *
 * It accepts exactly what JSON.parse accepts. Unlike JSON.parse, this parser does not build nested values, and it
 * reports duplicate property names and nonzero numbers that round to zero. JSON.parse would take 136 ms for 1 MiB of
 * arrays nested 500,000 deep, and 85 ms for an object with 120,000 properties.
 */

/** Value of a property whose number is not zero but would round to zero. */
export const underflow = Symbol('underflow')

export interface FlatObject {
  /** The properties of the object. A nested value is replaced by an empty one: `[]` or `{}`. */
  readonly members: Readonly<Record<string, unknown>>
  /** Names of properties that occur more than once, or whose value contains an object with duplicate names. */
  readonly duplicates: readonly string[]
}

/** A property name that its object has already. */
export interface RepeatedName {
  readonly name: string
  /** Index in the text. */
  readonly position: number
}

export type FlatJson = FlatObject | 'not_an_object' | 'too_many_items' | { readonly invalidAt: number }

/**
 * Maximum number of property names and array items in one JSON document, at all levels together. The first name or item
 * of a nested object or array is not counted, so nesting alone never exceeds the limit. The limit is far above the 20
 * fields of the largest record.
 */
export const maxJsonItems = 100

export const readFlatJson = (text: string): FlatJson => {
  const reader = new FlatJsonReader(text)
  try {
    return reader.readDocument()
  } catch (error) {
    return error instanceof TooManyItems ? 'too_many_items' : { invalidAt: reader.position }
  }
}

/** The repeated names at all levels of a document of any size; none if it is not a JSON object. */
export const findRepeatedNames = (text: string): readonly RepeatedName[] => {
  const reader = new FlatJsonReader(text, Infinity)
  try {
    reader.readDocument()
    return reader.repeatedNames
  } catch {
    return []
  }
}

export const isJson = (text: string): boolean => {
  try {
    new FlatJsonReader(text).skipDocument()
    return true
  } catch {
    return false
  }
}

/** Parses a string that contains a JSON number. */
export const parseJsonNumber = (text: string): number | typeof underflow => {
  const value = Number(text)
  return value === 0 && /^[^eE]*[1-9]/.test(text) ? underflow : value
}

class NotJson extends Error {}
class TooManyItems extends Error {}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

const [minus, point, zero] = [0x2d, 0x2e, 0x30]

const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const isDigit = (code: number): boolean => code >= zero && code <= 0x39
const isWhiteSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45
const isSign = (code: number): boolean => code === minus || code === 0x2b

const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

/** Indexed by character code: whether a backslash and this character form a complete escape sequence. */
const simpleEscapes = Array.from({ length: 0x80 }, (_, code) => '"\\/bfnrt'.includes(String.fromCharCode(code)))

/** Returns the length of the escape sequence that begins at this index, or 0 if it is invalid. */
const escapeLength = (text: string, position: number): 0 | 2 | 6 => {
  const code = text.charCodeAt(position + 1)
  if (simpleEscapes[code] === true) return 2
  if (code !== 0x75) return 0
  for (let digit = position + 2; digit < position + 6; digit += 1) if (!isHexDigit(text.charCodeAt(digit))) return 0
  return 6
}

/**
 * An array or object whose end the parser has not reached. It is a number where possible, because numbers need no
 * allocation. A positive number stands for that many arrays nested directly in one another. A negative number stands
 * for an object with one name so far, and is the negated position of that name. A list stands for an object with
 * several names, and contains them.
 */
type OpenContainer = number | string[]

class FlatJsonReader {
  position = 0
  readonly repeatedNames: RepeatedName[] = []
  readonly #text: string
  readonly #maxItems: number
  #itemCount = 0
  /** Name of the current property of the outermost object. */
  #currentProperty = ''
  #nameStart = 0
  readonly #duplicates = new Set<string>()

  constructor(text: string, maxItems = maxJsonItems) {
    this.#text = text
    this.#maxItems = maxItems
  }

  skipDocument(): void {
    this.#itemCount = Number.NEGATIVE_INFINITY
    this.#skipValue()
    this.#expectEnd()
  }

  readDocument(): FlatJson {
    this.#skipWhiteSpace()
    if (this.#currentCode() !== openObject) {
      this.#skipValue()
      this.#expectEnd()
      return 'not_an_object'
    }
    const members: [string, unknown][] = []
    const names = new Set<string>()
    this.position += 1
    this.#skipWhiteSpace()
    if (this.#currentCode() === closeObject) this.position += 1
    else
      do {
        this.#countItem()
        const name = this.#readName()
        this.#currentProperty = name
        if (names.has(name)) this.#addDuplicate(name)
        names.add(name)
        members.push([name, this.#readPropertyValue()])
        this.#skipWhiteSpace()
      } while (this.#skipOneOf(comma, closeObject) === comma)
    this.#expectEnd()
    // Unlike an assignment, Object.fromEntries creates an ordinary property for the name `__proto__`.
    return { members: Object.fromEntries(members), duplicates: [...this.#duplicates] }
  }

  #readPropertyValue(): unknown {
    this.#skipWhiteSpace()
    const code = this.#currentCode()
    if (code !== openObject && code !== openArray) return this.#readScalar()
    this.#skipValue()
    return code === openArray ? [] : {}
  }

  /** Skips one JSON value. It uses no recursion, so that deep nesting cannot overflow the stack. */
  #skipValue(): void {
    const openContainers: OpenContainer[] = []
    for (;;) {
      this.#skipWhiteSpace()
      const code = this.#currentCode()
      if (code === openArray) {
        openContainers.push(this.#skipRun(openArray, Infinity))
        this.#skipWhiteSpace()
        if (this.#currentCode() !== closeArray) continue
      } else if (code === openObject) {
        this.position += 1
        this.#skipWhiteSpace()
        if (this.#currentCode() !== closeObject) {
          openContainers.push(-this.position)
          this.#skipName()
          continue
        }
        this.position += 1
      } else this.#skipScalar()
      if (!this.#isMoreIn(openContainers)) return
    }
  }

  /**
   * Must be called after each value. Closes the arrays and objects that end here, and returns whether another value
   * follows.
   */
  #isMoreIn(openContainers: OpenContainer[]): boolean {
    while (openContainers.length > 0) {
      this.#skipWhiteSpace()
      const lastIndex = openContainers.length - 1
      const container = openContainers[lastIndex] as OpenContainer
      const isArray = typeof container === 'number' && container > 0
      if (this.#currentCode() === comma) {
        this.position += 1
        this.#countItem()
        if (!isArray) openContainers[lastIndex] = this.#readNameAfter(container)
        return true
      }
      const closed = isArray ? this.#skipRun(closeArray, container) : this.#skipRun(closeObject, 1)
      if (closed === 0) throw new NotJson()
      if (isArray && closed < container) openContainers[lastIndex] = container - closed
      else openContainers.pop()
    }
    return false
  }

  /** Skips up to `max` consecutive occurrences of a character, and returns how many it skipped. */
  #skipRun(code: number, max: number): number {
    const text = this.#text
    const start = this.position
    let position = start
    while (position - start < max && text.charCodeAt(position) === code) position += 1
    this.position = position
    return position - start
  }

  #readNameAfter(container: OpenContainer): OpenContainer {
    // The function `isJson` accepts any number of names and also duplicates, so the parser need not read the names for
    // it.
    if (this.#itemCount < 0) {
      this.#skipName()
      return container
    }
    const names = typeof container === 'number' ? [this.#nameAt(-container)] : container
    const name = this.#readName()
    if (names.includes(name)) this.#addDuplicate(name)
    names.push(name)
    return names
  }

  #addDuplicate(name: string): void {
    this.#duplicates.add(this.#currentProperty)
    this.repeatedNames.push({ name, position: this.#nameStart })
  }

  #nameAt(start: number): string {
    const { position } = this
    this.position = start
    const name = this.#readString()
    this.position = position
    return name
  }

  #countItem(): void {
    this.#itemCount += 1
    if (this.#itemCount > this.#maxItems) throw new TooManyItems()
  }

  #readName(): string {
    this.#skipWhiteSpace()
    this.#nameStart = this.position
    this.#skipName()
    return this.#nameAt(this.#nameStart)
  }

  #skipName(): void {
    this.#skipWhiteSpace()
    if (this.#currentCode() !== quote) throw new NotJson()
    this.#skipString()
    this.#skipWhiteSpace()
    this.#skipOneOf(colon, colon)
  }

  #readScalar(): unknown {
    const start = this.position
    if (this.#currentCode() === quote) return this.#readString()
    this.#skipScalar()
    const source = this.#text.slice(start, this.position)
    return literals.has(source) ? literals.get(source) : parseJsonNumber(source)
  }

  #skipScalar(): void {
    const first = this.#currentCode()
    if (first === quote) this.#skipString()
    else if (first === minus || isDigit(first)) this.#skipNumber()
    else {
      const nextCharacters = this.#text.slice(this.position, this.position + 5)
      const literal = nextCharacters === 'false' ? nextCharacters : nextCharacters.slice(0, 4)
      if (!literals.has(literal)) throw new NotJson()
      this.position += literal.length
    }
  }

  #skipNumber(): void {
    if (this.#currentCode() === minus) this.position += 1
    if (this.#currentCode() === zero) this.position += 1
    else this.#skipDigits()
    if (this.#currentCode() === point) {
      this.position += 1
      this.#skipDigits()
    }
    if (!isExponent(this.#currentCode())) return
    this.position += 1
    if (isSign(this.#currentCode())) this.position += 1
    this.#skipDigits()
  }

  #skipDigits(): void {
    const text = this.#text
    let position = this.position
    while (isDigit(text.charCodeAt(position))) position += 1
    if (position === this.position) throw new NotJson()
    this.position = position
  }

  #readString(): string {
    const start = this.position
    return this.#skipString()
      ? (JSON.parse(this.#text.slice(start, this.position)) as string)
      : this.#text.slice(start + 1, this.position - 1)
  }

  /** Skips a string, and returns whether it contains an escape sequence. */
  #skipString(): boolean {
    const text = this.#text
    let position = this.position + 1
    let isEscaped = false
    for (let code = text.charCodeAt(position); code !== quote; code = text.charCodeAt(position)) {
      if (code === backslash) {
        const length = escapeLength(text, position)
        if (length === 0) break
        isEscaped = true
        position += length
      } else if (code >= 0x20) position += 1
      // This branch also ends the loop at the end of the text, where `code` is NaN.
      else break
    }
    this.position = position
    if (text.charCodeAt(position) !== quote) throw new NotJson()
    this.position = position + 1
    return isEscaped
  }

  #skipWhiteSpace(): void {
    const text = this.#text
    let position = this.position
    while (isWhiteSpace(text.charCodeAt(position))) position += 1
    this.position = position
  }

  #expectEnd(): void {
    this.#skipWhiteSpace()
    if (this.position < this.#text.length) throw new NotJson()
  }

  /** Skips the next character and returns it. Throws if it is neither of the two expected characters. */
  #skipOneOf(first: number, second: number): number {
    const code = this.#currentCode()
    if (code !== first && code !== second) throw new NotJson()
    this.position += 1
    return code
  }

  #currentCode(): number {
    return this.#text.charCodeAt(this.position)
  }
}
