/** In charge of numbers that look random and are the same on every machine: a run is repeated by its seed. */

export type Random = (below: number) => number

export const randomNumbers = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
