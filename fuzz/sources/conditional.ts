/** In charge of asking again: an answer's own tag finds it unchanged, any other tag does not. */
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import { read } from '../request.ts'
import type { Source } from './source.ts'
import { pathOf } from './source.ts'

const name = 'conditional'

export const conditional: Source = {
  name,
  about: 'tags sent back to every list and record',
  async run(machine) {
    const reads = machine.contract.operations.filter(({ kind }) => kind === 'list' || kind === 'get')
    await inParallel(reads, async (operation) => {
      const first = await machine.run(asked(machine, operation, 200))
      const tag = first.answer?.headers.get('etag') ?? ''
      for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
        await machine.run(asked(machine, operation, 304, held))
      for (const held of ['"other"', '', 'x', '"']) await machine.run(asked(machine, operation, 200, held))
    })
  },
}

const asked = (machine: Machine, operation: Operation, status: number, held?: string): Case => ({
  source: name,
  about: held === undefined ? 'an answer carries its tag' : `a tag of ${held.length} characters is held`,
  operation: operation.id,
  request: read(
    pathOf(machine, operation.path.replace('{item_id}', '1')),
    held === undefined ? [] : [['If-None-Match', held]],
  ),
  expect: { status: [status] },
  isOfThisRun: true,
})
