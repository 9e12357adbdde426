/** Reporter for the groups of run-groups.ts. Prints nothing and writes the results of each test file. */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { FileResults } from './file-results.ts'

export default async function* fileReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const results = new FileResults()
  /** The test file that each group is running. Its suite has the path of the file as name. */
  const runningFiles = new Map<string, string>()
  for await (const { type, data } of events) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    // `file` is where a test is defined, which may be a helper. `entryFile` is the file that the process runs.
    const { entryFile: group = data.file ?? data.name } = data as { entryFile?: string }
    if (type === 'test:start') {
      if (data.nesting === 0) runningFiles.set(group, data.name)
      continue
    }
    const file = runningFiles.get(group) ?? group
    if (data.nesting === 0 && data.name === file) results.addSeconds(file, data.details.duration_ms / 1_000)
    if (data.details.type === 'test') results.addTest(file)
    if (data.skip !== undefined || data.todo !== undefined) results.addFailure(file, `${data.name}\nwas skipped`)
    if (type === 'test:fail') {
      const error: Error & { failureType?: string } = data.details.error
      // A failed test also fails its parents.
      if (error.failureType === 'subtestsFailed') continue
      results.addFailure(file, `${data.name}\n${inspect(error.cause ?? error)}`)
    }
  }
  await results.write()
  // Prints nothing.
  yield ''
}
