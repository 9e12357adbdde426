/** Reporter for Playwright: prints the number of passed and failed tests, and writes the results of each file. */
import type { FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { FileResults } from './file-results.ts'

/** The test file. A test that a helper defines is located in the file of the helper. */
const fileOf = (test: TestCase): string => {
  let suite: Suite | undefined = test.parent
  while (suite !== undefined && suite.type !== 'file') suite = suite.parent
  return suite?.location?.file ?? test.location.file
}

export default class FileReporter implements Reporter {
  readonly #results = new FileResults()
  #suite: Suite | undefined

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onTestEnd(test: TestCase, { duration, error }: TestResult): void {
    this.#results.addSeconds(fileOf(test), duration / 1_000)
    this.#results.addTest(fileOf(test))
    if (test.outcome() !== 'expected')
      this.#results.addFailure(fileOf(test), `${test.title}\n${error?.stack ?? error?.message ?? 'did not run'}`)
  }

  /** A test that was skipped or did not run counts as failed. */
  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    const tests = this.#suite?.allTests() ?? []
    // `--list` runs nothing.
    const wasListed = status === 'passed' && tests.every(({ results }) => results.length === 0)
    if (wasListed) return { status }
    for (const test of tests)
      if (test.results.length === 0) this.#results.addFailure(fileOf(test), `${test.title}\ndid not run`)
    await this.#results.write()
    const passed = tests.filter((test) => test.outcome() === 'expected').length
    const failed = tests.length - passed
    console.log(`${passed} passed, ${failed} failed`)
    return { status: status === 'passed' && failed > 0 ? 'failed' : status }
  }

  printsToStdio(): boolean {
    return false
  }
}
