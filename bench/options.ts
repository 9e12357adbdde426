/** In charge of what the bench was asked for: its command line, and the database server it may use. */
import { parseArgs } from 'node:util'

export interface Options {
  /** Seconds per measurement, and before it to warm up. */
  readonly seconds: number
  readonly warmUp: number
  /** Rows of the table that rates are taken on, and of the large one. */
  readonly rows: number
  readonly large: number
  readonly rounds: number
  /** Names of the cases to run; all when empty. */
  readonly only: readonly string[]
  readonly keep: boolean
  readonly reportOnly: boolean
  readonly databaseUrl: string
}

export class UsageError extends Error {}

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
  const seconds = positive('--seconds', values.seconds)
  const rows = positive('--rows', values.rows)
  if (rows % 20 !== 0 || rows < 2_000) throw new UsageError('--rows should be a multiple of 20, and at least 2000.')
  const large = positive('--large', values.large)
  if (large < 100_000) throw new UsageError('--large should be at least 100000.')
  const databaseUrl = env.DATABASE_URL ?? ''
  if (databaseUrl === '' && !values['report-only'])
    throw new UsageError(
      'DATABASE_URL is not set: give it a PostgreSQL superuser on a server with nothing else to do, such as postgres://postgres@127.0.0.1:5432/postgres.',
    )
  return {
    seconds,
    warmUp: Math.max(1, Math.ceil(seconds / 3)),
    rows,
    large,
    rounds: positive('--rounds', values.rounds),
    only: values.only.split(',').filter((name) => name !== ''),
    keep: values.keep,
    reportOnly: values['report-only'],
    databaseUrl,
  }
}

const positive = (name: string, text: string): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new UsageError(`${name} should be a whole number above 0, and is "${text}".`)
  return value
}
