import type { Environment } from './environment.ts'

/** What the service guarantees while a fault occurs. */
export type Guarantee =
  | 'no lost records'
  | 'no duplicates'
  | 'no stale reads'
  | 'expected responses'
  | 'in time'
  | 'stays up'
  | 'bounded resources'
  | 'correct row counts'
  | 'correct history'

export interface Violation {
  readonly guarantee: Guarantee
  readonly message: string
}

export interface Outcome {
  /** How often the fault occurred. A run in which the fault never occurred proves nothing. */
  readonly faultCount: number
  readonly acknowledgedCount: number
  readonly lostCount: number
  readonly duplicatedCount: number
  readonly staleCount: number
  readonly slowestMs: number
  readonly violations: readonly Violation[]
  /** Further figures, printed below the case. */
  readonly notes: readonly string[]
}

export interface ChaosCase {
  /** Name by which the option `--only` selects the case. */
  readonly name: string
  /** The case is left out of runs with --short, because it needs more time, an idle machine or more permissions. */
  readonly onlyLong?: true
  /** The case runs only if it is named with `--only`, because it takes many minutes. */
  readonly onlyByName?: true
  /** The run and its control mostly wait, so they run at the same time. */
  readonly runsBesideControl?: true
  run(environment: Environment): Promise<Outcome>
  /**
   * The same run with the protection removed. If this run does not break the guarantee, the case cannot detect a
   * service that breaks it.
   */
  readonly control: {
    readonly description: string
    readonly brokenGuarantee: Guarantee
    run(environment: Environment): Promise<Outcome>
  }
}

export const emptyOutcome: Outcome = {
  faultCount: 0,
  acknowledgedCount: 0,
  lostCount: 0,
  duplicatedCount: 0,
  staleCount: 0,
  slowestMs: 0,
  violations: [],
  notes: [],
}

/** Turns every check that does not hold into a violation. */
export const failedChecks = (
  ...checks: readonly [holds: boolean, guarantee: Guarantee, message: string][]
): Violation[] => checks.filter(([holds]) => !holds).map(([, guarantee, message]) => ({ guarantee, message }))

/** The figures of several runs in one outcome. */
export const sumOutcomes = (outcomes: readonly Outcome[]): Outcome => {
  const sumOf = (figureOf: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + figureOf(outcome), 0)
  return {
    faultCount: sumOf(({ faultCount }) => faultCount),
    acknowledgedCount: sumOf(({ acknowledgedCount }) => acknowledgedCount),
    lostCount: sumOf(({ lostCount }) => lostCount),
    duplicatedCount: sumOf(({ duplicatedCount }) => duplicatedCount),
    staleCount: sumOf(({ staleCount }) => staleCount),
    slowestMs: Math.max(...outcomes.map(({ slowestMs }) => slowestMs)),
    violations: outcomes.flatMap(({ violations }) => violations),
    notes: outcomes.flatMap(({ notes }) => notes),
  }
}
