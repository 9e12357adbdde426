/** In charge of the fault harness: makes things go wrong under a running service, each with a control, and says what held. */
import { booksAfterCrashes } from './cases/books-after-crashes.ts'
import { freshAcrossProcesses } from './cases/fresh-across-processes.ts'
import type { Fault, Outcome } from './fault.ts'
import { nothing } from './fault.ts'
import type { House } from './house.ts'
import { openHouse } from './house.ts'
import type { Options } from './options.ts'
import { readOptions, UsageError } from './options.ts'
import type { Finding } from './report.ts'
import { countLine, findingText, isRight, reportText } from './report.ts'

const faults: readonly Fault[] = [booksAfterCrashes, freshAcrossProcesses]

const chosen = ({ only }: Options): readonly Fault[] =>
  only.length === 0 ? faults.filter(({ onlyByName }) => !onlyByName) : faults.filter(({ name }) => only.includes(name))

const attempt = async (house: House, run: (house: House) => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await run(house)
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // A run that breaks off has shown nothing, whatever happened until then.
    return { ...nothing, notes: [`the run broke off: ${said}`] }
  } finally {
    await house.clear()
  }
}

const runAll = async (options: Options): Promise<boolean> => {
  console.log(`seed ${options.seed}, ${options.short ? 'short' : 'long'} form`)
  const house = await openHouse(options)
  const findings: Finding[] = []
  try {
    for (const fault of chosen(options)) {
      for (const [isControl, { run }] of [[false, fault] as const, [true, fault.control] as const]) {
        const start = performance.now()
        const outcome = await attempt(house, run)
        const finding = { fault, isControl, outcome, seconds: (performance.now() - start) / 1_000 }
        findings.push(finding)
        console.log(findingText(finding))
      }
    }
  } finally {
    await house.close()
  }
  console.log(`\n${reportText(findings)}\n\nseed ${options.seed}\n${countLine(findings)}`)
  return findings.every(isRight)
}

try {
  const options = readOptions(
    process.argv.slice(2),
    faults.map(({ name }) => name),
  )
  process.exitCode = (await runAll(options)) ? 0 : 1
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 2
}
