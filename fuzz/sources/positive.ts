/** In charge of generated requests that follow the description: each must be served, and a create must keep what it was given. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Resource } from '../../acceptance/field-table.ts'
import { validBodies } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation, Parameter } from '../contract.ts'
import type { FollowUp, GeneratedCases } from '../generated.ts'
import { runGenerated, seedFor } from '../generated.ts'
import { followLinks } from '../links.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Row } from '../pools.ts'
import { expectedRecord } from '../record-model.ts'
import type { HeaderLine } from '../request.ts'
import { bearer, escaped, read, write } from '../request.ts'
import { schemaArbitrary, textArbitrary } from '../schema-arbitrary.ts'
import type { Source } from './source.ts'
import { fileTypes, pathOf, requiredQuery } from './source.ts'

const name = 'positive'

export const positive: Source = {
  name,
  about: 'generated requests that follow the description',
  run: (machine) =>
    inParallel(machine.contract.operations, (operation) =>
      runGenerated(machine, positiveCases(machine, operation, runsEach(machine))),
    ),
}

/** Half of the generated cases, shared out evenly over the operations. */
export const runsEach = ({ sizes, contract }: Machine): number =>
  Math.ceil(sizes.generated / 2 / contract.operations.length)

const positiveCases = (machine: Machine, operation: Operation, runs: number): GeneratedCases => ({
  source: name,
  arbitrary: arbitraryFor(machine, operation).map((asked) => ({ source: name, operation: operation.id, ...asked })),
  runs,
  seed: seedFor(machine.seed, `${name} ${operation.id}`),
  ...(operation.kind === 'create' ? { followUp: followLinks(machine) } : {}),
  ...(operation.kind === 'get' ? { followUp: compareWithList(machine, operation) } : {}),
})

/** One record is the same by itself as it was in the list. */
const compareWithList =
  ({ pools }: Machine, { resource }: Operation): FollowUp =>
  async ({ answer, asked }) => {
    const record = JSON.parse(answer?.text ?? 'null') as Row
    const [, item] = /\/(\d+)(?:\?|$)/.exec(asked.request.target) ?? []
    const listed = pools.of(resource).find(({ id }) => id === Number(item))
    // What the list does not have stands there because it was asked for.
    const isSame = Object.entries(record).every(
      ([member, value]) => listed === undefined || !(member in listed) || isDeepStrictEqual(value, listed[member]),
    )
    return listed !== undefined && isSame ? [] : [{ check: 'link', message: 'the record is another in the list' }]
  }

type Asked = Pick<Case, 'about' | 'request' | 'expect'>

export const arbitraryFor = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> => {
  switch (operation.kind) {
    case 'list':
      return listArbitrary(machine, operation)
    case 'count':
      return countArbitrary(machine, operation)
    case 'get':
      return getArbitrary(machine, operation)
    case 'create':
      return createArbitrary(machine, operation)
    default:
      return systemArbitrary(machine, operation)
  }
}

/** Parameters that no operation declares: they are ignored. */
const strangers = fc.array(fc.tuple(textArbitrary({ maxLength: 12 }), textArbitrary({ maxLength: 12 })), {
  maxLength: 2,
})

/** Header fields that change nothing. */
const harmless = fc.subarray<HeaderLine>([
  ['Accept', 'text/html'],
  ['Accept-Language', 'tlh'],
  ['Authorization', 'Bearer wrong'],
  ['Cookie', 'session=1'],
  ['Content-Type', 'text/plain'],
  ['X-Http-Method-Override', 'DELETE'],
  ['Origin', 'https://elsewhere.example'],
])

const systemArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(strangers, harmless).map(([pairs, headers]) => ({
    about: 'unknown parameters and odd headers are ignored',
    request: read(pathOf(machine, operation.path) + queryText(pairs), headers),
    expect: { status: [200] },
  }))

const listArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(queryArbitrary(machine, operation), strangers, harmless).map(([drawn, pairs, headers]) => {
    const declared = new Set(operation.parameters.map((parameter) => parameter.name))
    const query = askedOf(drawn)
    const contentType = fileTypes[String(query.format)]
    const all = [...pairs.filter(([key]) => !declared.has(key)), ...Object.entries(query)]
    const meta = { limit: String(query.limit ?? 50), offset: String(query.offset ?? 0) }
    return {
      about: 'a query within the declared bounds is served',
      request: read(pathOf(machine, operation.path) + queryText(all), headers),
      expect: { status: [200], ...(contentType === undefined ? { meta } : { contentType }) },
    }
  })

/** A part of a file says as much as all of it, and leaves the few connections for files to others; CSV has no related records. */
const askedOf = ({ expand, ...query }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...query,
  ...(fileTypes[String(query.format)] === undefined ? {} : { limit: query.limit ?? 50 }),
  ...(expand === undefined || query.format === 'csv' ? {} : { expand }),
})

/** The many records that are made here lead to more groups than are told: then that is what must be said. */
const countArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(queryArbitrary(machine, operation), harmless).map(([query, headers]) => ({
    about: 'a count by what is declared is served',
    request: read(pathOf(machine, operation.path) + queryText(Object.entries(query)), headers),
    expect: { status: [200, 422], faults: [{ loc: ['query', 'by'], type: ['too_many_groups'] }], onlyThose: true },
  }))

/** Integers without a largest value are also tried with more digits than a number can hold. */
const parameterArbitrary = ({ contract }: Machine, { name: parameter, schema }: Parameter): fc.Arbitrary<unknown> => {
  if (parameter === 'sort') return sortArbitrary((schema.items?.enum ?? []) as string[])
  const values = schemaArbitrary(schema, contract.resolve)
  if (schema.type !== 'integer') return values
  const usual = values.map((value) => BigInt(value as number))
  if (schema.maximum !== undefined) return usual
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 40n }) })
}

/** No field twice, whatever its direction. */
const sortArbitrary = (names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4, selector: (name) => name.replace('-', '') })

const getArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc
    .tuple(
      fc.constantFrom(...machine.pools.of(operation.resource)),
      fc.nat(12),
      queryArbitrary(machine, operation),
      harmless,
    )
    .map(([row, zeros, query, headers]) => {
      const path = pathOf(machine, operation.path.replace('{item_id}', `${'0'.repeat(zeros)}${row.id}`))
      return {
        about: 'a record that exists is served, leading zeros or not',
        request: read(path + queryText(Object.entries(query)), headers),
        expect: { status: [200] },
      }
    })

/** Any of the parameters of the query, each with a value it takes, and those that are required. */
const queryArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Record<string, unknown>> => {
  const values = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [parameter.name, parameterArbitrary(machine, parameter)] as const)
  const needed = requiredQuery(operation)
  const [required, others] = [values.filter(([key]) => key in needed), values.filter(([key]) => !(key in needed))]
  // A list has dozens of filters: of all at once none would find anything.
  return fc
    .subarray(others, { maxLength: Math.min(6, others.length) })
    .chain((chosen) => fc.record(Object.fromEntries([...required, ...chosen]) as Record<string, fc.Arbitrary<unknown>>))
}

const queryText = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join('&')}`

const contentTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json ; profile=x',
)

const createArbitrary = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(validBodies(machine, operation), fc.constantFrom(0, 1), contentTypes).map(([body, indent, contentType]) => ({
    about: 'a body within the declared rules is created as sent',
    request: write(pathOf(machine, operation.path), JSON.stringify(body, null, indent), [
      bearer,
      ['Content-Type', contentType],
    ]),
    expect: { status: [201], record: expectedRecord(operation.resource as Resource, body) },
  }))
