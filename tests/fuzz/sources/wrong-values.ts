import type { Field } from '../../support/field-table.ts'
import { creatable, writableFieldsOf } from '../../support/field-table.ts'
import { longestText, neverBlank, references, urlFields } from '../../support/rule-table.ts'
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

export const wrongValuesOf = ({ resource, field, kind, create }: Field): WrongValue[] => {
  const isRequired = create === 'required'
  const maxLength = longestText[resource]?.[field]
  switch (kind) {
    case 'integer':
      return [
        ...wrongIntegers,
        ...(references[resource]?.[field] === undefined ? [] : unknownIds),
        ...(isRequired ? [wrongNull('int_type')] : []),
      ]
    case 'number':
      return [...wrongNumbers]
    case 'date':
      return [...wrongDates]
    case 'timestamp':
      return [...wrongTimestamps]
    default:
      return [
        ...wrongTexts,
        ...(maxLength === undefined ? [] : tooLongTexts(maxLength)),
        ...(neverBlank[resource]?.includes(field) ? blankTexts : []),
        ...(urlFields[resource]?.includes(field) ? wrongUrls : []),
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
