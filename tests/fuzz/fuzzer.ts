/** Sends cases, checks every response and keeps track of how many records each list must have. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Deviation } from './case.ts'
import { withUniqueText } from './case.ts'
import type { Contract } from './contract.ts'
import { addToCorpus } from './corpus.ts'
import type { HttpClient, HttpResponse } from './http-client.ts'
import type { Oracle } from './oracle.ts'
import type { Pools } from './pools.ts'
import { readTotals } from './pools.ts'
import { curlCommand } from './request.ts'
import type { Validators } from './response-validators.ts'
import type { Results } from './results.ts'

export interface Sizes {
  /** Number of generated cases, distributed over all declared operations. */
  readonly generated: number
  readonly roundTrips: number
  readonly sequences: number
  readonly pages: number
}

export interface FuzzerOptions {
  readonly contract: Contract
  readonly validators: Validators
  readonly oracle: Oracle
  readonly client: HttpClient
  /** Client of a second instance that runs without a write token. Undefined if there is no such instance. */
  readonly clientWithoutToken: HttpClient | undefined
  readonly pools: Pools
  readonly results: Results
  readonly sizes: Sizes
  readonly seed: number
  readonly saveFailures: boolean
}

export interface Attempt {
  /** The case as it was sent, with unique strings filled in. */
  readonly testCase: Case
  readonly response: HttpResponse | undefined
  readonly deviations: readonly Deviation[]
}

export interface Fuzzer extends FuzzerOptions {
  attempt(testCase: Case, client?: HttpClient): Promise<Attempt>
  /** Sends a case, checks the response and counts the result. A failed case is saved to the corpus. */
  run(testCase: Case, client?: HttpClient): Promise<Attempt>
  report(testCase: Case, deviations: readonly Deviation[]): Promise<void>
  /** Checks that each list has grown by exactly the number of 201 responses since the last call. */
  checkTotals(sourceName: string): Promise<void>
}

export const maxParallel = 8

const maxSavedPerSource = 5

export const openFuzzer = async (options: FuzzerOptions): Promise<Fuzzer> => {
  const { contract, oracle, client, results } = options
  let expectedTotals = await readTotals(contract, client)

  const attempt = async (caseTemplate: Case, httpClient: HttpClient = client): Promise<Attempt> => {
    const testCase = withUniqueText(caseTemplate)
    try {
      const response = await httpClient.send(testCase.request)
      if (response.status === 201) countCreated(testCase)
      const deviations = oracle.check(testCase, response)
      const isBusy =
        deviations.every(({ check }) => ['status expected', 'content type'].includes(check)) &&
        (await waitIfBusy(results, testCase, response))
      return isBusy ? attempt(caseTemplate, httpClient) : { testCase, response, deviations }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { testCase, response: undefined, deviations: [{ check: 'response received', message }] }
    }
  }

  const countCreated = ({ operation }: Case): void => {
    if (operation === undefined) return
    const { resource } = contract.operation(operation)
    expectedTotals.set(resource, (expectedTotals.get(resource) ?? 0) + 1)
  }

  const report = async (testCase: Case, deviations: readonly Deviation[]): Promise<void> => {
    // One bug can fail every row of a table of cases, so only the first failures of a source are saved.
    const isSaved =
      options.saveFailures && !testCase.dependsOnRun && results.countsOf(testCase.source).failed < maxSavedPerSource
    const file = isSaved ? await addToCorpus({ testCase }, deviations) : undefined
    results.addFailure({
      source: testCase.source,
      about: testCase.about,
      checks: deviations.map(({ check }) => check),
      lines: [
        ...deviations.map(({ check, message }) => `${check}: ${message}`),
        curlCommand(client.origin, withUniqueText(testCase).request),
        ...(file === undefined ? [] : [`saved as tests/fuzz/corpus/${file}`]),
      ],
    })
  }

  return {
    ...options,
    attempt,
    report,
    async run(testCase, httpClient) {
      const result = await attempt(testCase, httpClient)
      if (result.deviations.length === 0) results.countsOf(testCase.source).passed += 1
      else await report(testCase, result.deviations)
      return result
    },
    async checkTotals(sourceName) {
      const totals = await readTotals(contract, client)
      for (const [resource, total] of totals) {
        const expectedTotal = expectedTotals.get(resource)
        if (total === expectedTotal) results.countsOf('totals').passed += 1
        else
          results.addFailure({
            source: 'totals',
            about: `${resource}, after ${sourceName}`,
            checks: ['nothing left behind'],
            lines: [
              `nothing left behind: ${resource} has ${total} records, but the 201 responses account for ${expectedTotal}`,
            ],
          })
      }
      expectedTotals = totals
    },
  }
}

/** After this many 503 responses in a run, further ones count as failures. */
const maxBusyResponses = 50

/**
 * Waits for Retry-After if the service responded 503, because the test machine may be busy. Returns whether to retry.
 */
const waitIfBusy = async (results: Results, { expect }: Case, { status, headers }: HttpResponse): Promise<boolean> => {
  const seconds = Number(headers.get('retry-after'))
  if (status !== 503 || expect.status?.includes(503) || !(seconds > 0) || results.busyRetries >= maxBusyResponses)
    return false
  results.busyRetries += 1
  await pause(seconds * 1_000)
  return true
}

/** Calls `work` for each item, with at most `maxRunning` calls at the same time. */
export const forEachInParallel = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  maxRunning: number = maxParallel,
): Promise<void> => {
  const iterator = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: maxRunning }, worker))
}
