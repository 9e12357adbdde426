/** In charge of the tables of parameters: every value on every list, every item id on every resource. */
import type { Case, Expectation } from '../case.ts'
import type { Operation, Parameter } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Outcome, Row } from '../parameter-table.ts'
import {
  booleanRows,
  expandRows,
  fieldsRows,
  idRows,
  itemIdRows,
  limitRows,
  momentRows,
  numberRows,
  offsetRows,
  queryRows,
  searchRows,
  sortRows,
} from '../parameter-table.ts'
import { read } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf, servedPath } from './source.ts'

const name = 'parameters'

export const parameters: Source = {
  name,
  about: 'the tables of parameters on every list and item ids on every resource',
  run: (machine) =>
    inParallel(
      machine.contract.operations.flatMap((operation) => [
        ...(operation.kind === 'list' ? listCases(machine, operation) : []),
        ...(operation.kind === 'get' ? itemIdCases(machine, operation) : []),
        ...shapeCases(machine, operation),
      ]),
      (asked) => machine.run(asked),
    ),
}

/** A query, and what must come of the parameter it is about. */
const queryCase =
  (machine: Machine, operation: Operation) =>
  (query: string, outcome: Outcome, parameter: string): Case => ({
    source: name,
    about: query.slice(0, 60),
    operation: operation.id,
    request: read(`${servedPath(machine, operation)}?${query}`),
    expect: expected(outcome, parameter),
  })

/** The tables of names, wherever an operation takes names. */
const shapeCases = (machine: Machine, operation: Operation): Case[] => {
  const asked = queryCase(machine, operation)
  const tables: Readonly<Record<string, readonly Row[]>> = { fields: fieldsRows, expand: expandRows }
  return operation.parameters.flatMap(({ name: parameter }) =>
    (tables[parameter] ?? []).map(([value, outcome]) => asked(`${parameter}=${value}`, outcome, parameter)),
  )
}

const listCases = (machine: Machine, operation: Operation): Case[] => {
  const asked = queryCase(machine, operation)
  const rows = (parameter: string, table: readonly Row[]) =>
    table.map(([value, outcome]) => asked(`${parameter}=${value}`, outcome, parameter))
  return [
    ...rows('limit', limitRows),
    ...rows('offset', offsetRows),
    ...rows('q', searchRows),
    ...queryRows.map(([query, outcome, parameter]) => asked(query, outcome, parameter)),
    ...operation.parameters.flatMap((parameter) => rows(parameter.name, rowsFor(parameter))),
  ]
}

const expected = (outcome: Outcome, parameter: string): Expectation => {
  if ('fault' in outcome)
    return { status: [422], faults: [{ loc: ['query', parameter], type: typesOf(outcome.fault) }], onlyThose: true }
  return 'echo' in outcome ? { status: [200], meta: { [parameter]: outcome.echo } } : { status: [200] }
}

/** A description does not tell days from moments, which are refused each in its own words. */
const typesOf = (fault: string): string[] => (fault === 'date_parsing' ? [fault, 'datetime_parsing'] : [fault])

/** By what the parameter takes; what is common to all lists is tried by itself, and texts take anything. */
const rowsFor = ({ name: parameter, schema }: Parameter): readonly Row[] => {
  if (['limit', 'offset', 'q'].includes(parameter)) return []
  switch (schema.type) {
    case 'integer':
      return filterRows
    case 'number':
      return numberRows
    case 'boolean':
      return booleanRows
    case 'array':
      return schema.items?.type === 'integer' ? idRows : parameter === 'sort' ? sortRows : []
    default:
      return schema.pattern === undefined ? [] : momentRows
  }
}

/** A filter on an integer has no bounds and echoes nothing; a blank one asks for nothing. */
const filterRows: readonly Row[] = offsetRows.map(([value, outcome]) => {
  if (value === '' || value === '%20') return [value, { served: true }]
  const isServed = 'echo' in outcome || ('fault' in outcome && outcome.fault === 'greater_than_equal')
  if (value === '%ff') return [value, { fault: 'string_unicode' }]
  return [value, isServed ? { served: true } : outcome]
})

const itemIdCases = (machine: Machine, operation: Operation): Case[] =>
  itemIdRows.map(([item, status, fault]) => ({
    source: name,
    about: `item_id ${item.slice(0, 40)}`,
    operation: operation.id,
    request: read(
      pathOf(
        machine,
        operation.path.replace('{item_id}', () => item),
      ),
    ),
    expect: {
      status: [status],
      ...(fault === undefined
        ? {}
        : { faults: [{ loc: ['path', 'item_id'], type: [fault] }], onlyThose: true as const }),
    },
  }))
