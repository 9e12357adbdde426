import type { Case, Expectation } from '../case.ts'
import type { Operation, Parameter } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { ExpectedOutcome, ParameterRow } from '../parameter-table.ts'
import {
  booleanRows,
  dateTimeRows,
  expandRows,
  fieldsRows,
  groupingRows,
  groupLimitRows,
  idRows,
  integerFilterRows,
  itemIdRows,
  limitRows,
  numberRows,
  offsetRows,
  queryRows,
  rankedSearchRows,
  searchRows,
  sortRows,
} from '../parameter-table.ts'
import { monthDayRows } from '../report-parameter-table.ts'
import { getRequest } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath, existingPath, requiredQuery } from './source.ts'

const sourceName = 'parameters'

export const parameters: Source = {
  name: sourceName,
  about: 'hand-written parameter values on every list, count and search, and hand-written ids on every get and history',
  run: (fuzzer) =>
    forEachInParallel(
      fuzzer.contract.operations.flatMap((operation) => [
        ...(operation.kind === 'list' ? listCases(fuzzer, operation) : []),
        ...(operation.kind === 'count' ? countCases(fuzzer, operation) : []),
        ...(operation.kind === 'search' ? searchCases(fuzzer, operation) : []),
        ...(['get', 'history'].includes(operation.kind) ? itemIdCases(fuzzer, operation) : []),
        ...projectionCases(fuzzer, operation),
      ]),
      (testCase) => fuzzer.run(testCase),
    ),
}

/** Builds a case from a query string and the expected outcome of one of its parameters. */
const queryCase =
  (fuzzer: Fuzzer, operation: Operation) =>
  (query: string, outcome: ExpectedOutcome, parameter: string): Case => ({
    source: sourceName,
    about: query.slice(0, 60),
    operation: operation.id,
    request: getRequest(`${existingPath(fuzzer, operation)}?${query}`),
    expect: expectationFor(outcome, parameter),
  })

/** The values of `fields` and `expand`, for every operation that has these parameters. */
const projectionCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const makeCase = queryCase(fuzzer, operation)
  const tables: Readonly<Record<string, readonly ParameterRow[]>> = { fields: fieldsRows, expand: expandRows }
  return operation.parameters.flatMap(({ name: parameter }) =>
    (tables[parameter] ?? []).map(([value, outcome]) => makeCase(`${parameter}=${value}`, outcome, parameter)),
  )
}

const listCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const makeCase = queryCase(fuzzer, operation)
  const rowCases = (parameter: string, table: readonly ParameterRow[]) =>
    table.map(([value, outcome]) => makeCase(`${parameter}=${value}`, outcome, parameter))
  return [
    ...rowCases('limit', limitRows),
    ...rowCases('offset', offsetRows),
    ...rowCases('q', searchRows),
    ...queryRows.map(([query, outcome, parameter]) => makeCase(query, outcome, parameter)),
    ...operation.parameters.flatMap((parameter) => rowCases(parameter.name, rowsFor(parameter))),
  ]
}

/** Pages and groupings, and the filters of the list. */
const countCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const makeCase = queryCase(fuzzer, operation)
  const by = `by=${requiredQuery(operation).by}`
  const rowCases = (parameter: string, table: readonly ParameterRow[]) =>
    table.map(([value, outcome]) => makeCase(`${by}&${parameter}=${value}`, outcome, parameter))
  return [
    ...rowCases('limit', groupLimitRows),
    ...rowCases('offset', offsetRows),
    ...rowCases('by', groupingRows),
    ...operation.parameters.flatMap((parameter) => rowCases(parameter.name, rowsFor(parameter))),
  ]
}

const searchCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const makeCase = queryCase(fuzzer, operation)
  return Object.entries(rankedSearchRows).flatMap(([parameter, table]) =>
    table.map(([value, outcome]) =>
      makeCase(`${parameter === 'q' ? '' : 'q=a&'}${parameter}=${value}`, outcome, parameter),
    ),
  )
}

const expectationFor = (outcome: ExpectedOutcome, parameter: string): Expectation => {
  if ('error' in outcome)
    return {
      status: [422],
      errors: [{ loc: ['query', parameter], type: errorTypes(outcome.error) }],
      noOtherErrors: true,
    }
  return 'echo' in outcome ? { status: [200], meta: { [parameter]: outcome.echo } } : { status: [200] }
}

/** Dates and timestamps have different error types, but the OpenAPI document does not tell them apart. */
const errorTypes = (error: string): string[] => (error === 'date_parsing' ? [error, 'datetime_parsing'] : [error])

/**
 * Chooses values by the type of the parameter. `limit`, `offset`, `q` and `by` have their own tables; text filters
 * accept every value.
 */
const rowsFor = ({ name: parameter, schema }: Parameter): readonly ParameterRow[] => {
  if (['limit', 'offset', 'q', 'by'].includes(parameter)) return []
  switch (schema.type) {
    case 'integer':
      return integerFilterRows
    case 'number':
      return numberRows
    case 'boolean':
      return booleanRows
    case 'array':
      return schema.items?.type === 'integer' ? idRows : parameter === 'sort' ? sortRows : []
    default:
      if (schema.pattern === undefined) return []
      return new RegExp(schema.pattern, 'u').test('02-29') ? monthDayRows : dateTimeRows
  }
}

const itemIdCases = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  itemIdRows.map(([itemId, status, error]) => ({
    source: sourceName,
    about: `item_id ${itemId.slice(0, 40)}`,
    operation: operation.id,
    request: getRequest(
      apiPath(
        fuzzer,
        operation.path.replace('{item_id}', () => itemId),
      ),
    ),
    expect: {
      status: [status],
      ...(error === undefined
        ? {}
        : { errors: [{ loc: ['path', 'item_id'], type: [error] }], noOtherErrors: true as const }),
    },
  }))
