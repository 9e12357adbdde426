/** Runs chaos cases and their controls. */

import type { Template } from '../support/postgres-cluster.ts'
import { makeTemplate } from '../support/postgres-cluster.ts'
import { automaticFailover } from './cases/automatic-failover.ts'
import { changeFeed } from './cases/change-feed.ts'
import { cluster } from './cases/cluster.ts'
import { databaseStopped } from './cases/database-stopped.ts'
import { diskFull } from './cases/disk-full.ts'
import { failover } from './cases/failover.ts'
import { floods, idleFlood } from './cases/floods.ts'
import { freshAcrossProcesses } from './cases/fresh-across-processes.ts'
import { gracefulShutdown } from './cases/graceful-shutdown.ts'
import { idempotencyKeys } from './cases/idempotency-keys.ts'
import { databaseKilled, serviceKilled } from './cases/kills.ts'
import { lostCommits } from './cases/lost-commits.ts'
import { overload } from './cases/overload.ts'
import { commitsCut, repliesCut } from './cases/replies-cut.ts'
import { restore } from './cases/restore.ts'
import { rowCountsAfterCrashes } from './cases/row-counts-after-crashes.ts'
import { sessionsEnded } from './cases/sessions-ended.ts'
import { slowClients } from './cases/slow-clients.ts'
import { soak } from './cases/soak.ts'
import { trackedChanges } from './cases/tracked-changes.ts'
import { triggersOff } from './cases/triggers-off.ts'
import type { ChaosCase, Outcome } from './chaos-case.ts'
import { emptyOutcome } from './chaos-case.ts'
import type { Environment } from './environment.ts'
import { openEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { parseOptions, UsageError } from './options.ts'
import type { RunResult } from './report.ts'
import { hasPassed, reportText, resultText, totalsLine } from './report.ts'

const cases: readonly ChaosCase[] = [
  rowCountsAfterCrashes,
  trackedChanges,
  changeFeed,
  freshAcrossProcesses,
  triggersOff,
  lostCommits,
  restore,
  databaseKilled,
  serviceKilled,
  sessionsEnded,
  databaseStopped,
  gracefulShutdown,
  idempotencyKeys,
  repliesCut,
  commitsCut,
  slowClients,
  floods,
  idleFlood,
  diskFull,
  failover,
  automaticFailover,
  overload,
  cluster,
  soak,
]

const selectCases = ({ only, isShort }: Options): readonly ChaosCase[] =>
  only.length > 0
    ? cases.filter(({ name }) => only.includes(name))
    : cases.filter(({ onlyByName, onlyLong }) => !onlyByName && !(isShort && onlyLong))

type GetTemplate = () => Promise<Template>

/** Environments to clean up on SIGINT and SIGTERM. */
const openEnvironments = new Set<Environment>()
const stopped = new AbortController()

const runCase = async (
  getTemplate: GetTemplate,
  options: Options,
  chaosCase: ChaosCase,
  isControl: boolean,
): Promise<RunResult> => {
  // The run that a signal interrupts fails. No other run may begin while its environment is being cleaned up.
  if (stopped.signal.aborted) return new Promise(() => {})
  const startedAt = performance.now()
  const environment = openEnvironment(getTemplate, options)
  openEnvironments.add(environment)
  let outcome: Outcome
  try {
    outcome = await (isControl ? chaosCase.control : chaosCase).run(environment)
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // The figures of an aborted run prove nothing, so they are discarded.
    outcome = { ...emptyOutcome, notes: [`the run was aborted: ${message}`] }
  } finally {
    await environment.cleanUp()
    openEnvironments.delete(environment)
  }
  const result = { chaosCase, isControl, outcome, seconds: (performance.now() - startedAt) / 1_000 }
  console.log(resultText(result))
  return result
}

/** The short form runs no controls: they show that the cases detect faults, which rarely changes. */
const runCaseAndControl = async (
  getTemplate: GetTemplate,
  options: Options,
  chaosCase: ChaosCase,
): Promise<RunResult[]> => {
  const runItself = () => runCase(getTemplate, options, chaosCase, false)
  if (options.isShort) return [await runItself()]
  const runControl = () => runCase(getTemplate, options, chaosCase, true)
  return chaosCase.runsBesideControl
    ? Promise.all([runItself(), runControl()])
    : [await runItself(), await runControl()]
}

const runAll = async (options: Options): Promise<boolean> => {
  console.log(`seed ${options.seed}, ${options.isShort ? 'short' : 'long'} form`)
  // Some cases need no template, and making it takes seconds.
  let template: Promise<Template> | undefined
  const getTemplate = () => (template ??= makeTemplate())
  const removeTemplate = async () => (await template)?.remove()
  const cleanUpAndExit = async (): Promise<void> => {
    stopped.abort()
    for (const environment of openEnvironments) await environment.cleanUp()
    await removeTemplate()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUpAndExit())
  const results: RunResult[] = []
  try {
    for (const chaosCase of selectCases(options))
      results.push(...(await runCaseAndControl(getTemplate, options, chaosCase)))
  } finally {
    await removeTemplate()
  }
  console.log(`\n${reportText(results)}\n\nseed ${options.seed}\n${totalsLine(results)}`)
  return results.every(hasPassed)
}

try {
  const options = parseOptions(
    process.argv.slice(2),
    cases.map(({ name }) => name),
  )
  // Exits explicitly, because timers or sockets of an aborted run may still be open.
  process.exit((await runAll(options)) ? 0 : 1)
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 2
}
