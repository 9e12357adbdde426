/** In charge of what a run of the fault harness is told: which faults, how large, which seed. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  /** Sizes that a check of every change can afford. */
  readonly short: boolean
  /** Names of the faults to run; empty for all that do not take minutes. */
  readonly only: readonly string[]
  /** Length of the soak. */
  readonly minutes: number
  readonly seed: number
}

export class UsageError extends Error {}

const usage = 'node faults/run.ts [--short] [--only NAME,NAME] [--minutes N] [--seed S]'

export const readOptions = (args: readonly string[], names: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string' },
    },
  })
  const only = values.only.split(',').filter((name) => name !== '')
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`There is no fault "${unknown}"; there are ${names.join(', ')}.\n${usage}`)
  return {
    short: values.short,
    only,
    minutes: wholeNumber('--minutes', values.minutes),
    seed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed),
  }
}

const wholeNumber = (name: string, text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`${name} should be a whole number, and is "${text}".\n${usage}`)
  return Number(text)
}
