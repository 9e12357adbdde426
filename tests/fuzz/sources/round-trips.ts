import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Resource } from '../../contract/contract.ts'
import { creatable, markerFieldOf, writableFieldsOf } from '../../contract/contract.ts'
import { minimalBody } from '../bodies.ts'
import type { Case, Deviation } from '../case.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { FollowUp } from '../generated.ts'
import { runGenerated, seedFor } from '../generated.ts'
import { followLinks } from '../links.ts'
import type { PoolRecord } from '../pools.ts'
import type { Body } from '../record-model.ts'
import { expectedRecord } from '../record-model.ts'
import { getRequest, percentEncode, postRequest, uniquePlaceholder } from '../request.ts'
import { notoriousStrings } from '../schema-arbitrary.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'round trips'

export const roundTrips: Source = {
  name: sourceName,
  about: 'strings and numbers that a create stores, read back through a get and a filtered list',
  async run(fuzzer) {
    const runs = Math.ceil(fuzzer.sizes.roundTrips / creatable.length)
    await forEachInParallel(creatable, async (resource) => {
      for (const text of fragileStrings)
        await runGenerated(fuzzer, generatedCases(fuzzer, resource, fc.constant(text), 1))
      await runGenerated(fuzzer, generatedCases(fuzzer, resource, stringArbitrary, runs))
    })
  },
}

const generatedCases = (fuzzer: Fuzzer, resource: Resource, values: fc.Arbitrary<string>, runs: number) => ({
  source: sourceName,
  arbitrary: fc
    .tuple(values, numberArbitrary, integerArbitrary)
    .map(([text, number, integer]) => createCase(fuzzer, resource, { text, number, integer })),
  runs,
  seed: seedFor(fuzzer.seed, `${sourceName} ${resource}`),
  followUp: readBack(fuzzer, resource),
})

/** Strings of all code points except U+0000, which the service rejects. */
const stringArbitrary = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(fc.constantFrom(...notoriousStrings), { maxLength: 4 }).map((parts) => parts.join('')),
  )
  .map((text) => text.replaceAll('\0', '\u0001'))

const numberArbitrary = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1, 1 / 3, 1e21, 2 ** 53, 123456.789),
)
const integerArbitrary = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53))

/** Strings that software often changes by mistake. */
const fragileStrings: readonly string[] = [
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
  fuzzer: Fuzzer,
  resource: Resource,
  values: { text: string; number: number; integer: number },
): Case => {
  const operation = fuzzer.contract.operationOf('create', resource)
  const body = makeBody(minimalBody(fuzzer, operation), resource, values)
  return {
    source: sourceName,
    about: `${resource} stores exactly what was sent`,
    operation: operation.id,
    request: postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body)),
    expect: { status: [201], record: expectedRecord(resource, body) },
  }
}

/**
 * Puts the string into every text field, followed by a unique part. If both together are too long for the field, only
 * the unique part is sent.
 */
const makeBody = (
  minimal: Body,
  resource: Resource,
  { text, number, integer }: { text: string; number: number; integer: number },
): Body => {
  const body: Record<string, unknown> = { ...minimal }
  for (const { field, kind, maxLength } of writableFieldsOf(resource)) {
    if (kind === 'number') body[field] = number
    else if (kind === 'integer') body[field] = integer
    else if (kind === 'json') body[field] = JSON.stringify({ text })
    else if (maxLength !== undefined)
      body[field] =
        [...`${text}${uniquePlaceholder}`].length <= maxLength ? `${text}${uniquePlaceholder}` : uniquePlaceholder
  }
  return body
}

/** Reads the created record by id and by an equality filter, in which a comma must be doubled. */
export const readBack = (fuzzer: Fuzzer, resource: Resource): FollowUp => {
  const followCreateLinks = followLinks(fuzzer)
  const field = markerFieldOf(resource)
  return async (result) => {
    const deviations: Deviation[] = [...(await followCreateLinks(result))]
    const record = JSON.parse(result.response?.text ?? 'null') as PoolRecord
    const listOperation = fuzzer.contract.operationOf('list', resource)
    if (record === null) return deviations
    const value = percentEncode(String(record[field]).replaceAll(',', ',,'))
    const filteredList = await fuzzer.attempt({
      source: sourceName,
      about: `${resource} by ${field}`,
      operation: listOperation.id,
      request: getRequest(`${apiPath(fuzzer, listOperation.path)}?${field}=${value}&limit=200`),
      expect: { status: [200] },
    })
    deviations.push(...filteredList.deviations)
    const { data = [] } = JSON.parse(filteredList.response?.text ?? '{}') as { data?: PoolRecord[] }
    if (!data.some((row) => isDeepStrictEqual(row, record)))
      deviations.push({
        check: 'stored exactly',
        message: `the list filtered by ${field} does not contain the created record`,
      })
    return deviations
  }
}
