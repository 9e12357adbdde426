/** In charge of a run of the bench: every case in one order, then in the other, then the report. */
import { growths } from './cases/growth.ts'
import { lists } from './cases/lists.ts'
import { processes } from './cases/process.ts'
import { records } from './cases/records.ts'
import { searches } from './cases/search.ts'
import { yardsticks } from './cases/yardsticks.ts'
import { Databases } from './data.ts'
import type { Case } from './measurement.ts'
import type { Options } from './options.ts'
import { readOptions, UsageError } from './options.ts'
import { writeReport } from './report.ts'
import type { Results } from './results.ts'
import { addRound, readResults, writeResults } from './results.ts'
import { readSurroundings } from './surroundings.ts'
import { findTool } from './tools.ts'

/** Each yardstick right before what is measured against it, because a machine is not equally fast all the time. */
const order = [
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
const allCases: readonly Case[] = [...yardsticks, ...lists, ...searches, ...records, ...growths, ...processes].toSorted(
  (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
)

const chosenCases = ({ only }: Options): readonly Case[] => {
  const unknown = only.find((name) => !allCases.some((each) => each.name === name))
  if (unknown !== undefined)
    throw new UsageError(`There is no case "${unknown}"; there are ${allCases.map(({ name }) => name).join(', ')}.`)
  return only.length === 0 ? allCases : allCases.filter(({ name }) => only.includes(name))
}

/** What an earlier run found is kept beside what a run of some cases finds, where both measured the same tables. */
const openResults = async (options: Options): Promise<Results> => {
  const { rows, large, seconds, only, databaseUrl } = options
  const earlier = only.length === 0 ? undefined : await readResults()
  const same = earlier?.rows === rows && earlier.large === large
  return {
    surroundings: await readSurroundings(databaseUrl),
    rows,
    large,
    seconds,
    measured: same ? earlier.measured : {},
    runs: same ? earlier.runs : {},
    figures: same ? earlier.figures : {},
  }
}

const measureAll = async (options: Options): Promise<void> => {
  const cases = chosenCases(options)
  await Promise.all([findTool('wrk'), findTool('pgbench')])
  const results = await openResults(options)
  const run = new Date().toISOString()
  const databases = new Databases(options.databaseUrl)
  for (let round = 0; round < options.rounds; round += 1) {
    for (const each of round % 2 === 0 ? cases : cases.toReversed()) {
      await databases.settle()
      console.log(`round ${round + 1} of ${options.rounds}: ${each.name}`)
      addRound(results, run, each.name, await each.measure({ options, databases }), round === 0)
      await writeResults(results)
    }
  }
  await writeReport(results)
  if (!options.keep) await databases.dropAll()
}

const reportAgain = async (): Promise<void> => {
  const results = await readResults()
  if (results === undefined)
    throw new UsageError('There are no results yet: run the bench without --report-only first.')
  await writeReport(results)
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  await (options.reportOnly ? reportAgain() : measureAll(options))
  console.log('docs/performance.md is written.')
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 1
}
