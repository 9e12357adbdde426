import { bodySchema, minimalBody, withLiteral, writableField } from '../bodies.ts'
import type { Boundary } from '../boundaries.ts'
import { boundariesOf } from '../boundaries.ts'
import type { Case, Expectation } from '../case.ts'
import type { Operation, Parameter, Schema } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { expectedRecord } from '../record-model.ts'
import { reportExpectation } from '../report-model.ts'
import { getRequest, percentEncode, postRequest, uniquePlaceholder } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath, existingPath, exportContentTypes, requiredQuery } from './source.ts'

const sourceName = 'coverage'

export const coverage: Source = {
  name: sourceName,
  about: 'every boundary value of every schema keyword, once',
  run: (fuzzer) =>
    forEachInParallel(
      fuzzer.contract.operations.flatMap((operation) => coverageCases(fuzzer, operation)),
      (testCase) => fuzzer.run(testCase),
    ),
}

const coverageCases = (fuzzer: Fuzzer, operation: Operation): Case[] => [
  ...operation.parameters.flatMap((parameter) => parameterCases(fuzzer, operation, parameter)),
  ...(operation.kind === 'create' ? bodyCases(fuzzer, operation) : []),
]

const parameterCases = (fuzzer: Fuzzer, operation: Operation, parameter: Parameter): Case[] =>
  parameter.in === 'path' ? itemIdCases(fuzzer, operation, parameter) : queryCases(fuzzer, operation, parameter)

const queryCases = (fuzzer: Fuzzer, operation: Operation, parameter: Parameter): Case[] => {
  const { name: parameterName, schema } = parameter
  const requiredParameters = requiredQuery(operation)
  const makeCase = (about: string, query: Readonly<Record<string, string>>, expect: Expectation): Case => {
    const text = Object.entries(query).map(([key, value]) => `${key}=${percentEncode(value)}`)
    return {
      source: sourceName,
      about: `${parameterName}: ${about}`,
      operation: operation.id,
      request: getRequest(`${existingPath(fuzzer, operation)}${text.length === 0 ? '' : `?${text.join('&')}`}`),
      expect,
    }
  }
  const isRepeated = schema.default !== undefined && isInMeta(fuzzer, operation, parameterName)
  const defaultMeta = isRepeated ? { meta: { [parameterName]: String(schema.default) } } : {}
  const { [parameterName]: _, ...otherParameters } = requiredParameters
  const rejectedExpectation: Expectation = {
    status: [422],
    errors: [{ loc: ['query', parameterName] }],
    noOtherErrors: true,
  }
  const acceptedExpectation = (query: Readonly<Record<string, string>>): Expectation =>
    operation.kind === 'report'
      ? reportExpectation(operation, new Map(Object.entries(query)))
      : { status: [200], ...exportContentType(parameterName, query[parameterName] ?? '') }
  return [
    makeCase(
      'omitted',
      otherParameters,
      parameter.required ? rejectedExpectation : { ...acceptedExpectation(otherParameters), ...defaultMeta },
    ),
    ...queryBoundaries(schema).map(({ keyword, literal, isValid }) =>
      makeCase(
        `${keyword} ${literal.slice(0, 40)}`,
        { ...requiredParameters, [parameterName]: literal },
        isValid ? acceptedExpectation({ ...requiredParameters, [parameterName]: literal }) : rejectedExpectation,
      ),
    ),
  ]
}

/** Whether `meta` of the response contains the value of the parameter: the change feed continues at a cursor instead. */
const isInMeta = ({ contract }: Fuzzer, { responses }: Operation, parameterName: string): boolean => {
  const body = contract.resolve(responses.get(200)?.content?.['application/json']?.schema)
  const meta = contract.resolve(body?.properties?.meta)
  return meta?.properties?.[parameterName] !== undefined
}

const exportContentType = (parameterName: string, value: string): Pick<Expectation, 'contentType'> => {
  const contentType = parameterName === 'format' ? exportContentTypes[value] : undefined
  return contentType === undefined ? {} : { contentType }
}

const makeBoundaries = (keyword: string, isValid: boolean, literals: readonly string[]): Boundary[] =>
  literals.map((literal) => ({ keyword, literal, isValid }))

