/** In charge of showing every statement the resources cause, so that a change of SQL is seen where it is reviewed. */
import type { NamedField, Resource, Stored } from '@muster/model'
import { groupingsOf, redacted, resources, shaped } from '@muster/model'
import type { Statement } from '../database/statement.ts'
import type { Claim } from '../operations/claim.ts'
import { claimedStatement } from '../operations/claim.ts'
import { clashStatement } from '../operations/clashes.ts'
import { countStatement } from '../operations/count.ts'
import { insertStatement } from '../operations/create.ts'
import type { ExportQuery } from '../operations/export.ts'
import { exportStatements } from '../operations/export.ts'
import { getStatement } from '../operations/get.ts'
import type { ListQuery } from '../operations/list.ts'
import { leapStatement, orderedStatement, seekStatement, walkStatement } from '../operations/list.ts'
import { completeOrder } from '../operations/order.ts'
import {
  atOnceStatement,
  blocksStatement,
  countMatchesStatement,
  findStatement,
  plannedFindStatement,
} from '../operations/selections.ts'
import type { Author } from '../operations/write-log.ts'

const header = `-- Every statement the resources cause, as the service sends it; only the line breaks are added here.
-- Written by "npm run generate".
`

export const statementsText = (): string => [header, ...resources.map(resourceText)].join('\n')

const resourceText = (resource: Resource): string =>
  statementsOf(resource)
    .map(([title, statement]) => written(resource, title, statement))
    .join('\n')

type Titled = readonly [title: string, statement: Pick<Statement, 'name' | 'text'>]

/** Where fields can be withheld, a list and a search that withhold them. */
const redactedStatements = (resource: Resource): Titled[] =>
  resource.redacted
    ? [
        ['list, redacted', walkStatement(resource, plain)],
        ...exports(resource).map(([title, statement]): Titled => [`${title}, redacted`, statement]),
        ['find by a word, redacted', findStatement(resource, { ...plain, terms: ['ada'] })],
      ]
    : []

/** A list of few fields, and one record with every related one; these as they are shown where fields are withheld. */
const shapedStatements = (resource: Resource): Titled[] => {
  const { all, relations } = resource
  const few = shaped(resource, { fields: all.slice(0, 2), relations: [] })
  const whole = shaped(resource, { fields: undefined, relations })
  return [
    ['list of two fields', walkStatement(few, plain)],
    ...(relations.length === 0
      ? []
      : ([
          ['get with related records', getStatement(whole, [1n])],
          ['get with related records, redacted', getStatement(redacted(whole), [1n])],
        ] as Titled[])),
  ]
}

const statementsOf = (resource: Resource): Titled[] => [
  ['list', walkStatement(resource, plain)],
  ['list from afar', leapStatement(resource, plain, {}, place)],
  ['list from afar, by the books themselves', seekStatement(resource, plain)],
  ...sortedLists(resource),
  ...narrowedLists(resource),
  ...exports(resource),
  ...counts(resource),
  ['get', getStatement(resource, [1n])],
  ...redactedStatements(redacted(resource)),
  ...shapedStatements(resource),
  ...(resource.creatable ? creates(resource) : []),
]

/** Everything in each form, and a part of it, with its values in it. */
const exports = (resource: Resource): Titled[] => {
  const all: ExportQuery = { ...plain, limit: undefined, format: 'csv' }
  const found = exportStatements(resource, { ...all, terms: ["o'neill"] })
  return [
    ['export as CSV', copied(exportStatements(resource, all).rows)],
    ['export as NDJSON', copied(exportStatements(resource, { ...all, format: 'ndjson' }).rows)],
    ['export by a word', copied(found.rows)],
    ['count an export by a word', found.count],
  ]
}

/** By each kind of thing there is, and by two of them, narrowed. */
const counts = (resource: Resource): Titled[] => {
  const groupings = groupingsOf(resource)
  const kinds = [
    groupings.find(({ field }) => field.state),
    groupings.find(({ field }) => field.kind === 'text' && !field.state),
    groupings.find(({ field }) => field.kind === 'reference'),
    groupings.find(({ span }) => span === 'month'),
  ].filter((grouping) => grouping !== undefined)
  const query = { terms: [], filters: [], sort: [] }
  return [
    ...kinds.map(
      (grouping): Titled => [
        `count by ${grouping.name}`,
        countStatement(resource, { ...query, groupings: [grouping] }),
      ],
    ),
    ...(kinds.length < 2
      ? []
      : [
          [
            `count by ${kinds[0]?.name} and ${kinds[1]?.name} where a word is found`,
            countStatement(resource, { terms: ['ada'], filters: [], groupings: kinds.slice(0, 2) }),
          ] as Titled,
        ]),
  ]
}

