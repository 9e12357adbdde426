/** Long computations in slices, between which the process serves other requests. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const maxSliceMs = 2
/** A request needs several turns of the event loop: if there was a slice in each of them, it would wait for all. */
const turnsBetweenSlices = 4
/** Reading the clock takes as long as a simple item. */
const itemsPerClockRead = 16

let lastSlice: Promise<unknown> = Promise.resolve()

/** Waits for a turn of the event loop in which no other slice runs, however many requests are in progress. */
export const waitForTurn = (): Promise<unknown> => {
  lastSlice = lastSlice.then(async () => {
    for (let turn = 0; turn < turnsBetweenSlices; turn += 1) await nextTurn()
  })
  return lastSlice
}

export const mapInSlices = async <T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
): Promise<readonly U[]> => {
  const results: U[] = []
  let sliceStart = performance.now()
  for (const [index, item] of items.entries()) {
    if (index % itemsPerClockRead === 0 && performance.now() - sliceStart > maxSliceMs) {
      await waitForTurn()
      sliceStart = performance.now()
    }
    results.push(map(item, index))
  }
  return results
}

/** The text of the parts in pieces. Each piece takes one slice to make, and is made when it is read. */
export async function* textInSlices(parts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let text = ''
  let sliceStart = performance.now()
  for await (const part of parts) {
    text += part
    if (performance.now() - sliceStart <= maxSliceMs) continue
    yield text
    text = ''
    await waitForTurn()
    sliceStart = performance.now()
  }
  yield text
}

export const collectPieces = async (pieces: AsyncIterable<string>): Promise<readonly string[]> => {
  const collected: string[] = []
  for await (const piece of pieces) collected.push(piece)
  return collected
}
