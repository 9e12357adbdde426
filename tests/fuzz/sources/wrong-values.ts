import type { Field } from '../../contract/contract.ts'
import { creatable, writableFieldsOf } from '../../contract/contract.ts'
import { minimalBody, withLiteral } from '../bodies.ts'
import { brokenBodies } from '../broken-bodies.ts'
import type { Case } from '../case.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { postRequest } from '../request.ts'
import type { WrongValue } from '../wrong-value-table.ts'
import {
  blankTexts,
  tooLongTexts,
  unknownIds,
  wrongDates,
  wrongIntegers,
  wrongJsonTexts,
  wrongNull,
  wrongNumbers,
  wrongTexts,
  wrongTimestamps,
  wrongUrls,
} from '../wrong-value-table.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'wrong values'

export const wrongValues: Source = {
  name: sourceName,
  about: 'hand-written wrong values in every writable field',
  async run(fuzzer) {
    const fields = creatable.flatMap(writableFieldsOf)
    const cases = fields.flatMap((field) => fieldCases(fuzzer, field))
    console.log(`wrong values: ${cases.length} over ${fields.length} writable fields`)
    await forEachInParallel([...cases, ...wholeBodyCases(fuzzer)], (testCase) => fuzzer.run(testCase))
  },
}

const fieldCases = (fuzzer: Fuzzer, field: Field): Case[] => {
  const operation = fuzzer.contract.operationOf('create', field.resource)
  const minimal = minimalBody(fuzzer, operation)
  return wrongValuesOf(field).map(({ literal, type }) => ({
    source: sourceName,
    about: `${field.resource}.${field.field} ${literal.slice(0, 40)}`,
    operation: operation.id,
    request: postRequest(apiPath(fuzzer, operation.path), withLiteral(minimal, field.field, literal)),
    expect: { status: [422], errors: [{ loc: ['body', field.field], type: [type] }], noOtherErrors: true },
  }))
}

export const wrongValuesOf = ({ kind, create, maxLength, notBlank }: Field): WrongValue[] => {
  const isRequired = create === 'required'
  switch (kind) {
    case 'integer':
    case 'reference':
      return [
        ...wrongIntegers,
        ...(kind === 'reference' ? unknownIds : []),
        ...(isRequired ? [wrongNull('int_type')] : []),
      ]
    case 'number':
      return [...wrongNumbers, ...(isRequired ? [wrongNull('float_type')] : [])]
    case 'date':
      return [...wrongDates, ...(isRequired ? [wrongNull('string_type')] : [])]
    case 'timestamp':
      return [...wrongTimestamps, ...(isRequired ? [wrongNull('string_type')] : [])]
    default:
      return [
        ...wrongTexts,
        ...(maxLength === undefined ? [] : tooLongTexts(maxLength)),
        ...(notBlank ? blankTexts : []),
        ...(kind === 'url' ? wrongUrls : []),
        ...(kind === 'json' ? wrongJsonTexts : []),
        ...(isRequired ? [wrongNull('string_type')] : []),
      ]
  }
}

const wholeBodyCases = (fuzzer: Fuzzer): Case[] =>
  creatable.flatMap((resource) => {
    const operation = fuzzer.contract.operationOf('create', resource)
    const validRequest = postRequest(apiPath(fuzzer, operation.path), JSON.stringify(minimalBody(fuzzer, operation)))
    return brokenBodies.map(({ about, type, loc = ['body'], breakRequest }) => ({
      source: sourceName,
      about: `${resource}: ${about}`,
      operation: operation.id,
      request: breakRequest(validRequest),
      expect: { status: [422], errors: [{ loc, type: [type] }] },
    }))
  })
