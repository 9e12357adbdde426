/** In charge of what is kept: a value goes in by a create and comes out by a get and a list, code point for code point. */

import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Resource } from '../../acceptance/field-table.ts'
import { creatable, writableFieldsOf } from '../../acceptance/field-table.ts'
import { longestText } from '../../acceptance/rule-table.ts'
import { plainBody } from '../bodies.ts'
import type { Case, Deviation } from '../case.ts'
import type { FollowUp } from '../generated.ts'
import { runGenerated, seedFor } from '../generated.ts'
import { followLinks } from '../links.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Row } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { expectedRecord } from '../record-model.ts'
import { escaped, read, uniquePlace, write } from '../request.ts'
import { notoriousTexts } from '../schema-arbitrary.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'round trips'

export const roundTrips: Source = {
  name,
  about: 'texts and numbers in by a create, out by a get and a filtered list',
  async run(machine) {
    const runs = Math.ceil(machine.sizes.roundTrips / creatable.length)
    await inParallel(creatable, async (resource) => {
      for (const text of handPicked) await runGenerated(machine, generated(machine, resource, fc.constant(text), 1))
      await runGenerated(machine, generated(machine, resource, texts, runs))
    })
  },
}

/** The field by which a list finds the record again. */
const findingField: Readonly<Partial<Record<Resource, string>>> = {
  leave: 'leave_type',
  applications: 'stage',
  organizations: 'slug',
  brands: 'slug',
  'career-sites': 'slug',
  'organization-teams': 'country',
  'job-distributions': 'slug',
}

const generated = (machine: Machine, resource: Resource, values: fc.Arbitrary<string>, runs: number) => ({
  source: name,
  arbitrary: fc
    .tuple(values, numbers, integers)
    .map(([text, number, integer]) => createCase(machine, resource, { text, number, integer })),
  runs,
  seed: seedFor(machine.seed, `${name} ${resource}`),
  followUp: findAgain(machine, resource),
})

/** Every code point but U+0000, which is refused. */
const texts = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(fc.constantFrom(...notoriousTexts), { maxLength: 4 }).map((parts) => parts.join('')),
  )
  .map((text) => text.replaceAll('\0', '\u0001'))

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1, 1 / 3, 1e21, 2 ** 53, 123456.789),
)
const integers = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53))

/** Texts in which programs have lost something before. */
const handPicked: readonly string[] = [
  '',
  ' leading and trailing ',
  '\t\r\n\u000b\f',
  '\u0001\u0002\u001f\u007f\u0080\u009f',
  'a\u0301 é e\u0301 \u1e9b\u0323',
  'ﬁ ﬃ ß ẞ ı İ ſ K Å Ω',
  'שלום \u202e עולם \u202c مرحبا',
  '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇳🇴',
  '\ufeff\u200b\u200d\u2060\u00ad',
  '\ufffd\ufffe\uffff\u{1ffff}\u{10ffff}',
  '\ue000\uf8ff\u{f0000}',
  '\u2028\u2029\u0085',
  '한글 \u1112\u1161\u11ab',
  'が \u304b\u3099',
  '%_\\ \\\\ %% __ \\% \\_',
  `'"\`$$ $1 :a ?::int -- /* */ ;`,
  '{"a":[1]} \\u0041 \\n &amp; %41 +',
  ',a,,b,,,c,',
  '0012 1e5 1.0 0x1F NaN null true',
  '𝒳𝓎𝓏 𠜎 𐍈',
  'Ǆ ǅ ǆ ŉ ΐ և',
  'z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309',
]

const createCase = (
  machine: Machine,
  resource: Resource,
  values: { text: string; number: number; integer: number },
): Case => {
  const operation = machine.contract.verb('create', resource)
  const body = bodyOf(plainBody(machine, operation), resource, values)
  return {
    source: name,
    about: `${resource} keeps what it is given`,
    operation: operation.id,
    request: write(pathOf(machine, operation.path), JSON.stringify(body)),
    expect: { status: [201], record: expectedRecord(resource, body) },
  }
}

/** The text stands in every field that takes any text, with something of its own where it has to be found again. */
const bodyOf = (
  plain: Body,
  resource: Resource,
  { text, number, integer }: { text: string; number: number; integer: number },
): Body => {
  const body: Record<string, unknown> = { ...plain }
  for (const { field, kind } of writableFieldsOf(resource)) {
    const longest = longestText[resource]?.[field] ?? 0
    if (kind === 'number') body[field] = number
    if (kind === 'integer' && field === 'is_active') body[field] = integer
    if (kind === 'json') body[field] = JSON.stringify({ text })
    if (kind === 'text')
      body[field] = [...`${text}${uniquePlace}`].length <= longest ? `${text}${uniquePlace}` : uniquePlace
  }
  return body
}

/** By its id and by an equality filter on its text, in which a comma is written twice. */
export const findAgain = (machine: Machine, resource: Resource): FollowUp => {
  const follow = followLinks(machine)
  const field = findingField[resource] ?? ''
  return async (attempted) => {
    const deviations: Deviation[] = [...(await follow(attempted))]
    const record = JSON.parse(attempted.answer?.text ?? 'null') as Row
    const list = machine.contract.verb('list', resource)
    if (record === null) return deviations
    const value = escaped(String(record[field]).replaceAll(',', ',,'))
    const found = await machine.attempt({
      source: name,
      about: `${resource} by ${field}`,
      operation: list.id,
      request: read(`${pathOf(machine, list.path)}?${field}=${value}&limit=200`),
      expect: { status: [200] },
    })
    deviations.push(...found.deviations)
    const { data = [] } = JSON.parse(found.answer?.text ?? '{}') as { data?: Row[] }
    if (!data.some((row) => isDeepStrictEqual(row, record)))
      deviations.push({ check: 'kept exactly', message: `the list by ${field} does not hold the record as created` })
    return deviations
  }
}
