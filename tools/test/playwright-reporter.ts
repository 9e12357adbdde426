/** Reporter for Playwright: prints the number of passed and failed tests, and writes the results of each file. */
import type { FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { FileResults } from './file-results.ts'

export default class FileReporter implements Reporter {
  readonly #results = new FileResults()
  #suite: Suite | undefined

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onTestEnd(test: TestCase, { duration, error }: TestResult): void {
    this.#results.addFile(test.location.file, duration / 1_000, 1)
    if (test.outcome() !== 'expected')
      this.#results.addFailure(test.location.file, `${test.title}\n${error?.stack ?? error?.message ?? 'did not run'}`)
  }

  /** A test that was skipped or did not run counts as failed. */
  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    const tests = this.#suite?.allTests() ?? []
    // `--list` runs nothing.
    const wasListed = status === 'passed' && tests.every(({ results }) => results.length === 0)
    if (wasListed) return { status }
    for (const { location, title, results } of tests)
      if (results.length === 0) this.#results.addFailure(location.file, `${title}\ndid not run`)
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
