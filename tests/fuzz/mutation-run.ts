/**
 * Runs the fuzzer once per mutation, on a copy of the sources. For each mutation the expected check must fail. With an
 * argument, only the mutations whose description contains it are run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { applyMutation, copySources } from '../mutations/copy-sources.ts'
import { mutations } from './mutation-list.ts'
import type { Failure, SourceCounts } from './results.ts'

/** Enough generated cases to use every generator. Hand-written cases always run completely. */
const caseCount = '660'

interface Report {
  readonly failures: readonly Failure[]
  readonly counts: readonly SourceCounts[]
}

const runFuzzer = async (copy: string): Promise<Report> => {
  const reportFile = join(copy, 'report.json')
  await rm(reportFile, { force: true })
  const fuzzArgs = ['tests/fuzz/run.ts', '--cases', caseCount, '--seed', '1', '--report', reportFile]
  const child = spawn(process.execPath, ['tools/scripts/with-service.ts', process.execPath, ...fuzzArgs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const text = await readFile(reportFile, 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error('The fuzzer ended without a report.')
  return JSON.parse(text) as Report
}

/** Text with the number of failures per check and source. */
const summarizeFailures = (failures: readonly Failure[]): string => {
  const counts = new Map<string, number>()
  for (const { source, checks } of failures)
    for (const check of new Set(checks)) {
      const key = `${check} (${source})`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts].map(([key, count]) => `${key} ${count}`).join(', ')
}

const copy = await copySources()
let passedChecks = 0
let failedChecks = 0
const printResult = (hasPassed: boolean, message: string): void => {
  if (hasPassed) passedChecks += 1
  else failedChecks += 1
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'} ${message}`)
}
try {
  // Without the committed document the fuzzer does not compare it with the mutated one that the service serves.
  await rm(join(copy, 'packages', 'model', 'contract', 'openapi.json'))
  const unmutatedReport = await runFuzzer(copy)
  printResult(
    unmutatedReport.failures.length === 0,
    `control: no mutation, ${summarizeFailures(unmutatedReport.failures) || 'no failures'}`,
  )
  const [wanted = ''] = process.argv.slice(2)
  for (const mutation of mutations.filter(({ about }) => about.includes(wanted))) {
    const revertMutation = await applyMutation(copy, mutation)
    const { failures } = await runFuzzer(copy)
    await revertMutation()
    const isDetected = failures.some(({ checks }) => checks.includes(mutation.check))
    printResult(isDetected, `${mutation.about}: ${summarizeFailures(failures) || 'no failures'}`)
  }
  const savedCount = (await readdir(join(copy, 'tests', 'fuzz', 'corpus'))).length
  const finalReport = await runFuzzer(copy)
  const passedCount = finalReport.counts.find(({ source }) => source === 'regressions')?.passed
  printResult(
    savedCount > 0 && passedCount === savedCount && finalReport.failures.length === 0,
    `all reverted: ${passedCount} of ${savedCount} saved cases pass`,
  )
} finally {
  await rm(copy, { recursive: true, force: true })
}
console.log(`${passedChecks} passed, ${failedChecks} failed`)
process.exitCode = failedChecks === 0 ? 0 : 1
