/** Runs the benchmark cases and writes the report. Every second round runs the cases in reverse order. */
import { baselineCases } from './cases/baselines.ts'
import { growthCases } from './cases/growth.ts'
import { listCases } from './cases/lists.ts'
import { processCases } from './cases/process.ts'
import { recordCases } from './cases/records.ts'
import { searchCases } from './cases/search.ts'
import { UsageError } from './command.ts'
import { Databases } from './data.ts'
import { describeEnvironment } from './machine.ts'
import type { Case } from './measurement.ts'
import type { Options } from './options.ts'
import { readOptions } from './options.ts'
import { inAlternatingOrder } from './ratios.ts'
import { writeReport } from './report.ts'
import type { Results } from './results.ts'
import { addRound, readResults, writeResults } from './results.ts'
import { findTool } from './tools.ts'

/** Each baseline runs right before the case compared with it, because the speed of a machine varies over time. */
const caseOrder = [
  ...[
    'bare-page',
    'hot',
    'engine',
    'uncached',
    'deep',
    'engine-search',
    'search',
    'search-pages',
    'bare-record',
    'get',
  ],
  ...[
    'engine-insert',
    'create',
    'naive',
    'uncached-large',
    'filter',
    'search-large',
    'growth',
    'depth',
    'memory',
    'start',
  ],
]
const allCases: readonly Case[] = [
  ...baselineCases,
  ...listCases,
  ...searchCases,
  ...recordCases,
  ...growthCases,
  ...processCases,
].toSorted((a, b) => caseOrder.indexOf(a.name) - caseOrder.indexOf(b.name))

const selectCases = ({ only }: Options): readonly Case[] => {
  const unknownName = only.find((name) => !allCases.some((known) => known.name === name))
  if (unknownName !== undefined)
    throw new UsageError(`There is no case "${unknownName}". Cases: ${allCases.map(({ name }) => name).join(', ')}.`)
  return only.length === 0 ? allCases : allCases.filter(({ name }) => only.includes(name))
}

/** A run with --only keeps the stored results of the other cases, if they were measured on tables of the same size. */
const openResults = async (options: Options): Promise<Results> => {
  const { rows, large, seconds, only, databaseUrl } = options
  const earlierResults = only.length === 0 ? undefined : await readResults()
  const isSameSize = earlierResults?.rows === rows && earlierResults.large === large
  return {
    surroundings: await describeEnvironment(databaseUrl),
    rows,
    large,
    seconds,
    measured: isSameSize ? earlierResults.measured : {},
    runs: isSameSize ? earlierResults.runs : {},
    figures: isSameSize ? earlierResults.figures : {},
  }
}

const measureAll = async (options: Options): Promise<void> => {
  const cases = selectCases(options)
  await Promise.all([findTool('wrk'), findTool('pgbench')])
  const results = await openResults(options)
  const runStart = new Date().toISOString()
  const databases = new Databases(options.databaseUrl)
  for (let round = 0; round < options.rounds; round += 1) {
    for (const benchCase of inAlternatingOrder(cases, round)) {
      await databases.settle()
      console.log(`round ${round + 1} of ${options.rounds}: ${benchCase.name}`)
      addRound(results, runStart, benchCase.name, await benchCase.measure({ options, databases }), round === 0)
      await writeResults(results)
    }
  }
  await writeReport(results)
  if (!options.keep) await databases.dropAll()
}

const rewriteReport = async (): Promise<void> => {
  const results = await readResults()
  if (results === undefined)
    throw new UsageError('There are no results yet: run the benchmark without --report-only first.')
  await writeReport(results)
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  await (options.reportOnly ? rewriteReport() : measureAll(options))
  console.log('Wrote docs/performance.md.')
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 1
}
