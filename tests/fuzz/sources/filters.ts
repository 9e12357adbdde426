import type { ComputedFilter } from '@muster/model'
import { resources } from '@muster/model'
import type { Case, Deviation, Expectation } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Attempt, Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { ExpectedOutcome } from '../parameter-table.ts'
import type { DeclaredValues } from '../report-parameter-table.ts'
import { rowsOfKind } from '../report-parameter-table.ts'
import { getRequest, percentEncode } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath, exportContentTypes, requiredQuery } from './source.ts'

const sourceName = 'filters'

/** Exports have few database connections. */
const maxRunning = 2

export const filters: Source = {
  name: sourceName,
  about: 'filters that exclude values and computed filters, on every list, export and count',
  async run(fuzzer) {
    for (const operation of fuzzer.contract.operations.filter(({ kind }) => kind === 'list')) {
      const tested = testedFilters(operation)
      await forEachInParallel(
        tested.flatMap((filter) => rowsOfKind(filter).map((row) => ({ filter, row }))),
        ({ filter, row: [value, outcome] }) =>
          runEverywhere(fuzzer, operation, `${filter.name}=${value}`, filter, outcome),
        maxRunning,
      )
      for (const filter of tested) {
        const lists = filter.complementOf === undefined ? [] : valueLists(fuzzer, operation, filter.complementOf)
        for (const values of lists) {
          await runEverywhere(fuzzer, operation, `${filter.name}=${values}`, filter, { served: true })
          await checkComplement(fuzzer, operation, filter, values)
        }
      }
    }
  },
}

interface TestedFilter extends DeclaredValues {
  readonly name: string
  /** The field whose filter by value selects exactly the excluded records. */
  readonly complementOf?: string
}

const testedFilters = ({ parameters, resource }: Operation): TestedFilter[] => {
  const names = parameters.map(({ name }) => name)
  const exclusions = names.flatMap((name): TestedFilter[] => {
    const field = name.replace(/_not$/, '')
    return field !== name && names.includes(field) ? [{ name, kind: 'texts', complementOf: field }] : []
  })
  const computed = resources.find(({ path }) => path === resource)?.computedFilters ?? []
  return [...exclusions, ...computed.map(asTested)]
}

const asTested = ({ parameter, kind, values }: ComputedFilter): TestedFilter => ({
  name: parameter,
  kind,
  ...(values === undefined ? {} : { values }),
})

/** Sends the filter to the list, to both exports and to the count, which must agree on the number of records. */
const runEverywhere = async (
  fuzzer: Fuzzer,
  operation: Operation,
  query: string,
  { name }: TestedFilter,
  outcome: ExpectedOutcome,
): Promise<void> => {
  const expect: Expectation =
    'error' in outcome
      ? { status: [422], errors: [{ loc: ['query', name], type: [outcome.error] }], noOtherErrors: true }
      : { status: [200] }
  const send = (target: Operation, prefix: string, contentType?: string): Promise<Attempt> =>
    fuzzer.run({
      source: sourceName,
      about: `${target.id} ${prefix}${query.slice(0, 60)}`,
      operation: target.id,
      request: getRequest(`${apiPath(fuzzer, target.path)}?${prefix}${query}`),
      expect: contentType === undefined || expect.status?.[0] !== 200 ? expect : { ...expect, contentType },
    })
  const list = await send(operation, 'limit=1&')
  const files = [
    await send(operation, 'format=csv&limit=1&', exportContentTypes.csv),
    await send(operation, 'format=ndjson&limit=1&', exportContentTypes.ndjson),
  ]
  const countOperation = fuzzer.contract.operations.find(
    ({ kind, resource }) => kind === 'count' && resource === operation.resource,
  )
  const count =
    countOperation === undefined
      ? undefined
      : await send(countOperation, `by=${percentEncode(requiredQuery(countOperation).by)}&`)
  if ('error' in outcome) return
  const totals = [
    totalOf(list),
    ...files.map(({ response }) => Number(response?.headers.get('x-total-count'))),
    ...(count === undefined ? [] : [totalOf(count)]),
  ]
  await compare(fuzzer, list.testCase, new Set(totals).size === 1, {
    check: 'same total',
    message: `list, CSV, NDJSON and count have the totals ${totals.join(', ')}`,
  })
}

const totalOf = ({ response }: Attempt): number => {
  if (response?.status !== 200) return Number.NaN
  return (JSON.parse(response.text) as { meta: { total: number } }).meta.total
}

const compare = async (fuzzer: Fuzzer, testCase: Case, isCorrect: boolean, deviation: Deviation): Promise<void> => {
  if (isCorrect) fuzzer.results.countsOf(sourceName).passed += 1
  else await fuzzer.report(testCase, [deviation])
}

/** Each record has one of the values, another value or null, so the three totals add up to that of the whole list. */
const checkComplement = async (
  fuzzer: Fuzzer,
  operation: Operation,
  { name, complementOf: field }: TestedFilter,
  values: string,
): Promise<void> => {
  const hasNullFilter = operation.parameters.some((parameter) => parameter.name === `${field}_is_null`)
  const listCase = (query: string): Case => ({
    source: sourceName,
    about: `${operation.id} ${query}`,
    operation: operation.id,
    request: getRequest(`${apiPath(fuzzer, operation.path)}?limit=1&${query}`),
    expect: { status: [200] },
  })
  const total = async (query: string): Promise<number> => totalOf(await fuzzer.run(listCase(query)))
  const all = await total('')
  const nulls = hasNullFilter ? await total(`${field}_is_null=true`) : 0
  const [included, excluded] = [await total(`${field}=${values}`), await total(`${name}=${values}`)]
  await compare(fuzzer, listCase(`${name}=${values}`), included + excluded + nulls === all, {
    check: 'complement',
    message: `${included} with the values, ${excluded} with others and ${nulls} with null are not ${all}`,
  })
}

/** Lists of values as written in a URL: each value that occurs, in upper case too, and several together. */
const valueLists = ({ pools }: Fuzzer, { resource }: Operation, field: string): string[] => {
  const values = new Set(
    pools.recordsOf(resource).flatMap((record) => (typeof record[field] === 'string' ? [record[field]] : [])),
  )
  const filled = [...values].filter((value) => value.trim() !== '').slice(0, 8)
  return [...filled.flatMap((value) => [[value], [value.toUpperCase(), 'none']]), filled, filled.slice(0, 2)]
    .filter((list) => list.length > 0)
    .map((list) => percentEncode(list.map((value) => value.replaceAll(',', ',,')).join(',')))
}
