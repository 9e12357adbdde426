/** In charge of sizes: bodies, headers, addresses and nesting at the limit and one step beyond it. */
import { plainBody, withLiteral } from '../bodies.ts'
import type { Case, Expectation } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Body } from '../record-model.ts'
import type { HeaderLine, Request } from '../request.ts'
import { bearer, json, read, uniquePlace, uniqueText, write } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'limits'

export const limits: Source = {
  name,
  about: 'bodies, headers, addresses and nesting at and beyond their limits',
  async run(machine) {
    const creates = machine.contract.operations.filter(({ kind }) => kind === 'create')
    await inParallel(
      creates.flatMap((operation) => createCases(machine, operation)),
      (asked) => machine.run(asked),
    )
    await inParallel(excessCases(machine, creates), (asked) => machine.run(asked), 2)
    const reads = machine.contract.operations.filter(({ kind }) => kind === 'list' || kind === 'system')
    await inParallel(
      reads.flatMap((operation) => readCases(machine, operation)),
      (asked) => machine.run(asked),
    )
    const crowd = Array.from({ length: 100 }, () => strangerCase(machine, creates[0] as Operation))
    await inParallel(crowd, (asked) => machine.run(asked), crowd.length)
  },
}

const mebibyte = 1_048_576

const createCases = (machine: Machine, operation: Operation): Case[] => {
  const plain = plainBody(machine, operation)
  const target = pathOf(machine, operation.path)
  const asked = (about: string, request: Request, expect: Expectation): Case => ({
    source: name,
    about: `${operation.id}: ${about}`,
    operation: operation.id,
    request,
    expect,
  })
  const padded = (size: number): string => {
    // The unique text is put in here, so that the size is known.
    const text = JSON.stringify(plain).replaceAll(uniquePlace, uniqueText())
    return `${text.slice(0, -1)}${' '.repeat(size - Buffer.byteLength(text))}}`
  }
  const refused = (loc: string[], type: string): Expectation => ({ status: [422], faults: [{ loc, type: [type] }] })
  const chunked = { chunked: true } as const
  return [
    asked('a body of one mebibyte', write(target, padded(mebibyte)), { status: [201] }),
    asked('a body of one byte more', write(target, padded(mebibyte + 1)), { status: [413] }),
    asked('a mebibyte of unannounced length', { ...write(target, padded(mebibyte)), ...chunked }, { status: [201] }),
    asked('more of unannounced length', { ...write(target, padded(mebibyte + 1)), ...chunked }, { status: [413] }),
    asked('too large, and no token', write(target, padded(mebibyte + 1), [json]), { status: [401] }),
    asked('too large, and no JSON', write(target, ' '.repeat(mebibyte + 1), [bearer]), { status: [413] }),
    ...[1, 2].map((depth) =>
      asked(`arrays ${depth} deep`, write(target, nested(depth)), refused(['body'], 'model_type')),
    ),
  ]
}

interface Excess {
  readonly about: string
  readonly text: (plain: Body) => string
  readonly loc: readonly string[]
  readonly type: string
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

const unknown = (about: string, property: string, literal: string): Excess => ({
  about,
  text: (plain) => withLiteral(plain, property, literal),
  loc: ['body', property],
  type: 'extra_forbidden',
})

const properties = (count: number): string => Array.from({ length: count }, (_, at) => `"p${at}":0`).join()
const manyProperties = properties(20_000)
const fewProperties = properties(80)

/** Each is tried on one of the creates: they cost much, and all creates read their bodies the same way. */
const excesses: readonly Excess[] = [
  ...[25_000, 500_000].map((depth) => ({
    about: `arrays ${depth} deep`,
    text: () => nested(depth),
    loc: ['body'],
    type: 'model_type',
  })),
  ...[1, 2, 25_000, 500_000].map((depth) => unknown(`an unknown property ${depth} deep`, 'deep', nested(depth))),
  unknown('objects 100,000 deep', 'deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  { ...unknown('20,000 unknown properties', 'p', `0,${manyProperties}`), loc: ['body'], type: 'too_many_items' },
  { ...unknown('80 unknown properties', 'p', `0,${fewProperties}`), loc: ['body', 'p79'] },
  unknown('a number of 500,000 digits', 'digits', '9'.repeat(500_000)),
  unknown('a name of 500,000 characters', 'n'.repeat(500_000), '0'),
]

const excessCases = (machine: Machine, creates: readonly Operation[]): Case[] =>
  excesses.map(({ about, text, loc, type }, at) => {
    const operation = creates[at % creates.length] as Operation
    return {
      source: name,
      about: `${operation.id}: ${about}`,
      operation: operation.id,
      request: write(pathOf(machine, operation.path), text(plainBody(machine, operation))),
      expect: { status: [422], faults: [{ loc, type: [type] }] },
    }
  })

const readCases = (machine: Machine, operation: Operation): Case[] => {
  const target = pathOf(machine, operation.path)
  const headers = (size: number): HeaderLine[] => [['X-Padding', 'x'.repeat(size)]]
  const asked = (about: string, request: Request, status: number): Case => ({
    source: name,
    about: `${operation.id}: ${about}`,
    // What is too large for a header never becomes a request, so the description cannot declare its answer.
    ...(status === 431 ? {} : { operation: operation.id }),
    request,
    expect: { status: [status] },
  })
  return [
    asked('headers of 8 KiB', read(target, headers(8_192)), 200),
    asked('headers of 15 KiB', read(target, headers(15_360)), 200),
    asked('headers of 17 KiB', read(target, headers(17_408)), 431),
    asked('an address of 8 KiB', read(`${target}?x=${'x'.repeat(8_192)}`), 200),
    asked('an address of 15 KiB', read(`${target}?x=${'x'.repeat(15_360)}`), 200),
    asked('an address of 20 KiB', read(`${target}?x=${'x'.repeat(20_480)}`), 431),
    asked('1,000 parameters', read(`${target}?${Array.from({ length: 1_000 }, (_, at) => `p${at}=1`).join('&')}`), 200),
    asked(
      '100 headers',
      read(
        target,
        Array.from({ length: 100 }, (_, at): HeaderLine => [`X-Padding-${at}`, 'x']),
      ),
      200,
    ),
  ]
}

/** A crowd of strangers with large bodies learns that it has no token, and costs nothing else. */
const strangerCase = (machine: Machine, operation: Operation): Case => ({
  source: name,
  about: 'one of a hundred large bodies at once without a token',
  operation: operation.id,
  request: write(pathOf(machine, operation.path), 'x'.repeat(65_536), [json]),
  expect: { status: [401] },
})
