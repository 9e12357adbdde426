/** Generated requests with one or two errors. The service must reject each and report where the errors are. */
import * as fc from 'fast-check'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { runGenerated, seedFor } from '../generated.ts'
import { wrongBodies } from '../wrong-bodies.ts'
import { wrongItemIds, wrongQueries } from '../wrong-parameters.ts'
import { runsPerOperation, validCases } from './positive.ts'
import type { Source } from './source.ts'

const sourceName = 'negative'

export const negative: Source = {
  name: sourceName,
  about: 'generated requests that violate the OpenAPI document',
  run: (fuzzer) =>
    forEachInParallel(fuzzer.contract.operations, (operation) =>
      runGenerated(fuzzer, {
        source: sourceName,
        arbitrary: invalidRequests(fuzzer, operation).map((testCase) => ({
          source: sourceName,
          operation: operation.id,
          ...testCase,
        })),
        runs: runsPerOperation(fuzzer),
        seed: seedFor(fuzzer.seed, `${sourceName} ${operation.id}`),
      }),
    ),
}

const invalidRequests = (
  fuzzer: Fuzzer,
  operation: Operation,
): fc.Arbitrary<Pick<Case, 'about' | 'request' | 'expect'>> => {
  switch (operation.kind) {
    case 'list':
    case 'count':
    case 'report':
    case 'search':
      return wrongQueries(fuzzer, operation)
    case 'get':
      return fc.oneof(wrongItemIds(fuzzer, operation), wrongQueries(fuzzer, operation))
    case 'history':
      return wrongItemIds(fuzzer, operation)
    case 'create':
      return wrongBodies(fuzzer, operation)
    default:
      // System operations accept any query, even with broken percent-encoding.
      return fc
        .tuple(validCases(fuzzer, operation), fc.constantFrom('%zz', '%', '%ff', '=&=&', '?', 'a=%00', '%u0041'))
        .map(([{ request, expect }, brokenQuery]) => ({
          about: 'broken percent-encoding is ignored',
          request: { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${brokenQuery}` },
          expect,
        }))
  }
}
