/** In charge of chance that is the same on every machine: a failing run is repeated by its seed. */

export type Random = (below: number) => number

export const randomNumbers = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T

/** So many different ones, in an order of chance. */
export const pickSome = <T>(random: Random, values: readonly T[], count: number): T[] => {
  const left = [...values]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)[0] as T)
}
