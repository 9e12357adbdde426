import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findRepeatedNames, isJson, maxJsonItems, readFlatJson, underflow } from '@muster/model'

const parseOrUndefined = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Replaces a nested value by an empty one, as `readFlatJson` does. */
const withoutNestedValues = (value: unknown): unknown => {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

/** A linear congruential generator, so that every run uses the same random numbers. */
const randomBelow = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const fragments = [
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

describe('readFlatJson', () => {
  it('accepts exactly what JSON.parse accepts, with the same properties in the same order', () => {
    const random = randomBelow(26)
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
    const value = (depth: number): string => {
      const kind = random(depth > 3 ? 3 : 5)
      if (kind < 3) return pick(['1', '-2.5', '"a"', '"\\n"', 'true', 'null', ' 0 ', '1E-2', '[]', '{}'])
      const items = Array.from({ length: random(4) }, () => value(depth + 1))
      return kind === 3 ? `[${items.join(', ')}]` : object(items)
    }
    const object = (values: readonly string[]): string =>
      `{${values.map((entry) => `"${pick(['a', 'b', '\\u0061', 'c', '__proto__', '7'])}": ${entry}`).join(',')}}`
    let [objectCount, invalidCount] = [0, 0]
    for (let round = 0; round < 3_000; round += 1) {
      const validText = object(Array.from({ length: random(5) }, () => value(1)))
      const cut = random(validText.length + 1)
      const brokenText = `${validText.slice(0, cut)}${pick(fragments)}${validText.slice(cut + random(2))}`
      const randomText = Array.from({ length: 1 + random(7) }, () => pick(fragments)).join('')
      for (const text of [validText, brokenText, randomText]) {
        const expected = parseOrUndefined(text)
        const result = readFlatJson(text)
        assert.equal(isJson(text), expected !== undefined, text)
        if (expected === undefined) {
          invalidCount += 1
          assert.ok(typeof result === 'object' && 'invalidAt' in result, text)
        } else if (Array.isArray(expected.value) || typeof expected.value !== 'object' || expected.value === null)
          assert.equal(result, 'not_an_object', text)
        else {
          objectCount += 1
          assert.ok(typeof result === 'object' && 'members' in result, text)
          const entries = Object.entries(expected.value).map(([name, entry]) => [name, withoutNestedValues(entry)])
          assert.deepEqual(Object.entries(result.members), entries, text)
        }
      }
    }
    assert.ok(objectCount > 2_400 && invalidCount > 2_400, `${objectCount} ${invalidCount}`)
  })

  it('reports properties with duplicate names', () => {
    const cases: readonly (readonly [text: string, duplicates: readonly string[]])[] = [
      ['{"a":1,"b":2}', []],
      ['{"a":1,"\\u0061":2}', ['a']],
      ['{"a":1,"a":2,"a":3,"b":{"c":1,"d":[{"e":1,"e":2}]}}', ['a', 'b']],
      ['{"a":{"b":1},"c":[{"b":1},{"b":2}],"b":1}', []],
      ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ]
    for (const [text, duplicates] of cases) {
      const result = readFlatJson(text)
      assert.deepEqual(
        typeof result === 'object' && 'duplicates' in result ? result.duplicates : result,
        duplicates,
        text,
      )
    }
  })

  it('finds repeated names at all levels of documents of any size, with their positions', () => {
    const text = `{"a": [{"b": 1, "c": {"b": 2}, "\\u0062": 3}], "d": [1, 1], "a": 4}`
    assert.deepEqual(
      findRepeatedNames(text).map(({ name, position }) => [name, text.slice(position, position + 3)]),
      [
        ['b', '"\\u'],
        ['a', '"a"'],
      ],
    )
    const names = Array.from({ length: maxJsonItems * 2 }, (_, index) => `"n${index}":1`)
    assert.deepEqual(findRepeatedNames(`{${names.join()}}`), [])
    assert.deepEqual(
      findRepeatedNames(`{${names.join()},"n0":2}`).map(({ name }) => name),
      ['n0'],
    )
    assert.deepEqual(findRepeatedNames('{"a":1,"a":'), [])
  })

  it(`accepts at most ${maxJsonItems} names and items at all levels together, and any depth of nesting`, () => {
    const objectWith = (count: number) => `{${Array.from({ length: count }, (_, index) => `"a${index}":1`).join(',')}}`
    const arrayWith = (count: number) => `{"a":[${Array.from({ length: count }, () => 1).join(',')}]}`
    for (const [atLimit, overLimit] of [
      [objectWith(maxJsonItems), objectWith(maxJsonItems + 1)],
      [arrayWith(maxJsonItems), arrayWith(maxJsonItems + 1)],
      [`{"a":${objectWith(maxJsonItems)}}`, `{"a":${objectWith(maxJsonItems + 1)}}`],
    ] as const) {
      assert.ok(typeof readFlatJson(atLimit) === 'object', atLimit)
      assert.equal(readFlatJson(overLimit), 'too_many_items')
      assert.ok(isJson(overLimit))
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

  it('reports nonzero numbers that round to zero', () => {
    const parseNumber = (text: string): unknown => {
      const result = readFlatJson(`{"a":${text}}`)
      return typeof result === 'object' && 'members' in result ? result.members.a : result
    }
    for (const text of ['1e-400', '-1e-400', '0.1e-400', `0.${'0'.repeat(400)}1`, '2e-324'])
      assert.equal(parseNumber(text), underflow, text)
    for (const text of ['0', '-0', '0.0', '0e5', '0E-400', '-0.00e9', '5e-324', '3e-324', '1e400'])
      assert.equal(parseNumber(text), JSON.parse(text), text)
  })
})
