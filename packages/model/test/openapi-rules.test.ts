/** Checks that the published schemas of create bodies accept exactly what the service accepts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fc } from '../../../tests/support/fast-check.ts'
import { createSchema } from '../src/openapi/json-schema.ts'
import { dateTimeTextPattern } from '../src/openapi/text-patterns.ts'
import { resources } from '../src/registry.ts'
import type { NamedField } from '../src/schema/field.ts'
import { parseDateTime } from '../src/validation/date-time.ts'
import { validateValue } from '../src/validation/value.ts'

const ajv = new Ajv2020({ allowUnionTypes: true, formats: { int64: true, double: true } })

interface WritableField {
  readonly label: string
  readonly field: NamedField
  readonly accepts: (value: unknown) => boolean
}

const writableFields: readonly WritableField[] = resources.flatMap((resource) => {
  const { properties = {} } = createSchema(resource)
  return resource.writableFields.map((field) => ({
    label: `${resource.path}.${field.name}`,
    field,
    accepts: ajv.compile(properties[field.name] ?? false),
  }))
})

const isAccepted = (field: NamedField, value: unknown): boolean =>
  value === null ? field.create === 'optional' : 'stored' in validateValue(field, value)

/** JSON Schema cannot require a string to be valid JSON, so fields that hold JSON are tested only with valid JSON. */
const isComparable = (field: NamedField, value: unknown): boolean => {
  if (typeof value === 'string' && !value.isWellFormed()) return false
  if (field.kind !== 'json' || typeof value !== 'string') return true
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const disagreements = (value: unknown): string[] =>
  writableFields
    .filter(({ field }) => isComparable(field, value))
    .filter(({ field, accepts }) => accepts(value) !== isAccepted(field, value))
    .map(({ label }) => `${label} ${JSON.stringify(value)?.slice(0, 80)}`)

const values: readonly unknown[] = [
  ...[null, true, false, [], {}, [1], { a: 1 }],
  ...[0, -0, 1, -1, 1.5, 1e2, 1.0, 1e300, 9007199254740991, -9007199254740991, 9007199254740992, -9007199254740992],
  ...[
    '',
    ' ',
    '\t',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u2028',
    ' x',
    'x ',
    '\nx\n',
    '\u200b',
    '\u0000',
    'x\u0000',
    '\u0000x',
  ],
  ...['a', 'é', '日本', '😀', '1', 'true', 'null', '{}', '[1]', '"x"'],
  ...[200, 201, 500, 501, 2048, 2049, 20_000, 20_001].flatMap((length) => ['x'.repeat(length), '😀'.repeat(length)]),
  ...['x'.repeat(20_001), ' '.repeat(200), `${' '.repeat(199)}x`, `${' '.repeat(200)}x`],
  ...[`"${'x'.repeat(262_142)}"`, `"${'x'.repeat(262_143)}"`],
  ...['https://example.com/a', 'javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:x', 'java\nscript:x'],
  ...[
    '\u0001javascript:x',
    'javascript :x',
    'java\u00a0script:x',
    'vbscript:x',
    'VBSCRIPT\t:x',
    'javascript',
    'xjavascript:',
  ],
  ...['javascripts:x', '\u017fjavascript:x', 'java\u017fcript:x', 'java\u2003script:x', 'data:text/html,x'],
  ...['2026-03-02', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '0000-01-01', '0001-01-01', '9999-12-31'],
  ...['2026-3-2', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '20260302', '2026-03-02 ', '2026-03-02T'],
  ...['2026-03-02T09:30', '2026-03-02T09:30:15', '2026-03-02t09:30:15z', '2026-03-02 09:30:15.123456789+02:00'],
  ...['2026-03-02T09:30:15.1234567890Z', '2026-03-02T24:00:00Z', '2026-03-02T23:60:00Z', '2026-03-02T23:59:60Z'],
  ...['2026-03-02T09:30:15+0200', '2026-03-02T09:30:15+2', '2026-03-02T09:30:15+24:00', '2026-03-02T09:30:15-23:59'],
  ...['2026-03-02T09Z', '٢٠٢٦-٠٣-٠٢', '2026-03-02\n', '+2026-03-02', '02.03.2026', 'tomorrow', '1772409600'],
]

describe('schemas of create bodies', () => {
  it('accept exactly the values that the service accepts, for every field and every listed value', () => {
    assert.ok(writableFields.length > 0)
    assert.deepEqual(values.flatMap(disagreements), [])
  })

  it('accept exactly the random strings that the service accepts', () => {
    const awkwardCharacter = fc.constantFrom(...' \t\n\u00a0\ufeff\u0000\u0001\u007f:jJaAvVsScCrRiIpPtTbB0129-+.Z😀é')
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: awkwardCharacter }))
    const scheme = fc
      .tuple(fc.constantFrom('javascript:', 'vbscript:', 'JAVASCRIPT:'), fc.nat(), text)
      .map(([word, at, inside]) => `${word.slice(0, at % 12)}${inside}${word.slice(at % 12)}`)
    fc.assert(
      fc.property(fc.oneof(text, scheme), (value) => {
        assert.deepEqual(disagreements(value), [])
      }),
      { numRuns: 700 },
    )
  })

  it('have patterns that match the same strings with and without the u flag', () => {
    const patterns = new Set(
      resources.flatMap((resource) =>
        Object.values(createSchema(resource).properties ?? {}).flatMap(({ pattern }) => pattern ?? []),
      ),
    )
    assert.equal(patterns.size, 4)
    const texts = values.filter((value) => typeof value === 'string')
    for (const pattern of patterns) {
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
      for (const value of texts)
        assert.equal(plain.test(value), unicode.test(value), `${pattern} on ${value.slice(0, 40)}`)
    }
  })
})

describe('the pattern of date-times', () => {
  const pattern = new RegExp(dateTimeTextPattern, 'u')
  const twoDigits = (value: number) => String(value).padStart(2, '0')

  it('matches every calendar day and no other date', () => {
    for (const year of [
      '0000',
      '0001',
      '0004',
      '0100',
      '0400',
      '1900',
      '1999',
      '2000',
      '2023',
      '2024',
      '2100',
      '9999',
    ]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${twoDigits(month)}-${twoDigits(day)}`
          assert.equal(pattern.test(text), parseDateTime(text) !== undefined, text)
        }
      }
    }
  })

  it('matches every valid time of day and UTC offset and no other', () => {
    for (let hour = 0; hour <= 25; hour += 1) {
      for (const minute of [0, 1, 59, 60, 99]) {
        for (const offset of [
          '',
          'Z',
          'z',
          `+${twoDigits(hour)}:${twoDigits(minute)}`,
          `-${twoDigits(hour)}${twoDigits(minute)}`,
          '+1',
        ]) {
          for (const text of [
            `2026-03-02T${twoDigits(hour)}:${twoDigits(minute)}${offset}`,
            `2026-03-02T12:00:${twoDigits(minute)}.5${offset}`,
          ])
            assert.equal(pattern.test(text), parseDateTime(text) !== undefined, text)
        }
      }
    }
  })
})
