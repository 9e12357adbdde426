/** In charge of the coverage of the description: every edge of every keyword of every parameter and body, each once. */
import type { Resource } from '../../acceptance/field-table.ts'
import { bodySchema, plainBody, referenceOf, withLiteral } from '../bodies.ts'
import type { Edge } from '../boundaries.ts'
import { edgesOf } from '../boundaries.ts'
import type { Case, Expectation } from '../case.ts'
import type { Operation, Parameter, Schema } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { expectedRecord } from '../record-model.ts'
import { escaped, read, uniquePlace, write } from '../request.ts'
import type { Source } from './source.ts'
import { fileTypes, pathOf, requiredQuery, servedPath } from './source.ts'

const name = 'coverage'

export const coverage: Source = {
  name,
  about: 'every edge of every keyword, once',
  run: (machine) =>
    inParallel(
      machine.contract.operations.flatMap((operation) => coverageCases(machine, operation)),
      (asked) => machine.run(asked),
    ),
}

const coverageCases = (machine: Machine, operation: Operation): Case[] => [
  ...operation.parameters.flatMap((parameter) => parameterCases(machine, operation, parameter)),
  ...(operation.kind === 'create' ? bodyCases(machine, operation) : []),
]

const parameterCases = (machine: Machine, operation: Operation, parameter: Parameter): Case[] =>
  parameter.in === 'path' ? itemIdCases(machine, operation, parameter) : queryCases(machine, operation, parameter)

const queryCases = (machine: Machine, operation: Operation, parameter: Parameter): Case[] => {
  const { name: asking, schema } = parameter
  const needed = requiredQuery(operation)
  const asked = (about: string, query: Readonly<Record<string, string>>, expect: Expectation): Case => {
    const text = Object.entries(query).map(([key, value]) => `${key}=${escaped(value)}`)
    return {
      source: name,
      about: `${asking}: ${about}`,
      operation: operation.id,
      request: read(`${servedPath(machine, operation)}${text.length === 0 ? '' : `?${text.join('&')}`}`),
      expect,
    }
  }
  const absent = schema.default === undefined ? {} : { meta: { [asking]: String(schema.default) } }
  const { [asking]: _, ...others } = needed
  const refused: Expectation = { status: [422], faults: [{ loc: ['query', asking] }], onlyThose: true }
  return [
    asked('left out', others, parameter.required ? refused : { status: [200], ...absent }),
    ...queryEdges(schema).map(({ keyword, literal, isValid }) =>
      asked(
        `${keyword} ${literal.slice(0, 40)}`,
        { ...needed, [asking]: literal },
        isValid ? { status: [200], ...fileType(asking, literal) } : refused,
      ),
    ),
  ]
}

const fileType = (asking: string, value: string): Pick<Expectation, 'contentType'> => {
  const contentType = asking === 'format' ? fileTypes[value] : undefined
  return contentType === undefined ? {} : { contentType }
}

const edges = (keyword: string, isValid: boolean, literals: readonly string[]): Edge[] =>
  literals.map((literal) => ({ keyword, literal, isValid }))

/** Lists of ids, and orders, which name nothing twice; what is empty in them is passed over. */
const arrayEdges = ({ items, maxItems }: Schema): Edge[] => [
  ...edges('type', true, ['', ',']),
  ...(items?.enum === undefined
    ? [...edges('items', true, ['1', '2,1']), ...edges('items', false, ['1.5', 'true', 'null', '[]', '{}', 'text'])]
    : [...edges('enum', true, items.enum.map(String)), ...edges('enum', false, ['[]', '{}', 'text', '-'])]),
  ...(maxItems === undefined
    ? []
    : [0, 1].map((more) => ({
        keyword: 'maxItems',
        literal: Array(maxItems + more)
          .fill('1')
          .join(','),
        isValid: more === 0,
      }))),
]

/** In a query everything is text, so a type can only be broken where a text of some form is asked for. */
const queryEdges = (schema: Schema): Edge[] => {
  if (schema.enum !== undefined)
    return [
      ...schema.enum.map((value) => ({ keyword: 'enum', literal: String(value), isValid: true })),
      ...['none', 'null', '0'].map((literal) => ({ keyword: 'enum', literal, isValid: false })),
    ]
  if (schema.items?.enum !== undefined && !schema.uniqueItems) return listEdges(schema.items.enum.map(String))
  if (schema.type === 'array') return arrayEdges(schema)
  if (schema.type === 'boolean')
    return [
      ...edges('type', true, ['', 'true', 'false']),
      ...edges('type', false, ['1', '0', 'null', '[]', '{}', 'text']),
    ]
  if (schema.type === 'number')
    return [
      ...edges('type', true, ['', '1', '1.5', '1.0', '1e2']),
      ...edges('type', false, ['true', 'null', '[]', '{}', 'text']),
      ...edgesOf(schema).filter(({ keyword }) => keyword === 'format'),
    ]
  if (schema.type !== 'integer')
    return edgesOf(schema)
      .filter(({ literal }) => literal.startsWith('"'))
      .map((one) => ({ ...one, literal: JSON.parse(one.literal) as string }))
  const typed = ['1.5', 'true', 'null', '[]', '{}', 'text'].map((literal) => ({
    keyword: 'type',
    literal,
    isValid: false,
  }))
  const bounds = edgesOf(schema).filter(({ keyword }) =>
    ['minimum', 'maximum', 'default', 'examples'].includes(keyword),
  )
  return [...typed, ...bounds, { keyword: 'type', literal: '1', isValid: true }]
}

