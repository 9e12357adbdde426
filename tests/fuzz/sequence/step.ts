/** The steps of a sequence are plain data, so that a sequence can be shrunk, printed and saved. */
import * as fc from 'fast-check'
import type { Resource } from '../../contract/contract.ts'
import { creatable } from '../../contract/contract.ts'

/** `pick` chooses one of the records that the sequence has created. A step that finds no record is skipped. */
export type Step =
  | { readonly do: 'create'; readonly resource: Resource; readonly pick: number; readonly values: StepValues }
  | { readonly do: 'create again'; readonly resource: Resource; readonly pick: number }
  | { readonly do: 'create wrongly'; readonly resource: Resource; readonly pick: number; readonly error: StepError }
  | { readonly do: 'get'; readonly resource: Resource; readonly pick: number }
  | { readonly do: 'get nothing'; readonly resource: Resource; readonly pick: number }
  | {
      readonly do: 'list'
      readonly resource: Resource
      readonly pick: number
      readonly limit: number
      readonly offset: number
    }
  | { readonly do: 'search'; readonly resource: Resource }

/** One value for each kind of field. null is sent as null; an undefined field is omitted from the body. */
export interface StepValues {
  readonly text?: string | null
  readonly number?: number | null
  readonly date?: string | null
  readonly timestamp?: string | null
}

export type StepError = 'unknown property' | 'missing property' | 'wrong type' | 'no such reference' | 'no JSON'

const resourceArbitrary = fc.constantFrom(...creatable)
const pickArbitrary = fc.nat(50)

const valuesArbitrary: fc.Arbitrary<StepValues> = fc.record(
  {
    text: fc.option(fc.string({ unit: 'grapheme', maxLength: 20 })),
    number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    date: fc.option(fc.constantFrom('2024-02-29', '1999-12-31T23:59:59+02:00', '2030-01-01 00:00')),
    timestamp: fc.option(fc.constantFrom('2024-02-29', '2024-02-29T12:00:00.120-05:30', '2030-01-01 00:00')),
  },
  { requiredKeys: [] },
)

const errorArbitrary = fc.constantFrom<StepError>(
  'unknown property',
  'missing property',
  'wrong type',
  'no such reference',
  'no JSON',
)

export const sequenceArbitrary: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        resource: resourceArbitrary,
        pick: pickArbitrary,
        values: valuesArbitrary,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('create again' as const),
        resource: resourceArbitrary,
        pick: pickArbitrary,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('create wrongly' as const),
        resource: resourceArbitrary,
        pick: pickArbitrary,
        error: errorArbitrary,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('get' as const), resource: resourceArbitrary, pick: pickArbitrary }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('get nothing' as const),
        resource: resourceArbitrary,
        pick: pickArbitrary,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('list' as const),
        resource: resourceArbitrary,
        pick: pickArbitrary,
        limit: fc.integer({ min: 1, max: 12 }),
        offset: fc.nat(12),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('search' as const), resource: resourceArbitrary }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
