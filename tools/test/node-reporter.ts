/** Reporter for node:test that prints nothing and writes the results of each file. */
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { FileResults } from './file-results.ts'
import { isGroupFile } from './groups.ts'

export default async function* fileReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const results = new FileResults()
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined && !isGroupFile(data.file))
      results.addSeconds(data.file, data.duration_ms / 1_000)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // In a group, the suite of a file has the path of the file as its name.
    const isSuiteOfFile = isGroupFile(data.file ?? '')
    const file = isSuiteOfFile ? data.name : (data.file ?? data.name)
    if (isSuiteOfFile) results.addSeconds(file, data.details.duration_ms / 1_000)
    if (data.details.type === 'test') results.addTest(file)
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