/** Each name alone, all of them, and lists with one that is not a name. */
const listEdges = (names: readonly string[]): Edge[] => [
  ...[...names, names.join(','), ''].map((literal) => ({ keyword: 'enum', literal, isValid: true })),
  ...names.flatMap((name) =>
    [`${name},`, `,${name}`, `${name} `, `${name},zz`, name.toUpperCase()].map((literal) => ({
      keyword: 'enum',
      literal,
      isValid: false,
    })),
  ),
]

const itemIdCases = (machine: Machine, operation: Operation, { schema }: Parameter): Case[] => {
  const asked = (length: number, status: number): Case => ({
    source: name,
    about: `item_id of ${length} characters`,
    operation: operation.id,
    request: read(pathOf(machine, operation.path.replace('{item_id}', `${'0'.repeat(length - 1)}x`))),
    expect: { status: [status] },
  })
  const { minLength, maxLength } = schema
  return [
    ...(minLength === undefined ? [] : [asked(minLength, 404), asked(minLength + 1, 404)]),
    ...(maxLength === undefined ? [] : [asked(maxLength - 1, 404), asked(maxLength, 404), asked(maxLength + 1, 422)]),
  ]
}

const bodyCases = (machine: Machine, operation: Operation): Case[] => {
  const { properties, required = [] } = bodySchema(machine.contract, operation)
  const plain = plainBody(machine, operation)
  const asked = (about: string, text: string, expect: Expectation): Case => ({
    source: name,
    about,
    operation: operation.id,
    request: write(pathOf(machine, operation.path), text),
    expect,
  })
  const refused = (field: string): Expectation => ({
    status: [422],
    faults: [{ loc: ['body', field] }],
    onlyThose: true,
  })
  const accepted = (body: object): Expectation => ({
    status: [201],
    record: expectedRecord(operation.resource as Resource, body as Record<string, unknown>),
  })
  return [
    asked('the required properties alone', JSON.stringify(plain), accepted(plain)),
    ...required.map((field) => {
      const { [field]: _, ...rest } = plain
      return asked(`${field}: required`, JSON.stringify(rest), refused(field))
    }),
    ...['zz', 'ID', ' ', '__proto__'].flatMap((field) =>
      ['1', 'null', 'false', '""', '[]', '{}'].map((literal) =>
        asked(`additionalProperties ${field} ${literal}`, withLiteral(plain, field, literal), refused(field)),
      ),
    ),
    ...Object.entries(properties).flatMap(([field, schema]) =>
      edgesOf(schema).map((one) => {
        const text = withLiteral(plain, field, literalFor(field, one))
        const about = `${field}: ${one.keyword} ${one.literal.slice(0, 40)}`
        return asked(about, text, one.isValid ? edgeOutcome(machine, operation, field, text, accepted) : refused(field))
      }),
    ),
  ]
}

/** A slug that is accepted must not be taken, however long it is. */
const literalFor = (field: string, { literal, isValid }: Edge): string => {
  if (field !== 'slug' || !isValid) return literal
  const text = JSON.parse(literal) as string
  const length = [...text].length
  return length < uniquePlace.length
    ? literal
    : JSON.stringify(uniquePlace + [...text].slice(uniquePlace.length).join(''))
}

/** What a reference admits by its schema may still lead to nobody. */
const edgeOutcome = (
  machine: Machine,
  operation: Operation,
  field: string,
  text: string,
  accepted: (body: object) => Expectation,
): Expectation => {
  const body = JSON.parse(text) as Record<string, unknown>
  const target = referenceOf(operation.resource, field)
  // Too short to be made unique: an edge before may have taken it.
  if (field === 'slug' && !text.includes(uniquePlace))
    return { ...accepted(body), status: [201, 422], faults: [{ loc: ['body', field], type: ['already_exists'] }] }
  if (target === undefined || body[field] === null) return accepted(body)
  if (machine.pools.of(target).some(({ id }) => id === body[field]))
    // The team that is found may belong to another organization.
    return field === 'parent_id' ? { status: [201, 422] } : accepted(body)
  return { status: [201, 422], faults: [{ loc: ['body', field], type: ['reference_not_found'] }] }
}
