/** Reporter for node:test that prints nothing and writes the results of each file. */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { FileResults } from './file-results.ts'

export default async function* fileReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const results = new FileResults()
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined)
      results.addFile(data.file, data.duration_ms / 1_000, data.counts.tests)
    if (type === 'test:fail') {
      const error: Error & { failureType?: string } = data.details.error
      // A failed test also fails its parents.
      if (error.failureType === 'subtestsFailed') continue
      results.addFailure(data.file ?? data.name, `${data.name}\n${inspect(error.cause ?? error)}`)
    }
  }
  await results.write()
  // Prints nothing.
  yield ''
}
