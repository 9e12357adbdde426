/** Reporter for vitest: prints the number of passed and failed tests, and writes the results of each file. */
import type { Reporter, TestModule } from 'vitest/node'
import { FileResults } from './file-results.ts'

export default class FileReporter implements Reporter {
  /** A test that was skipped or did not run counts as failed, and so does a file that could not be loaded. */
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const results = new FileResults()
    let passed = 0
    let failed = 0
    for (const module of modules) {
      const fail = (text: string): void => {
        failed += 1
        results.addFailure(module.moduleId, text)
      }
      results.addSeconds(module.moduleId, module.diagnostic().duration / 1_000)
      for (const error of module.errors()) fail(error.stack ?? error.message)
      for (const test of module.children.allTests()) {
        results.addTest(module.moduleId)
        const { state, errors = [] } = test.result()
        if (state === 'passed') passed += 1
        else
          fail(`${test.fullName}\n${errors.map(({ stack, message }) => stack ?? message).join('\n') || 'did not run'}`)
      }
    }
    await results.write()
    console.log(`${passed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  }
}
