/** In charge of what a fault is: something that goes wrong, what must hold all the same, and a control in which it does not. */
import type { House } from './house.ts'

/** What the service promises whatever goes wrong. */
export type Promised =
  | 'nothing lost'
  | 'nothing twice'
  | 'nothing stale'
  | 'answers'
  | 'in time'
  | 'stays up'
  | 'level'
  | 'books right'

export interface Broken {
  readonly promised: Promised
  readonly said: string
}

export interface Outcome {
  /** How often the fault happened; a run in which it never did says nothing. */
  readonly fired: number
  readonly acknowledged: number
  readonly lost: number
  readonly duplicated: number
  readonly stale: number
  readonly slowestMs: number
  readonly broken: readonly Broken[]
  /** Figures worth keeping beside those of the table. */
  readonly notes: readonly string[]
}

export interface Fault {
  /** As --only names it. */
  readonly name: string
  /** Left out of the short form: needs more time, quiet or rights than a check of every change can count on. */
  readonly onlyLong?: true
  /** Takes many minutes, and runs only when asked for by name. */
  readonly onlyByName?: true
  /** Run and control happen at the same time. */
  readonly mostlyWaits?: true
  run(house: House): Promise<Outcome>
  /** The same with what keeps the promise taken away: it must break that promise, or the run proves nothing. */
  readonly control: {
    readonly about: string
    readonly breaks: Promised
    run(house: House): Promise<Outcome>
  }
}

export const nothing: Outcome = {
  fired: 0,
  acknowledged: 0,
  lost: 0,
  duplicated: 0,
  stale: 0,
  slowestMs: 0,
  broken: [],
  notes: [],
}

/** The sentences of the promises that do not hold. */
export const unless = (...held: readonly [holds: boolean, promised: Promised, said: string][]): Broken[] =>
  held.filter(([holds]) => !holds).map(([, promised, said]) => ({ promised, said }))
