/** Generates valid parameters of reports, most of them near the dates and values of the demo company. */
import type { NamedParameter } from '@muster/model'
import * as fc from 'fast-check'
import type { Case } from './case.ts'
import type { Operation, Parameter } from './contract.ts'
import type { Fuzzer } from './fuzzer.ts'
import { reportExpectation, reportOf } from './report-model.ts'
import { getRequest, percentEncode } from './request.ts'
import { schemaArbitrary, textArbitrary } from './schema-arbitrary.ts'
import { apiPath } from './sources/source.ts'

export const reportQueries = (
  fuzzer: Fuzzer,
  operation: Operation,
): fc.Arbitrary<Pick<Case, 'about' | 'request' | 'expect' | 'dependsOnRun'>> =>
  fc
    .tuple(fc.subarray([...operation.parameters]), fc.integer({ min: firstDay, max: lastDay }))
    .chain(([parameters, firstSentDay]) => fc.tuple(...valuesOf(fuzzer, operation, parameters, firstSentDay)))
    .map((pairs) => {
      const query = pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')
      return reportRequest(fuzzer, operation, 'valid parameters of a report', query)
    })

/** A request whose parameters are valid one by one, with what the declaration of the report expects. */
export const reportRequest = (
  fuzzer: Fuzzer,
  operation: Operation,
  about: string,
  query: string,
): Pick<Case, 'about' | 'request' | 'expect' | 'dependsOnRun'> => {
  const sent = new Map(new URLSearchParams(query))
  return {
    about,
    request: getRequest(`${apiPath(fuzzer, operation.path)}${query === '' ? '' : `?${query}`}`),
    expect: reportExpectation(operation, sent),
    // Without `as_of` the outcome may depend on the day of the run.
    ...(sent.get('as_of')?.trim() ? {} : { dependsOnRun: true }),
  }
}

/** Days since 1970-01-01. */
const dayNumber = (day: string): number => Date.parse(day) / 86_400_000
const [firstDay, lastDay] = [dayNumber('2019-01-01'), dayNumber('2027-12-31')]
const dayText = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10)

type Pair = readonly [name: string, value: string]

/** Each date is somewhat later than the one declared before it, so that most periods are valid. */
const valuesOf = (
  fuzzer: Fuzzer,
  operation: Operation,
  parameters: readonly Parameter[],
  firstSentDay: number,
): fc.Arbitrary<Pair>[] => {
  let day = firstSentDay
  return parameters.map((parameter) => {
    const declared = reportOf(operation).allParameters.find(({ name }) => name === parameter.name)
    const anyValue = schemaArbitrary(parameter.schema, fuzzer.contract.resolve).map(String)
    const likely = declared === undefined ? undefined : likelyValues(declared, day)
    day += 20
    const values =
      likely === undefined ? anyValue : fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: anyValue })
    return values.map((value): Pair => [parameter.name, value])
  })
}

const words = ['annual', 'SICK', 'active', 'open,closed', 'rejected', 'remote', 'referral', 'Berlin', 'none', 'a,,b']

/** Undefined if the schema alone describes the values well enough. */
const likelyValues = ({ kind }: NamedParameter, day: number): fc.Arbitrary<string> | undefined => {
  const days = fc.integer({ min: 0, max: 60 }).map((later) => dayText(day + later))
  switch (kind) {
    case 'date':
      return days
    case 'month':
      return days.map((text) => text.slice(0, 7))
    case 'id':
      return fc.integer({ min: 1, max: 300 }).map(String)
    case 'ids':
      return fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }).map(String)
    case 'texts':
      return fc.oneof(fc.constantFrom(...words), textArbitrary({ maxLength: 20 }))
    default:
      return undefined
  }
}
