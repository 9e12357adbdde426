/**
 * Runs everything that a change must pass: npm run check [-- JOB …]. Jobs that wait more than they compute run side by
 * side, and each prints its output when it ends. The output closes with the number of tests.
 */
import type { SuiteResult } from './run-suite.ts'
import { flakyText, forwardSignals, maxFlakyFiles, runSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'
import { suites } from './suites.ts'

interface Job {
  readonly suite: Suite
  /** How many cores the job keeps busy on average. Jobs start in their order while the cores suffice. */
  readonly cores: number
  /** Jobs that must have ended before. */
  readonly after?: readonly string[]
}

const npmRun = (...args: string[]): Suite => ({ about: args.join(' '), command: ['npm', 'run', '--silent', ...args] })

const suiteJob = (name: string, cores: number): readonly [string, Job] => {
  const suite = suites[name]
  if (suite === undefined) throw new Error(`There is no test suite "${name}".`)
  return [name, { suite, cores, after: ['build'] }]
}

const availableCores = 2

/** The benchmark guard compares speeds, so it runs alone. */
const jobs: ReadonlyMap<string, Job> = new Map([
  ['build', { suite: npmRun('build'), cores: 1 }],
  ['generated', { suite: npmRun('generate', '--', '--check'), cores: 1 }],
  ['lint', { suite: npmRun('lint'), cores: 1 }],
  ['types', { suite: npmRun('types'), cores: 1 }],
  ['supply-chain', { suite: npmRun('supply-chain'), cores: 1 }],
  ['guard', { suite: npmRun('bench', '--', 'guard'), cores: availableCores, after: ['build'] }],
  suiteJob('unit', 1.2),
  suiteJob('chaos', 0.8),
  suiteJob('deployment', 0.8),
  suiteJob('browser', 1.2),
  suiteJob('fuzz', 0.8),
  suiteJob('alerts', 0.4),
  suiteJob('pgbouncer', 0.4),
  suiteJob('reverse-proxies', 0.4),
  suiteJob('acceptance', 0.4),
  suiteJob('documents', 0.4),
])

const runJobs = async (names: readonly string[]): Promise<SuiteResult[]> => {
  const waiting = new Set(names)
  const running = new Map<string, Promise<void>>()
  const results: SuiteResult[] = []
  let busyCores = 0
  const start = (name: string, { suite, cores }: Job): void => {
    waiting.delete(name)
    busyCores += cores
    console.log(`${timeOfDay()} ${name} starts`)
    let output = ''
    const run = runSuite(name, suite, [], (text) => {
      output += text
    }).then((result) => {
      results.push(result)
      console.log(`\n${timeOfDay()} ${name} ${result.succeeded ? 'passed' : 'FAILED'}\n${output}`)
      busyCores -= cores
      running.delete(name)
    })
    running.set(name, run)
  }
  const canStart = ({ cores, after = [] }: Job): boolean =>
    after.every((other) => !waiting.has(other) && !running.has(other)) &&
    (busyCores === 0 || busyCores + cores <= availableCores + 0.01)
  while (waiting.size > 0 || running.size > 0) {
    for (const name of waiting) {
      const job = jobs.get(name) as Job
      if (canStart(job)) start(name, job)
    }
    await Promise.race(running.values())
  }
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
  console.log(flakyText(flaky))
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
