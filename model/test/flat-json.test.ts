/** The reader of flat JSON objects against JSON.parse, and what it reports beside the values. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isJson, maxItems, readFlatJson, underflow } from '@muster/model'

const parsed = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** As the reader returns it: nested values are empty. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

/** Pseudo-random and the same in every run (a linear congruential generator). */
const randomBelow = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const pieces = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u00', '-', '0', '.', 'e', 'E', '+', ' ', '\n', '\t', '\r', '\f'],
  ...[
    '"a"',
    '"b"',
    '"__proto__"',
    '"\\u0061"',
    '"\\u00zz"',
    '"\\x"',
    '"\t"',
    '""',
    '"é"',
    '1',
    '1e5',
    '1.5',
    '-0',
    '01',
  ],
  ...['true', 'false', 'null', 'nul', 'NaN', '1.', '\u00a0', '\u0001', '\ud800', '\ufeff', '[[', ']]', '[]', '{}'],
]

describe('a flat JSON object', () => {
  it('is read exactly when JSON.parse reads one, with the same members in the same order', () => {
    const random = randomBelow(26)
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
    const value = (depth: number): string => {
      const kind = random(depth > 3 ? 3 : 5)
      if (kind < 3) return pick(['1', '-2.5', '"a"', '"\\n"', 'true', 'null', ' 0 ', '1E-2', '[]', '{}'])
      const items = Array.from({ length: random(4) }, () => value(depth + 1))
      return kind === 3 ? `[${items.join(', ')}]` : object(items)
    }
    const object = (values: readonly string[]): string =>
      `{${values.map((each) => `"${pick(['a', 'b', '\\u0061', 'c', '__proto__', '7'])}": ${each}`).join(',')}}`
    let [objects, invalid] = [0, 0]
    for (let round = 0; round < 10_000; round += 1) {
      const whole = object(Array.from({ length: random(5) }, () => value(1)))
      const cut = random(whole.length + 1)
      const broken = `${whole.slice(0, cut)}${pick(pieces)}${whole.slice(cut + random(2))}`
      const noise = Array.from({ length: 1 + random(7) }, () => pick(pieces)).join('')
      for (const text of [whole, broken, noise]) {
        const expected = parsed(text)
        const read = readFlatJson(text)
        assert.equal(isJson(text), expected !== undefined, text)
        if (expected === undefined) {
          invalid += 1
          assert.ok(typeof read === 'object' && 'invalidAt' in read, text)
        } else if (Array.isArray(expected.value) || typeof expected.value !== 'object' || expected.value === null)
          assert.equal(read, 'not_an_object', text)
        else {
          objects += 1
          assert.ok(typeof read === 'object' && 'members' in read, text)
          const entries = Object.entries(expected.value).map(([name, each]) => [name, emptied(each)])
          assert.deepEqual(Object.entries(read.members), entries, text)
        }
      }
    }
    assert.ok(objects > 8_000 && invalid > 8_000, `${objects} ${invalid}`)
  })

  it('reports which members have duplicate names', () => {
    const cases: readonly (readonly [text: string, duplicates: readonly string[]])[] = [
      ['{"a":1,"b":2}', []],
      ['{"a":1,"\\u0061":2}', ['a']],
      ['{"a":1,"a":2,"a":3,"b":{"c":1,"d":[{"e":1,"e":2}]}}', ['a', 'b']],
      ['{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":1}', []],
      ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ]
    for (const [text, duplicates] of cases) {
      const read = readFlatJson(text)
      assert.deepEqual(typeof read === 'object' && 'duplicates' in read ? read.duplicates : read, duplicates, text)
    }
  })

  it(`has at most ${maxItems} names and items, wherever they stand, and any depth`, () => {
    const named = (count: number) => `{${Array.from({ length: count }, (_, index) => `"a${index}":1`).join(',')}}`
    const list = (count: number) => `{"a":[${Array.from({ length: count }, () => 1).join(',')}]}`
    for (const [most, more] of [
      [named(maxItems), named(maxItems + 1)],
      [list(maxItems), list(maxItems + 1)],
      [`{"a":${named(maxItems)}}`, `{"a":${named(maxItems + 1)}}`],
    ] as const) {
      assert.ok(typeof readFlatJson(most) === 'object', most)
      assert.equal(readFlatJson(more), 'too_many_items')
      assert.ok(isJson(more))
    }
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      assert.deepEqual(readFlatJson(`{"x":${open.repeat(100_000)}1${close.repeat(100_000)}}`), {
        members: { x: open === '[' ? [] : {} },
        duplicates: [],
      })
  })

  it('reports nonzero numbers that would be stored as zero', () => {
    const number = (text: string): unknown => {
      const read = readFlatJson(`{"a":${text}}`)
      return typeof read === 'object' && 'members' in read ? read.members.a : read
    }
    for (const text of ['1e-400', '-1e-400', '0.1e-400', `0.${'0'.repeat(400)}1`, '2e-324'])
      assert.equal(number(text), underflow, text)
    for (const text of ['0', '-0', '0.0', '0e5', '0E-400', '-0.00e9', '5e-324', '3e-324', '1e400'])
      assert.equal(number(text), JSON.parse(text), text)
  })
})
