/**
 * Runs everything that a change must pass: npm run check [-- JOB …]. Jobs that wait more than they compute run side by
 * side, and each prints its output when it ends. The output closes with the number of tests.
 */
import { inspect } from 'node:util'
import { forwardSignals } from '../scripts/run-program.ts'
import type { SuiteResult } from './run-suite.ts'
import { failuresText, maxFlakyFiles, runSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'
import { suites } from './suites.ts'

interface Job {
  readonly suite: Suite
  /** Average use of the CPU in percent of one core. A job starts as soon as its load fits, so small jobs can overtake. */
  readonly load: number
  /** Jobs that must have passed before. */
  readonly after?: readonly string[]
}

const npmRun = (...args: string[]): Suite => ({ about: args.join(' '), command: ['npm', 'run', '--silent', ...args] })

const suiteJob = (name: string, load: number): readonly [string, Job] => {
  const suite = suites[name]
  if (suite === undefined) throw new Error(`There is no test suite "${name}".`)
  return [name, { suite, load, after: ['build'] }]
}

/** Two cores. */
const availableLoad = 200

/** The benchmark guard compares speeds, so it runs alone. */
const jobs: ReadonlyMap<string, Job> = new Map([
  ['build', { suite: npmRun('build'), load: 100 }],
  ['generated', { suite: npmRun('generate', '--', '--check'), load: 100 }],
  ['lint', { suite: npmRun('lint'), load: 100 }],
  ['types', { suite: npmRun('types'), load: 100 }],
  ['supply-chain', { suite: npmRun('supply-chain'), load: 100 }],
  suiteJob('unit', 120),
  suiteJob('chaos', 80),
  suiteJob('deployment', 80),
  suiteJob('browser', 120),
  suiteJob('components', 120),
  suiteJob('fuzz', 80),
  suiteJob('alerts', 40),
  suiteJob('pgbouncer', 40),
  suiteJob('reverse-proxies', 40),
  suiteJob('acceptance', 40),
  suiteJob('documents', 40),
  ['guard', { suite: npmRun('bench', '--', 'guard'), load: availableLoad, after: ['build'] }],
])

/** The result of a job that did not run, or not to its end. */
const failedResult = (name: string): SuiteResult => ({
  name,
  passed: 0,
  failed: 1,
  seconds: 0,
  succeeded: false,
  flaky: [],
  broken: [],
})

const runJobs = async (names: readonly string[]): Promise<SuiteResult[]> => {
  const waiting = new Set(names)
  const running = new Map<string, Promise<void>>()
  const results: SuiteResult[] = []
  let totalLoad = 0
  const start = (name: string, { suite, load }: Job): void => {
    waiting.delete(name)
    totalLoad += load
    console.log(`${timeOfDay()} ${name} starts`)
    let output = ''
    const run = runSuite(name, suite, [], (text) => {
      output += text
    })
      .catch((error: unknown) => {
        output += inspect(error)
        return failedResult(name)
      })
      .then((result) => {
        results.push(result)
        console.log(`\n${timeOfDay()} ${name} ${result.succeeded ? 'passed' : 'FAILED'}\n${output}`)
        totalLoad -= load
        running.delete(name)
      })
    running.set(name, run)
  }
  const canStart = ({ load, after = [] }: Job): boolean =>
    after.every((other) => !waiting.has(other) && !running.has(other)) && totalLoad + load <= availableLoad
  const hasFailedBefore = ({ after = [] }: Job): boolean =>
    results.some(({ name, succeeded }) => !succeeded && after.includes(name))
  while (waiting.size > 0) {
    for (const name of waiting) {
      const job = jobs.get(name) as Job
      if (hasFailedBefore(job)) {
        waiting.delete(name)
        results.push(failedResult(name))
      } else if (canStart(job)) start(name, job)
    }
    if (running.size > 0) await Promise.race(running.values())
  }
  await Promise.all(running.values())
  return results
}

const timeOfDay = (): string => new Date().toISOString().slice(11, 19)

const sumOf = (results: readonly SuiteResult[], field: 'passed' | 'failed'): number =>
  results.reduce((sum, result) => sum + result[field], 0)

const report = (results: readonly SuiteResult[]): boolean => {
  const flaky = results.flatMap((result) => result.flaky)
  const failedJobs = results.filter(({ succeeded }) => !succeeded)
  console.log('\nJob              seconds  passed  failed')
  for (const { name, seconds, passed, failed } of results)
    console.log(
      [name.padEnd(15), seconds.toFixed(0).padStart(8), ...[passed, failed].map((n) => String(n).padStart(7))].join(
        ' ',
      ),
    )
  console.log(failuresText('flaky', flaky))
  // Again at the end: the output of the failed job can be thousands of lines above.
  for (const { broken } of failedJobs) console.log(failuresText('failed', broken))
  if (flaky.length > maxFlakyFiles) console.log(`More than ${maxFlakyFiles} files are flaky.`)
  for (const { name } of failedJobs) console.log(`${name} FAILED`)
  console.log(`The run took ${Math.round(performance.now() / 1_000)} s.`)
  console.log(`${sumOf(results, 'passed')} passed, ${sumOf(results, 'failed')} failed`)
  return failedJobs.length === 0 && flaky.length <= maxFlakyFiles
}

const names = process.argv.slice(2)
const unknownName = names.find((name) => !jobs.has(name))
if (unknownName !== undefined) {
  console.error(`There is no job "${unknownName}". Jobs: ${[...jobs.keys()].join(', ')}.`)
  process.exitCode = 2
} else {
  forwardSignals()
  process.exitCode = report(await runJobs(names.length === 0 ? [...jobs.keys()] : names)) ? 0 : 1
}