/** Boundary values of `ids` and `sort`. Both parameters ignore a value that is empty or only a comma. */
const arrayBoundaries = ({ items, maxItems }: Schema): Boundary[] => [
  ...makeBoundaries('type', true, ['', ',']),
  ...(items?.enum === undefined
    ? [
        ...makeBoundaries('items', true, ['1', '2,1']),
        ...makeBoundaries('items', false, ['1.5', 'true', 'null', '[]', '{}', 'text']),
      ]
    : [
        ...makeBoundaries('enum', true, items.enum.map(String)),
        ...makeBoundaries('enum', false, ['[]', '{}', 'text', '-']),
      ]),
  ...(maxItems === undefined
    ? []
    : [0, 1].map((excess) => ({
        keyword: 'maxItems',
        literal: Array(maxItems + excess)
          .fill('1')
          .join(','),
        isValid: excess === 0,
      }))),
]

/** Boundary values of `by`. Only the example is sent as a valid name, because others can form too many groups. */
const groupingBoundaries = ({ items, maxItems = 0, examples = [] }: Schema): Boundary[] => {
  const names = (items?.enum ?? []).map(String)
  const example = String(examples[0])
  return [
    ...makeBoundaries('enum', true, [example, `${example},`, `,${example}`, `${example},${example}`]),
    ...makeBoundaries('enum', false, ['zz', `${example},zz`, `${example} `, example.toUpperCase(), 'null', '[]', '{}']),
    ...makeBoundaries('minItems', false, ['', ',', ' ']),
    ...makeBoundaries('maxItems', false, names.length > maxItems ? [names.slice(0, maxItems + 1).join(',')] : []),
  ]
}

/** Query values are always strings, so a wrong type is possible only for parameters that must be parsed. */
const queryBoundaries = (schema: Schema): Boundary[] => {
  if (schema.enum !== undefined)
    return [
      ...schema.enum.map((value) => ({ keyword: 'enum', literal: String(value), isValid: true })),
      ...['none', 'null', '0'].map((literal) => ({ keyword: 'enum', literal, isValid: false })),
    ]
  if (schema.minItems !== undefined) return groupingBoundaries(schema)
  if (schema.items?.enum !== undefined && !schema.uniqueItems) return nameListBoundaries(schema.items.enum.map(String))
  if (schema.type === 'array') return arrayBoundaries(schema)
  if (schema.type === 'boolean')
    return [
      ...makeBoundaries('type', true, ['', 'true', 'false']),
      ...makeBoundaries('type', false, ['1', '0', 'null', '[]', '{}', 'text']),
    ]
  if (schema.type === 'number')
    return [
      ...makeBoundaries('type', true, ['', '1', '1.5', '1.0', '1e2']),
      ...makeBoundaries('type', false, ['true', 'null', '[]', '{}', 'text']),
      ...boundariesOf(schema).filter(({ keyword }) => keyword === 'format'),
    ]
  if (schema.type !== 'integer')
    return boundariesOf(schema)
      .filter(({ literal }) => literal.startsWith('"'))
      .map((boundary) => ({ ...boundary, literal: JSON.parse(boundary.literal) as string }))
  const wrongTypes = ['1.5', 'true', 'null', '[]', '{}', 'text'].map((literal) => ({
    keyword: 'type',
    literal,
    isValid: false,
  }))
  const bounds = boundariesOf(schema).filter(({ keyword }) =>
    ['minimum', 'maximum', 'default', 'examples'].includes(keyword),
  )
  return [...wrongTypes, ...bounds, { keyword: 'type', literal: '1', isValid: true }]
}

/** The valid lists contain each name alone or all names. The invalid lists contain one invalid name. */
const nameListBoundaries = (names: readonly string[]): Boundary[] => [
  ...[...names, names.join(','), ''].map((literal) => ({ keyword: 'enum', literal, isValid: true })),
  ...names.flatMap((name) =>
    [`${name},`, `,${name}`, `${name} `, `${name},zz`, name.toUpperCase()].map((literal) => ({
      keyword: 'enum',
      literal,
      isValid: false,
    })),
  ),
]

