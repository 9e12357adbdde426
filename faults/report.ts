/** In charge of what a run says at its end: one line per fault and one per control, what broke, and the count. */
import type { Fault, Outcome } from './fault.ts'

export interface Finding {
  readonly fault: Fault
  readonly isControl: boolean
  readonly outcome: Outcome
  readonly seconds: number
}

const heading = ['fault', 'fired', 'acknowledged', 'lost', 'duplicated', 'stale', 'slowest', 'seconds', 'verdict']

export const isRight = ({ fault, isControl, outcome: { fired, broken } }: Finding): boolean => {
  if (fired === 0) return false
  return isControl ? broken.some(({ promised }) => promised === fault.control.breaks) : broken.length === 0
}

const verdict = (finding: Finding): string => {
  if (finding.outcome.fired === 0) return 'VOID: it never happened'
  if (finding.isControl)
    return isRight(finding) ? `breaks "${finding.fault.control.breaks}", as it must` : 'FAILED: held'
  return isRight(finding) ? 'held' : 'FAILED'
}

export const reportText = (findings: readonly Finding[]): string => {
  const rows = [heading, ...findings.map(cells)]
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const last = heading.length - 1
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === last ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const cells = (finding: Finding): string[] => {
  const { fault, isControl, outcome, seconds } = finding
  return [
    isControl ? `  control: ${fault.control.about}` : fault.name,
    ...[outcome.fired, outcome.acknowledged, outcome.lost, outcome.duplicated, outcome.stale].map(String),
    `${Math.round(outcome.slowestMs)} ms`,
    seconds.toFixed(1),
    verdict(finding),
  ]
}

/** What is told of a finding as soon as it is there. */
export const findingText = (finding: Finding): string => {
  const { fault, isControl, outcome, seconds } = finding
  const name = isControl ? `${fault.name}, control (${fault.control.about})` : fault.name
  const line = `${name}: ${verdict(finding)}, ${seconds.toFixed(1)} s`
  const details = [...outcome.broken.map(({ promised, said }) => `${promised}: ${said}`), ...outcome.notes]
  return [line, ...details.map((detail) => `  ${detail}`)].join('\n')
}

export const countLine = (findings: readonly Finding[]): string => {
  const passed = findings.filter(isRight).length
  return `${passed} passed, ${findings.length - passed} failed`
}
