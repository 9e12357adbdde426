/** In charge of choices by chance that are the same on every machine: a failing run is repeated by its seed. */

import type { Random } from '../../../faults/random.ts'

export type { Random } from '../../../faults/random.ts'
export { randomNumbers } from '../../../faults/random.ts'

export const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T

/** So many different ones, in an order of chance. */
export const pickSome = <T>(random: Random, values: readonly T[], count: number): T[] => {
  const left = [...values]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)[0] as T)
}
