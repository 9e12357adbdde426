import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectPieces, mapInSlices, textInSlices } from '../src/slices.ts'

/** Keeps the process busy for this time. */
const compute = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Calls `run`, and counts the turns of the event loop until it ends. */
const countTurns = async (run: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isRunning = true
  const count = () => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await run()
  isRunning = false
  return turns
}

describe('a map in slices', () => {
  it('returns the results in the order of the items', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => index)
    assert.deepEqual(
      await mapInSlices(items, (item, index) => {
        compute(0.02)
        return `${item} ${index}`
      }),
      items.map((item) => `${item} ${item}`),
    )
    assert.deepEqual(await mapInSlices([], () => 1), [])
  })

  it('lets the event loop turn between slices of a few milliseconds', async () => {
    const turns = await countTurns(() => mapInSlices(new Array(320).fill(0), () => compute(0.5)))
    // 160 ms in slices of 16 items or 8 ms.
    assert.ok(turns >= 18, `${turns} turns`)
  })

  it('runs one slice per turn, however many maps run', async () => {
    const map = () => mapInSlices(new Array(160).fill(0), () => compute(0.5))
    const turns = await countTurns(() => Promise.all([map(), map(), map(), map()]))
    // Four maps of ten slices each. The first slice of each runs in the turn of its caller.
    assert.ok(turns >= 34, `${turns} turns`)
  })
})

describe('a text in slices', () => {
  it('consists of all parts, in pieces of a few milliseconds', async () => {
    const parts = function* () {
      for (let part = 0; part < 100; part += 1) {
        compute(0.5)
        yield `${part} `
      }
    }
    let pieces: readonly string[] = []
    const turns = await countTurns(async () => {
      pieces = await collectPieces(textInSlices(parts()))
    })
    assert.equal(pieces.join(''), [...parts()].join(''))
    // 50 ms in slices of at least 2 ms, each of at most a few parts.
    assert.ok(pieces.length >= 10 && turns >= pieces.length, `${pieces.length} pieces, ${turns} turns`)
  })
})
