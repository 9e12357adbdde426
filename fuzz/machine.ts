/** In charge of one run: sends cases, has every answer judged, and keeps count of what the service said it had created. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Deviation } from './case.ts'
import { withUniqueText } from './case.ts'
import type { Contract } from './contract.ts'
import { keep } from './corpus.ts'
import type { Oracle } from './oracle.ts'
import type { Pools } from './pools.ts'
import { readTotals } from './pools.ts'
import { curlLine } from './request.ts'
import type { Validators } from './response-validators.ts'
import type { Tally } from './tally.ts'
import type { Answer, Wire } from './wire.ts'

export interface Sizes {
  /** Cases to generate over all declared operations. */
  readonly generated: number
  readonly roundTrips: number
  readonly sequences: number
  readonly pages: number
}

export interface MachineParts {
  readonly contract: Contract
  readonly validators: Validators
  readonly oracle: Oracle
  readonly wire: Wire
  /** The same service without a write token, where one runs. */
  readonly wireWithoutToken: Wire | undefined
  readonly pools: Pools
  readonly tally: Tally
  readonly sizes: Sizes
  readonly seed: number
  readonly keepsFailures: boolean
}

export interface Attempt {
  /** The request as it went out, and what was expected of it. */
  readonly asked: Case
  readonly answer: Answer | undefined
  readonly deviations: readonly Deviation[]
}

export interface Machine extends MachineParts {
  attempt(asked: Case, wire?: Wire): Promise<Attempt>
  /** Attempts a case, counts it and writes it down where it fails. */
  run(asked: Case, wire?: Wire): Promise<Attempt>
  report(asked: Case, deviations: readonly Deviation[]): Promise<void>
  /** Counts every list and holds the result against what was answered 201 since the last time. */
  checkNothingLeftBehind(after: string): Promise<void>
}

export const parallel = 8

const keptPerSource = 5

export const openMachine = async (parts: MachineParts): Promise<Machine> => {
  const { contract, oracle, wire, tally } = parts
  let expectedTotals = await readTotals(contract, wire)

  const attempt = async (given: Case, over: Wire = wire): Promise<Attempt> => {
    const asked = withUniqueText(given)
    try {
      const answer = await over.send(asked.request)
      if (answer.status === 201) countCreated(asked)
      const deviations = oracle.judge(asked, answer)
      const isBusy =
        deviations.every(({ check }) => check === 'status expected') && (await waitsOut(tally, asked, answer))
      return isBusy ? attempt(given, over) : { asked, answer, deviations }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { asked, answer: undefined, deviations: [{ check: 'answered', message }] }
    }
  }

  const countCreated = ({ operation }: Case): void => {
    if (operation === undefined) return
    const { resource } = contract.operation(operation)
    expectedTotals.set(resource, (expectedTotals.get(resource) ?? 0) + 1)
  }

  const report = async (asked: Case, deviations: readonly Deviation[]): Promise<void> => {
    // A fault that fails a whole table needs no file for each of its rows.
    const keeps = parts.keepsFailures && !asked.isOfThisRun && tally.of(asked.source).failed < keptPerSource
    const file = keeps ? await keep({ asked }, deviations) : undefined
    tally.fail({
      source: asked.source,
      about: asked.about,
      checks: deviations.map(({ check }) => check),
      lines: [
        ...deviations.map(({ check, message }) => `${check}: ${message}`),
        curlLine(wire.host, withUniqueText(asked).request),
        ...(file === undefined ? [] : [`kept as fuzz/corpus/${file}`]),
      ],
    })
  }

  return {
    ...parts,
    attempt,
    report,
    async run(asked, over) {
      const attempted = await attempt(asked, over)
      if (attempted.deviations.length === 0) tally.of(asked.source).passed += 1
      else await report(asked, attempted.deviations)
      return attempted
    },
    async checkNothingLeftBehind(after) {
      const totals = await readTotals(contract, wire)
      for (const [resource, total] of totals) {
        const due = expectedTotals.get(resource)
        if (total === due) tally.of('totals').passed += 1
        else
          tally.fail({
            source: 'totals',
            about: `${resource}, after ${after}`,
            checks: ['nothing left behind'],
            lines: [`nothing left behind: ${resource} counts ${total}, and ${due} by what was answered 201`],
          })
      }
      expectedTotals = totals
    },
  }
}

/** A service that is busy more often than this is at fault. */
const maxBusy = 50

/** Waits as long as a busy service asks for, while that may still be put down to the machine it runs on. */
const waitsOut = async (tally: Tally, { expect }: Case, { status, headers }: Answer): Promise<boolean> => {
  const seconds = Number(headers.get('retry-after'))
  if (status !== 503 || expect.status?.includes(503) || !(seconds > 0) || tally.busy >= maxBusy) return false
  tally.busy += 1
  await pause(seconds * 1_000)
  return true
}

/** Works through the items with several at a time. */
export const inParallel = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  width: number = parallel,
): Promise<void> => {
  const rest = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
