/**
 * Random numbers depend only on a seed and a position, so any row can be generated without the rows before it.
 *
 * A random number can itself be used as a stream: the `randomKey` of a person, job or day is drawn once, and all random
 * attributes of that person, job or day are drawn from it at fixed positions.
 */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

export function hashText(text: string): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return mixBits(hash)
}

/** Mixes the bits of a number with the finalizer of MurmurHash3. */
function mixBits(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns the random 32-bit number at one position of a stream. */
export function randomUint32(stream: number, position: number): number {
  return mixBits(Math.imul(stream ^ Math.imul(position + 1, 0x9e3779b1), 0x2c1b3c6d) ^ (position >>> 7))
}

/** Returns a random number that is at least 0 and less than 1. */
export function randomFraction(stream: number, position: number): number {
  return randomUint32(stream, position) / 4294967296
}

/** Returns a random integer from 0 to `limit` - 1. */
export function randomBelow(stream: number, position: number, limit: number): number {
  return Math.floor(randomFraction(stream, position) * limit)
}

/**
 * Returns a function that maps a name to a stream of random numbers. Each name has its own stream, so drawing more
 * numbers from one stream does not change the others.
 */
export function streams(seed: string): (name: string) => number {
  return (name) => hashText(`${seed}/${name}`)
}

export function pick<T>(items: readonly T[], fraction: number): T {
  const item = items[Math.floor(fraction * items.length)]
  if (item === undefined) throw new RangeError('cannot pick from an empty list')
  return item
}

/** Converts weights to the cumulative shares that `pickWeighted` expects. The last share is 1. */
export function cumulativeWeights(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return sum / total
  })
}

/** Returns the index that a random fraction selects, so that each index is chosen in proportion to its share. */
export function pickWeighted(cumulativeShares: readonly number[], fraction: number): number {
  for (let index = 0; index < cumulativeShares.length - 1; index++)
    if (fraction < (cumulativeShares[index] as number)) return index
  return cumulativeShares.length - 1
}
