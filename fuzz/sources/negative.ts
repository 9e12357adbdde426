/** In charge of generated requests that break the description in one or two places: each must be refused, naming the place. */
import * as fc from 'fast-check'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import { runGenerated, seedFor } from '../generated.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { wrongBodies } from '../wrong-bodies.ts'
import { wrongItemIds, wrongQueries } from '../wrong-parameters.ts'
import { arbitraryFor, runsEach } from './positive.ts'
import type { Source } from './source.ts'

const name = 'negative'

export const negative: Source = {
  name,
  about: 'generated requests that break the description',
  run: (machine) =>
    inParallel(machine.contract.operations, (operation) =>
      runGenerated(machine, {
        source: name,
        arbitrary: brokenRequests(machine, operation).map((asked) => ({
          source: name,
          operation: operation.id,
          ...asked,
        })),
        runs: runsEach(machine),
        seed: seedFor(machine.seed, `${name} ${operation.id}`),
      }),
    ),
}

const brokenRequests = (
  machine: Machine,
  operation: Operation,
): fc.Arbitrary<Pick<Case, 'about' | 'request' | 'expect'>> => {
  switch (operation.kind) {
    case 'list':
    case 'count':
      return wrongQueries(machine, operation)
    case 'get':
      return fc.oneof(wrongItemIds(machine, operation), wrongQueries(machine, operation))
    case 'create':
      return wrongBodies(machine, operation)
    default:
      // Nothing a client may send to them is wrong: broken escapes and all, they answer.
      return fc
        .tuple(arbitraryFor(machine, operation), fc.constantFrom('%zz', '%', '%ff', '=&=&', '?', 'a=%00', '%u0041'))
        .map(([{ request, expect }, broken]) => ({
          about: 'broken escapes are ignored',
          request: { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${broken}` },
          expect,
        }))
  }
}
