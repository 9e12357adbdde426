/** Pseudorandom numbers from a seed. The same seed gives the same numbers on every machine. */

export type Random = (below: number) => number

export const randomNumbers = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T

/** Picks `count` different elements in random order. */
export const pickSome = <T>(random: Random, values: readonly T[], count: number): T[] => {
  const remaining = [...values]
  return Array.from(
    { length: Math.min(count, remaining.length) },
    () => remaining.splice(random(remaining.length), 1)[0] as T,
  )
}
