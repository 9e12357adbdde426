import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Options {
  /** Runs fewer rounds with fewer records, so that the run is short enough for `npm run check`. */
  readonly isShort: boolean
  /** Names of the cases to run. If empty, all cases run except those marked `onlyByName`. */
  readonly only: readonly string[]
  /** Duration of the `soak` case in minutes. */
  readonly minutes: number
  readonly seed: number
}

export class UsageError extends Error {}

const usage = 'node tests/chaos/run.ts [--short] [--only NAME,NAME] [--minutes N] [--seed S]'

export const parseOptions = (args: readonly string[], caseNames: readonly string[]): Options => {
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
  const unknownCase = only.find((name) => !caseNames.includes(name))
  if (unknownCase !== undefined)
    throw new UsageError(`Unknown case "${unknownCase}". Known cases: ${caseNames.join(', ')}.\n${usage}`)
  return {
    isShort: values.short,
    only,
    minutes: parseInteger('--minutes', values.minutes),
    seed: values.seed === undefined ? randomInt(2 ** 31) : parseInteger('--seed', values.seed),
  }
}

const parseInteger = (name: string, text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`${name} must be a whole number, not "${text}".\n${usage}`)
  return Number(text)
}
