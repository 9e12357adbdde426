import type { ChaosCase, Outcome } from './chaos-case.ts'

export interface RunResult {
  readonly chaosCase: ChaosCase
  readonly isControl: boolean
  readonly outcome: Outcome
  readonly seconds: number
}

const columnNames = ['case', 'faults', 'acknowledged', 'lost', 'duplicated', 'stale', 'slowest', 'seconds', 'verdict']

export const hasPassed = ({ chaosCase, isControl, outcome: { faultCount, violations } }: RunResult): boolean => {
  if (faultCount === 0) return false
  return isControl
    ? violations.some(({ guarantee }) => guarantee === chaosCase.control.brokenGuarantee)
    : violations.length === 0
}

const verdictOf = (result: RunResult): string => {
  if (result.outcome.faultCount === 0) return 'VOID: the fault never occurred'
  if (result.isControl)
    return hasPassed(result)
      ? `breaks "${result.chaosCase.control.brokenGuarantee}" as expected`
      : 'FAILED: control passed'
  return hasPassed(result) ? 'passed' : 'FAILED'
}

export const reportText = (results: readonly RunResult[]): string => {
  const rows = [columnNames, ...results.map(rowCellsOf)]
  const widths = columnNames.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lastColumn = columnNames.length - 1
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === lastColumn ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const rowCellsOf = (result: RunResult): string[] => {
  const { chaosCase, isControl, outcome, seconds } = result
  return [
    isControl ? `  control: ${chaosCase.control.description}` : chaosCase.name,
    ...[
      outcome.faultCount,
      outcome.acknowledgedCount,
      outcome.lostCount,
      outcome.duplicatedCount,
      outcome.staleCount,
    ].map(String),
    `${Math.round(outcome.slowestMs)} ms`,
    seconds.toFixed(1),
    verdictOf(result),
  ]
}

/** The text that is printed as soon as one case or control has ended. */
export const resultText = (result: RunResult): string => {
  const { chaosCase, isControl, outcome, seconds } = result
  const name = isControl ? `${chaosCase.name}, control (${chaosCase.control.description})` : chaosCase.name
  const summary = `${name}: ${verdictOf(result)}, ${seconds.toFixed(1)} s`
  const details = [...outcome.violations.map(({ guarantee, message }) => `${guarantee}: ${message}`), ...outcome.notes]
  return [summary, ...details.map((detail) => `  ${detail}`)].join('\n')
}

export const totalsLine = (results: readonly RunResult[]): string => {
  const passedCount = results.filter(hasPassed).length
  return `${passedCount} passed, ${results.length - passedCount} failed`
}
