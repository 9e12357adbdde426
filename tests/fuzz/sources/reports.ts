import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { runGenerated, seedFor } from '../generated.ts'
import type { ReportChecks } from '../report-checks.ts'
import { openReportChecks } from '../report-checks.ts'
import { reportOf } from '../report-model.ts'
import { rowsOfKind } from '../report-parameter-table.ts'
import { reportQueries, reportRequest } from '../report-queries.ts'
import { getRequest } from '../request.ts'
import { runsPerOperation } from './positive.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'reports'

/** Reports have few database connections. */
const maxRunning = 4

export const reports: Source = {
  name: sourceName,
  about: 'hand-written and generated parameters of every report; CSV, ETag and links of every response',
  async run(fuzzer) {
    for (const operation of fuzzer.contract.operations.filter(({ kind }) => kind === 'report')) {
      const checks = openReportChecks(fuzzer, operation)
      await runWithChecks(fuzzer, checks, queryCase(fuzzer, operation, ''), true)
      await forEachInParallel(
        reportCases(fuzzer, operation),
        (testCase) => runWithChecks(fuzzer, checks, testCase),
        maxRunning,
      )
      await runGenerated(fuzzer, {
        source: sourceName,
        arbitrary: reportQueries(fuzzer, operation).map((content) => ({
          source: sourceName,
          operation: operation.id,
          ...content,
        })),
        runs: runsPerOperation(fuzzer),
        seed: seedFor(fuzzer.seed, `${sourceName} ${operation.id}`),
        followUp: (attempt) => checks.follow(attempt),
      })
      console.log(`reports: ${operation.id}, ${checks.followedLinks.size} links followed`)
    }
  },
}

const runWithChecks = async (fuzzer: Fuzzer, checks: ReportChecks, testCase: Case, allLinks = false): Promise<void> => {
  const attempt = await fuzzer.run(testCase)
  if (attempt.deviations.length > 0) return
  const deviations = await checks.follow(attempt, { allLinks })
  if (deviations.length > 0) await fuzzer.report(testCase, deviations)
}

/** A case whose parameters are valid one by one. */
const queryCase = (fuzzer: Fuzzer, operation: Operation, query: string): Case => ({
  source: sourceName,
  operation: operation.id,
  ...reportRequest(fuzzer, operation, `${operation.id} ${query.slice(0, 60)}`, query),
})

const rejectedCase = (
  fuzzer: Fuzzer,
  operation: Operation,
  { query, parameter, type, isStrict = false }: { query: string; parameter: string; type: string; isStrict?: boolean },
): Case => ({
  source: sourceName,
  about: `${operation.id} ${query.slice(0, 60)}`,
  operation: operation.id,
  request: getRequest(`${apiPath(fuzzer, operation.path)}?${query}`, isStrict ? [['Prefer', 'handling=strict']] : []),
  expect: { status: [422], errors: [{ loc: ['query', parameter], type: [type] }], noOtherErrors: true },
})

const reportCases = (fuzzer: Fuzzer, operation: Operation): Case[] => [
  ...tableCases(fuzzer, operation),
  ...repeatedCases(fuzzer, operation),
  ...periodCases(fuzzer, operation),
  ...unknownNameCases(fuzzer, operation),
]

/** Every value of the tables in every parameter. */
const tableCases = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  [...reportOf(operation).allParameters, formatParameter].flatMap((declared) =>
    rowsOfKind(declared).map(([value, outcome]) => {
      const query = `${declared.name}=${value}`
      return 'error' in outcome
        ? rejectedCase(fuzzer, operation, { query, parameter: declared.name, type: outcome.error })
        : queryCase(fuzzer, operation, query)
    }),
  )

const formatParameter = { name: 'format', kind: 'choice', values: ['json', 'csv'] } as const

/** If a parameter is repeated, the last one counts. */
const repeatedCases = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  [...reportOf(operation).allParameters, formatParameter].flatMap((declared) => {
    const rows = rowsOfKind(declared)
    const valid = rows.find(([value, outcome]) => 'served' in outcome && value.trim() !== '' && !value.startsWith('%'))
    const invalid = rows.find(([, outcome]) => 'error' in outcome)
    if (valid === undefined || invalid === undefined || !('error' in invalid[1])) return []
    const [accepted, rejected] = [`${declared.name}=${valid[0]}`, `${declared.name}=${invalid[0]}`]
    return [
      queryCase(fuzzer, operation, `${rejected}&${accepted}`),
      queryCase(fuzzer, operation, `${rejected}&${declared.name}`),
      queryCase(fuzzer, operation, `${accepted}&${accepted}`),
      rejectedCase(fuzzer, operation, {
        query: `${accepted}&${rejected}`,
        parameter: declared.name,
        type: invalid[1].error,
      }),
    ]
  })

const periodValues = {
  date: ['0001-01-01', '0001-12-31', '2024-02-29', '2026-03-02', '9999-01-01', '9999-12-31'],
  month: ['0001-01', '0001-12', '2024-02', '2026-03', '9999-01', '9999-12'],
} as const

/** Every pair of days or months in every pair of parameters: equal, contradictory, and as far apart as possible. */
const periodCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const parameters = reportOf(operation).allParameters.flatMap(({ name, kind }) =>
    kind === 'date' || kind === 'month' ? [{ name, values: periodValues[kind] }] : [],
  )
  return parameters.flatMap((first, index) =>
    parameters
      .slice(index + 1)
      .flatMap((second) =>
        first.values.flatMap((one) =>
          second.values.map((other) => queryCase(fuzzer, operation, `${first.name}=${one}&${second.name}=${other}`)),
        ),
      ),
  )
}

/** Unknown names are ignored, except under strict handling. */
const unknownNameCases = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  ['x=1', 'AS_OF=x', 'limit=x', 'q=a', '%ff=1', '__proto__=1', 'as_of%5B%5D=x'].flatMap((query) => [
    queryCase(fuzzer, operation, query),
    rejectedCase(fuzzer, operation, {
      query,
      parameter: new URLSearchParams(query).keys().next().value ?? '',
      type: 'unexpected_parameter',
      isStrict: true,
    }),
  ])