const copied = (text: string): Pick<Statement, 'text'> => ({ text })

const plain: ListQuery = { limit: 50, offset: 0n, terms: [], filters: [], sort: [] }

const place = { startId: 0n, skip: 0, shifts: 0, era: '' }

/** In the order of the last field that lists are sorted by, all records and those a word is found in. */
const sortedLists = (resource: Resource): Titled[] => {
  const [field, id] = [resource.sortable.at(-1), resource.sortable[0]]
  if (field === undefined || id === undefined) return []
  const query: ListQuery = { ...plain, sort: completeOrder([{ field, descending: true }], id) }
  const found = { ...query, terms: ['ada'] }
  return [
    [`list sorted by -${field.name}`, orderedStatement(resource, query)],
    [`find by a word, sorted by -${field.name}`, findStatement(resource, found)],
    [`count very many by a word, sorted by -${field.name}`, countMatchesStatement(resource, found)],
  ]
}

const byState = (resource: Resource, field: NamedField): Titled[] => [
  [`list by ${field.name}`, leapStatement(resource, plain, { field: field.name, value: 'a' }, place)],
  [`list by either ${field.name}`, seekStatement(resource, plain, { field, values: ['a', 'b'] })],
]

/** By a state, by either of two, and by a filter of each kind and a word together. */
const narrowedLists = (resource: Resource): Titled[] => {
  const state = resource.filters.find((field) => field.state)
  const text = resource.filters.find(({ kind }) => kind === 'text')
  const integer = resource.filters.find(({ kind }) => kind !== 'text')
  const query: ListQuery = {
    ...plain,
    terms: ['ada'],
    filters: [
      ...(text === undefined ? [] : [{ field: text, values: ['a'] }]),
      ...(integer === undefined ? [] : [{ field: integer, values: [1n] }]),
    ],
  }
  const narrowed = [...query.filters.map(({ field }) => field.name), 'a word'].join(', ')
  return [
    ...(state === undefined ? [] : byState(resource, state)),
    ['find by a word alone', plannedFindStatement(resource, { ...plain, terms: ['ada'] })],
    [`find by ${narrowed}`, findStatement(resource, query)],
    [`count very many by ${narrowed}`, blocksStatement(resource, query)],
    [`list by ${narrowed} while it changes all the time`, atOnceStatement(resource, query)],
  ]
}

const author: Author = { requestId: 'a', token: 'a' }
const claim: Claim = { key: 'a', fingerprint: Buffer.alloc(32) }

const creates = (resource: Resource): Titled[] => {
  const values = new Map(resource.writable.map((field) => [field.name, sampleOf(field)]))
  const clashes = clashStatement(resource, values)
  return [
    ['create', insertStatement(resource, values, { author })],
    ['create with a key', insertStatement(resource, values, { author, claim })],
    ['what a taken key stands for', claimedStatement(resource, claim)],
    ...(clashes.faults.length === 0 ? [] : ([['what stands against a create', clashes.statement]] as Titled[])),
  ]
}

const sampleOf = ({ kind }: NamedField): Stored => {
  switch (kind) {
    case 'reference':
    case 'integer':
    case 'number':
      return 1
    case 'date':
      return '2026-03-02'
    case 'timestamp':
      return '2026-03-02T09:30:00Z'
    default:
      return 'a'
  }
}

const written = ({ path }: Resource, title: string, { name, text }: Titled[1]): string =>
  `-- ${path}: ${title}${name === undefined ? '' : ` (prepared as "${name}")`}\n${broken(text)};\n`

/** A line per clause and per column of an answer, so that a diff shows the one that changed. */
const broken = (text: string): string =>
  text
    .replace(/exists \([^()]*\)| (?=(?:from|where|left join|order by|returning|values) )/g, (found, at: number) =>
      found === ' ' ? newLine(text, at) : found,
    )
    .replace(/, (?=(?:page|found|made)\.|rtrim\(|to_char\(|null as |not exists|exists)/g, ',\n  ')

/** Indented by the parentheses that are open there. */
const newLine = (text: string, at: number): string => {
  const before = text.slice(0, at)
  const depth = before.split('(').length - before.split(')').length
  return `\n${'  '.repeat(depth)}`
}
