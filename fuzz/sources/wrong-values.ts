/** In charge of the whole table of wrong values: each of them in each writable field, refused with the field's name. */
import type { Field } from '../../acceptance/field-table.ts'
import { creatable, writableFieldsOf } from '../../acceptance/field-table.ts'
import { longestText, neverBlank, references, urlFields } from '../../acceptance/rule-table.ts'
import { plainBody, withLiteral } from '../bodies.ts'
import { brokenBodies } from '../broken-bodies.ts'
import type { Case } from '../case.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { write } from '../request.ts'
import type { WrongValue } from '../wrong-value-table.ts'
import {
  blankTexts,
  idsOfNobody,
  tooLongTexts,
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
import { pathOf } from './source.ts'

const name = 'wrong values'

export const wrongValues: Source = {
  name,
  about: 'the table of wrong values in every writable field',
  async run(machine) {
    const fields = creatable.flatMap(writableFieldsOf)
    const cases = fields.flatMap((field) => fieldCases(machine, field))
    console.log(`wrong values: ${cases.length} over ${fields.length} writable fields`)
    await inParallel([...cases, ...wholeBodyCases(machine)], (asked) => machine.run(asked))
  },
}

const fieldCases = (machine: Machine, field: Field): Case[] => {
  const operation = machine.contract.verb('create', field.resource)
  const plain = plainBody(machine, operation)
  return wrongValuesOf(field).map(({ literal, type }) => ({
    source: name,
    about: `${field.resource}.${field.field} ${literal.slice(0, 40)}`,
    operation: operation.id,
    request: write(pathOf(machine, operation.path), withLiteral(plain, field.field, literal)),
    expect: { status: [422], faults: [{ loc: ['body', field.field], type: [type] }], onlyThose: true },
  }))
}

export const wrongValuesOf = ({ resource, field, kind, create }: Field): WrongValue[] => {
  const isRequired = create === 'required'
  const longest = longestText[resource]?.[field]
  switch (kind) {
    case 'integer':
      return [
        ...wrongIntegers,
        ...(references[resource]?.[field] === undefined ? [] : idsOfNobody),
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
        ...(longest === undefined ? [] : tooLongTexts(longest)),
        ...(neverBlank[resource]?.includes(field) ? blankTexts : []),
        ...(urlFields[resource]?.includes(field) ? wrongUrls : []),
        ...(kind === 'json' ? wrongJsonTexts : []),
        ...(isRequired ? [wrongNull('string_type')] : []),
      ]
  }
}

const wholeBodyCases = (machine: Machine): Case[] =>
  creatable.flatMap((resource) => {
    const operation = machine.contract.verb('create', resource)
    const whole = write(pathOf(machine, operation.path), JSON.stringify(plainBody(machine, operation)))
    return brokenBodies.map(({ about, type, loc = ['body'], request }) => ({
      source: name,
      about: `${resource}: ${about}`,
      operation: operation.id,
      request: request(whole),
      expect: { status: [422], faults: [{ loc, type: [type] }] },
    }))
  })
