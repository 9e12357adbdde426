import type { FullResult, Reporter, Suite } from '@playwright/test/reporter'

/** Prints the counts in the form that `.ci/run` adds up. A test that was skipped or did not run counts as failed. */
export default class CountReporter implements Reporter {
  #suite: Suite | undefined

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    const tests = this.#suite?.allTests() ?? []
    // `--list` runs nothing.
    const wasListed = status === 'passed' && tests.every(({ results }) => results.length === 0)
    if (wasListed) return { status }
    const passed = tests.filter((test) => test.outcome() === 'expected').length
    const failed = tests.length - passed
    console.log(`${passed} passed, ${failed} failed`)
    return { status: status === 'passed' && failed > 0 ? 'failed' : status }
  }

  printsToStdio(): boolean {
    return false
  }
}