const itemIdCases = (fuzzer: Fuzzer, operation: Operation, { schema }: Parameter): Case[] => {
  const makeCase = (length: number, status: number): Case => ({
    source: sourceName,
    about: `item_id of ${length} characters`,
    operation: operation.id,
    request: getRequest(apiPath(fuzzer, operation.path.replace('{item_id}', `${'0'.repeat(length - 1)}x`))),
    expect: { status: [status] },
  })
  const { minLength, maxLength } = schema
  return [
    ...(minLength === undefined ? [] : [makeCase(minLength, 404), makeCase(minLength + 1, 404)]),
    ...(maxLength === undefined
      ? []
      : [makeCase(maxLength - 1, 404), makeCase(maxLength, 404), makeCase(maxLength + 1, 422)]),
  ]
}

const bodyCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const { properties, required = [] } = bodySchema(fuzzer.contract, operation)
  const minimalValidBody = minimalBody(fuzzer, operation)
  const makeCase = (about: string, text: string, expect: Expectation): Case => ({
    source: sourceName,
    about,
    operation: operation.id,
    request: postRequest(apiPath(fuzzer, operation.path), text),
    expect,
  })
  const rejection = (field: string): Expectation => ({
    status: [422],
    errors: [{ loc: ['body', field] }],
    noOtherErrors: true,
  })
  const acceptedExpectation = (body: object): Expectation => ({
    status: [201],
    record: expectedRecord(operation.resource, body as Record<string, unknown>),
  })
  return [
    makeCase('only the required properties', JSON.stringify(minimalValidBody), acceptedExpectation(minimalValidBody)),
    ...required.map((field) => {
      const { [field]: _, ...otherFields } = minimalValidBody
      return makeCase(`${field}: required`, JSON.stringify(otherFields), rejection(field))
    }),
    ...['zz', 'ID', ' ', '__proto__'].flatMap((field) =>
      ['1', 'null', 'false', '""', '[]', '{}'].map((literal) =>
        makeCase(
          `additionalProperties ${field} ${literal}`,
          withLiteral(minimalValidBody, field, literal),
          rejection(field),
        ),
      ),
    ),
    ...Object.entries(properties).flatMap(([field, schema]) =>
      boundariesOf(schema).map((boundary) => {
        const text = withLiteral(minimalValidBody, field, literalFor(operation, field, boundary))
        const about = `${field}: ${boundary.keyword} ${boundary.literal.slice(0, 40)}`
        return makeCase(
          about,
          text,
          boundary.isValid ? validExpectation(fuzzer, operation, field, text, acceptedExpectation) : rejection(field),
        )
      }),
    ),
  ]
}

const isUnique = ({ resource }: Operation, field: string): boolean =>
  writableField(resource, field)?.uniqueWithin !== undefined

/** Makes the valid value of a unique field unique, if it is long enough for the placeholder. */
const literalFor = (operation: Operation, field: string, { literal, isValid }: Boundary): string => {
  if (!isValid || !isUnique(operation, field)) return literal
  const text = JSON.parse(literal) as string
  const length = [...text].length
  return length < uniquePlaceholder.length
    ? literal
    : JSON.stringify(uniquePlaceholder + [...text].slice(uniquePlaceholder.length).join(''))
}

/** A foreign key that is valid by its schema may still refer to a record that does not exist. */
const validExpectation = (
  fuzzer: Fuzzer,
  operation: Operation,
  field: string,
  text: string,
  acceptance: (body: object) => Expectation,
): Expectation => {
  const body = JSON.parse(text) as Record<string, unknown>
  const { to: target, within } = writableField(operation.resource, field) ?? {}
  // A value too short for the placeholder is not unique, so an earlier case may have used it.
  if (isUnique(operation, field) && !text.includes(uniquePlaceholder))
    return { ...acceptance(body), status: [201, 422], errors: [{ loc: ['body', field], type: ['already_exists'] }] }
  if (target === undefined || body[field] === null) return acceptance(body)
  if (fuzzer.pools.recordsOf(target).some(({ id }) => id === body[field]))
    // The parent team may belong to another organization.
    return within !== undefined ? { status: [201, 422] } : acceptance(body)
  return { status: [201, 422], errors: [{ loc: ['body', field], type: ['reference_not_found'] }] }
}
