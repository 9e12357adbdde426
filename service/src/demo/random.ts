/** In charge of chance: numbers that follow from a seed and a position alone, so that any row can be made again without the rows before it. */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

export function seedNumber(text: string): number {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME)
  return finish(hash)
}

function finish(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A 32 bit number for one position of one stream. */
export function draw(stream: number, position: number): number {
  return finish(Math.imul(stream ^ Math.imul(position + 1, 0x9e3779b1), 0x2c1b3c6d) ^ (position >>> 7))
}

export function unit(stream: number, position: number): number {
  return draw(stream, position) / 4294967296
}

export function below(stream: number, position: number, limit: number): number {
  return Math.floor(unit(stream, position) * limit)
}

/** Streams with names: the draws of one never shift those of another. */
export function streams(seed: string): (name: string) => number {
  return (name) => seedNumber(`${seed}/${name}`)
}

export function pick<T>(items: readonly T[], fraction: number): T {
  const item = items[Math.floor(fraction * items.length)]
  if (item === undefined) throw new RangeError('cannot pick from an empty pool')
  return item
}

/** Cumulative weights, so that choosing is one short scan. */
export function ladder(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map((weight) => {
    sum += weight
    return sum / total
  })
}

export function climb(steps: readonly number[], fraction: number): number {
  for (let index = 0; index < steps.length - 1; index++) if (fraction < (steps[index] as number)) return index
  return steps.length - 1
}
