import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'

export interface Options {
  /** Duration of each measurement, in seconds. */
  readonly seconds: number
  /** Duration of the warm-up before each measurement, in seconds. */
  readonly warmUp: number
  /** Number of rows in the table on which rates are measured. */
  readonly rows: number
  /** Number of rows in the large table. */
  readonly large: number
  readonly rounds: number
  /** Names of the benchmark cases to run. If the list is empty, all cases run. */
  readonly only: readonly string[]
  /** If true, the benchmark databases are kept for the next run. */
  readonly keep: boolean
  /** If true, the report is written from stored results, and nothing is measured. */
  readonly reportOnly: boolean
  readonly databaseUrl: string
}

export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '8' },
      rows: { type: 'string', default: '100000' },
      large: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
      'report-only': { type: 'boolean', default: false },
    },
  })
  const seconds = parsePositive('--seconds', values.seconds)
  const rows = parsePositive('--rows', values.rows)
  if (rows % 20 !== 0 || rows < 2_000) throw new UsageError('--rows must be a multiple of 20, and at least 2000.')
  const large = parsePositive('--large', values.large)
  if (large < 100_000) throw new UsageError('--large must be at least 100000.')
  const databaseUrl = env.DATABASE_URL ?? ''
  if (databaseUrl === '' && !values['report-only'])
    throw new UsageError(
      'DATABASE_URL is not set: set it to a superuser of an otherwise idle PostgreSQL server, such as postgres://postgres@127.0.0.1:5432/postgres.',
    )
  return {
    seconds,
    warmUp: Math.max(1, Math.ceil(seconds / 3)),
    rows,
    large,
    rounds: parsePositive('--rounds', values.rounds),
    only: values.only.split(',').filter((name) => name !== ''),
    keep: values.keep,
    reportOnly: values['report-only'],
    databaseUrl,
  }
}

const parsePositive = (name: string, text: string): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new UsageError(`${name} must be a positive integer, not "${text}".`)
  return value
}
