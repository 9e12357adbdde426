/** In charge of the steps a sequence is made of: plain data, so that a sequence can be shrunk, shown and kept. */
import * as fc from 'fast-check'
import type { Resource } from '../../acceptance/field-table.ts'
import { creatable } from '../../acceptance/field-table.ts'

/** `pick` chooses among what the sequence has made so far; a step that finds nothing to choose from is passed over. */
export type Step =
  | { readonly do: 'create'; readonly resource: Resource; readonly pick: number; readonly values: StepValues }
  | { readonly do: 'create again'; readonly resource: Resource; readonly pick: number }
  | { readonly do: 'create wrongly'; readonly resource: Resource; readonly pick: number; readonly fault: StepFault }
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

/** Values for whichever fields of those kinds the resource has; a null may be sent, and what is absent is left out. */
export interface StepValues {
  readonly text?: string | null
  readonly number?: number | null
  readonly date?: string | null
  readonly timestamp?: string | null
}

export type StepFault = 'unknown property' | 'missing property' | 'wrong type' | 'no such reference' | 'no JSON'

const resource = fc.constantFrom(...creatable)
const pick = fc.nat(50)

const values: fc.Arbitrary<StepValues> = fc.record(
  {
    text: fc.option(fc.string({ unit: 'grapheme', maxLength: 20 })),
    number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    date: fc.option(fc.constantFrom('2024-02-29', '1999-12-31T23:59:59+02:00', '2030-01-01 00:00')),
    timestamp: fc.option(fc.constantFrom('2024-02-29', '2024-02-29T12:00:00.120-05:30', '2030-01-01 00:00')),
  },
  { requiredKeys: [] },
)

const faults = fc.constantFrom<StepFault>(
  'unknown property',
  'missing property',
  'wrong type',
  'no such reference',
  'no JSON',
)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), resource, pick, values }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('create again' as const), resource, pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('create wrongly' as const), resource, pick, fault: faults }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('get' as const), resource, pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('get nothing' as const), resource, pick }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('list' as const),
        resource,
        pick,
        limit: fc.integer({ min: 1, max: 12 }),
        offset: fc.nat(12),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('search' as const), resource }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
