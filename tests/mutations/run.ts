/**
 * Applies each mutation of the list to a copy of the sources and runs the one test file that must detect it. With an
 * argument, only the mutations whose description, file or test file contains it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openRun } from '../support/database.ts'
import { applyMutation, copySources } from './copy-sources.ts'
import type { UnitMutation } from './list.ts'
import { mutations } from './list.ts'
import type { TestResult } from './reporter.ts'

const concurrency = Math.min(2, availableParallelism())
/** A mutation can make a test wait for ever. */
const timeoutMs = 60_000

const runTests = async (copy: string, files: readonly string[]): Promise<readonly TestResult[]> => {
  const args = [
    '--test',
    // A failed test may leave connections open, with which a process would not end.
    '--test-force-exit',
    '--test-global-setup=tests/support/global-setup.ts',
    '--test-reporter=./tests/mutations/reporter.ts',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...files,
  ]
  const child = spawn(process.execPath, args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    // In the copy, because a cache of compiled files has entries for paths. A changed file is compiled again.
    env: { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compile-cache') },
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const results = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestResult)
  const hasFailed = results.some(({ hasPassed }) => !hasPassed)
  // Without a failed test, a hook or the file itself has failed.
  return exitCode === 0 || hasFailed
    ? results
    : [...results, { name: `exit code ${exitCode}`, file: undefined, hasPassed: false, isAssertion: false }]
}

/**
 * The first test that detects the mutation. Without an assertion that fails or a test that passes, the file could not
 * run at all, which detects nothing. The failure of a file has its path as the name.
 */
const detectingTest = (results: readonly TestResult[], { test }: UnitMutation): TestResult | undefined =>
  results.some(({ hasPassed, isAssertion }) => hasPassed || isAssertion)
    ? results.find(({ name, file, hasPassed }) => !hasPassed && file !== undefined && !name.endsWith(test))
    : undefined

/** With --test-force-exit the global teardown does not run. A new run drops the databases of all runs that have ended. */
const dropDatabases = async (): Promise<void> => {
  const closeRun = await openRun(process.env.DATABASE_URL ?? '')
  await closeRun()
}

let passedCount = 0
let failedCount = 0
const printResult = (hasPassed: boolean, message: string): void => {
  if (hasPassed) passedCount += 1
  else failedCount += 1
  console.log(`${hasPassed ? 'ok    ' : 'MISSED'} ${message}`)
}

const runControl = async (copy: string, files: readonly string[]): Promise<void> => {
  const failures = (await runTests(copy, files)).filter(({ hasPassed }) => !hasPassed)
  for (const { name, file } of failures) console.log(`FAILED control: ${file ?? ''}: ${name}`)
  if (failures.length > 0) failedCount += 1
  else console.log(`ok     control: ${files.length} test files pass without a mutation`)
}

const runMutation = async (copy: string, mutation: UnitMutation): Promise<void> => {
  const revertMutation = await applyMutation(copy, mutation)
  const results = await runTests(copy, [mutation.test])
  await revertMutation()
  const detecting = detectingTest(results, mutation)
  const otherFailure = results.find(({ hasPassed }) => !hasPassed)
  if (detecting !== undefined) printResult(true, `${mutation.about}: ${detecting.name}`)
  else
    printResult(
      false,
      otherFailure === undefined
        ? `${mutation.about}: ${mutation.test} passes`
        : `${mutation.about}: ${mutation.test} cannot run (${otherFailure.name})`,
    )
}

const [wanted = ''] = process.argv.slice(2)
const chosenMutations = mutations.filter(({ about, file, test }) =>
  [about, file, test].some((value) => value.includes(wanted)),
)
if (chosenMutations.length === 0) {
  console.error(`No mutation matches "${wanted}".`)
  process.exit(2)
}
const copies: string[] = []
try {
  for (let index = 0; index < concurrency; index += 1) copies.push(await copySources())
  await runControl(copies[0] as string, [...new Set(chosenMutations.map(({ test }) => test))])
  const remaining = chosenMutations.values()
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutation of remaining) await runMutation(copy, mutation)
    }),
  )
} finally {
  for (const copy of copies) await rm(copy, { recursive: true, force: true })
  await dropDatabases()
}
console.log(`${passedCount} passed, ${failedCount} failed`)
process.exitCode = failedCount === 0 ? 0 : 1
