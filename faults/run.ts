/** In charge of the fault harness: makes things go wrong under a running service, each with a control, and says what held. */

import { askedToEnd } from './cases/asked-to-end.ts'
import { booksAfterCrashes } from './cases/books-after-crashes.ts'
import { cluster } from './cases/cluster.ts'
import { databaseStopped } from './cases/database-stopped.ts'
import { diskFull } from './cases/disk-full.ts'
import { equalKeys } from './cases/equal-keys.ts'
import { failover } from './cases/failover.ts'
import { floods, idleFlood } from './cases/floods.ts'
import { freshAcrossProcesses } from './cases/fresh-across-processes.ts'
import { databaseKilled, serviceKilled } from './cases/kills.ts'
import { lostCommits } from './cases/lost-commits.ts'
import { overload } from './cases/overload.ts'
import { commitsCut, repliesCut } from './cases/replies-cut.ts'
import { restore } from './cases/restore.ts'
import { sessionsEnded } from './cases/sessions-ended.ts'
import { slowClients } from './cases/slow-clients.ts'
import { soak } from './cases/soak.ts'
import { triggersOff } from './cases/triggers-off.ts'
import type { Template } from './cluster.ts'
import { makeTemplate } from './cluster.ts'
import type { Fault, Outcome } from './fault.ts'
import { nothing } from './fault.ts'
import type { House } from './house.ts'
import { openHouse } from './house.ts'
import type { Options } from './options.ts'
import { readOptions, UsageError } from './options.ts'
import type { Finding } from './report.ts'
import { countLine, findingText, isRight, reportText } from './report.ts'

const faults: readonly Fault[] = [
  booksAfterCrashes,
  freshAcrossProcesses,
  triggersOff,
  lostCommits,
  restore,
  databaseKilled,
  serviceKilled,
  sessionsEnded,
  databaseStopped,
  askedToEnd,
  equalKeys,
  repliesCut,
  commitsCut,
  slowClients,
  floods,
  idleFlood,
  diskFull,
  failover,
  overload,
  cluster,
  soak,
]

const chosen = ({ only, short }: Options): readonly Fault[] =>
  only.length > 0
    ? faults.filter(({ name }) => only.includes(name))
    : faults.filter(({ onlyByName, onlyLong }) => !onlyByName && !(short && onlyLong))

/** What an interrupt has to take away. */
const open = new Set<House>()

const attempt = async (template: Template, options: Options, fault: Fault, isControl: boolean): Promise<Finding> => {
  const start = performance.now()
  const house = openHouse(template, options)
  open.add(house)
  let outcome: Outcome
  try {
    outcome = await (isControl ? fault.control : fault).run(house)
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // A run that breaks off has shown nothing, whatever happened until then.
    outcome = { ...nothing, notes: [`the run broke off: ${said}`] }
  } finally {
    await house.clear()
    open.delete(house)
  }
  const finding = { fault, isControl, outcome, seconds: (performance.now() - start) / 1_000 }
  console.log(findingText(finding))
  return finding
}

const runBoth = async (template: Template, options: Options, fault: Fault): Promise<Finding[]> => {
  const control = () => attempt(template, options, fault, true)
  if (fault.mostlyWaits) return Promise.all([attempt(template, options, fault, false), control()])
  return [await attempt(template, options, fault, false), await control()]
}

const runAll = async (options: Options): Promise<boolean> => {
  console.log(`seed ${options.seed}, ${options.short ? 'short' : 'long'} form`)
  const template = await makeTemplate()
  const interrupted = async (): Promise<void> => {
    for (const house of open) await house.clear()
    await template.remove()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted())
  const findings: Finding[] = []
  try {
    for (const fault of chosen(options)) findings.push(...(await runBoth(template, options, fault)))
  } finally {
    await template.remove()
  }
  console.log(`\n${reportText(findings)}\n\nseed ${options.seed}\n${countLine(findings)}`)
  return findings.every(isRight)
}

try {
  const options = readOptions(
    process.argv.slice(2),
    faults.map(({ name }) => name),
  )
  // What broke off may have left something at work.
  process.exit((await runAll(options)) ? 0 : 1)
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 2
}
