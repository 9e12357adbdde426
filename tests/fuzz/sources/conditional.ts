import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { getRequest } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath, requiredQuery } from './source.ts'

const sourceName = 'conditional'

export const conditional: Source = {
  name: sourceName,
  about: 'If-None-Match on every operation that declares 304',
  async run(fuzzer) {
    const readOperations = fuzzer.contract.operations.filter(({ responses }) => responses.has(304))
    await forEachInParallel(readOperations, async (operation) => {
      const firstRead = await fuzzer.run(makeCase(fuzzer, operation, 200))
      const etag = firstRead.response?.headers.get('etag') ?? ''
      for (const sentEtag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
        await fuzzer.run(makeCase(fuzzer, operation, 304, sentEtag))
      for (const sentEtag of ['"other"', '', 'x', '"']) await fuzzer.run(makeCase(fuzzer, operation, 200, sentEtag))
    })
  },
}

const makeCase = (fuzzer: Fuzzer, operation: Operation, status: number, sentEtag?: string): Case => ({
  source: sourceName,
  about: sentEtag === undefined ? 'a read without If-None-Match' : `If-None-Match of ${sentEtag.length} characters`,
  operation: operation.id,
  request: getRequest(
    `${apiPath(fuzzer, operation.path.replace('{item_id}', '1'))}?${new URLSearchParams(requiredQuery(operation))}`,
    sentEtag === undefined ? [] : [['If-None-Match', sentEtag]],
  ),
  expect: { status: [status] },
  dependsOnRun: true,
})
