/** Test reporter for run.ts: writes one JSON object per finished test. */
import type { TestEvent } from 'node:test/reporters'

export interface TestResult {
  readonly name: string
  readonly file: string | undefined
  readonly hasPassed: boolean
  /** Whether an assertion failed, rather than an unexpected error thrown. */
  readonly isAssertion: boolean
}

/** Failures that follow from that of another test or of a hook. */
const consequences = ['subtestsFailed', 'hookFailed', 'cancelledByParent', 'parentAlreadyFinished']

/** Suites are left out, as are skipped tests and failures that are only consequences of others. */
const resultOf = ({ type, data }: TestEvent): TestResult | undefined => {
  if (type === 'test:pass' && data.details.type !== 'suite' && data.skip === undefined)
    return { name: data.name, file: data.file, hasPassed: true, isAssertion: false }
  if (type !== 'test:fail') return undefined
  const { failureType, cause } = data.details.error as { failureType?: string; cause?: { code?: string } }
  if (consequences.includes(failureType ?? '')) return undefined
  return { name: data.name, file: data.file, hasPassed: false, isAssertion: cause?.code === 'ERR_ASSERTION' }
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of events) {
    const result = resultOf(event)
    if (result !== undefined) yield `${JSON.stringify(result)}\n`
  }
}
