/** In charge of the command that fills an empty database with the invented company, or checks the one that is there. */
import { parseArgs } from 'node:util'
import { OperatorError } from '../src/database/operator-error.ts'
import { checkDatabase } from '../src/demo/check.ts'
import type { Size } from '../src/demo/plan.ts'
import { sizes } from '../src/demo/plan.ts'
import { progressPrinter } from '../src/demo/progress.ts'
import { seed } from '../src/demo/seed.ts'

const USAGE = `Usage: seed [--size ${sizes.join('|')}] [--employees N] [--seed TEXT] [--as-of YYYY-MM-DD] [--check]`

interface Arguments {
  readonly size?: Size
  readonly employees?: number
  readonly seed?: string
  readonly asOf?: string
  readonly check: boolean
}

const readArguments = (): Arguments => {
  const values = parse()
  const { size, employees } = values
  if (size !== undefined && !sizes.includes(size as Size))
    throw new OperatorError(`There is no size ${size}: choose ${sizes.join(', ')}.`)
  if (employees !== undefined && !/^\d{1,9}$/.test(employees))
    throw new OperatorError(`${employees} is not a number of employees: give --employees a whole number.`)
  return {
    check: values.check ?? false,
    ...(size === undefined ? {} : { size: size as Size }),
    ...(employees === undefined ? {} : { employees: Number(employees) }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(values['as-of'] === undefined ? {} : { asOf: values['as-of'] }),
  }
}

const parse = () => {
  try {
    return parseArgs({
      options: {
        size: { type: 'string' },
        employees: { type: 'string' },
        seed: { type: 'string' },
        'as-of': { type: 'string' },
        check: { type: 'boolean' },
      },
    }).values
  } catch {
    throw new OperatorError(`${USAGE}.`)
  }
}

const databaseUrl = (): string => {
  const url = (process.env.DATABASE_MIGRATE_URL?.trim() || process.env.DATABASE_URL?.trim()) ?? ''
  if (url === '')
    throw new OperatorError(
      'DATABASE_URL is not set: set it to the database to seed, such as postgres://user:password@host:5432/muster.',
    )
  return url
}

const fill = async (connectionString: string, options: Omit<Arguments, 'check'>): Promise<void> => {
  const { written, counts } = await seed({
    connectionString,
    ...options,
    onProgress: progressPrinter(process.stdout),
    onWritten: () => console.log('all tables are written; gathering statistics'),
  })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  console.log(
    written
      ? `The invented company is in the database: ${total} rows.`
      : `The invented company is in the database already: ${total} rows, nothing changed.`,
  )
}

const check = async (connectionString: string): Promise<void> => {
  const results = await checkDatabase(connectionString, {
    onResult: ({ rule, checked, violations, seconds }) =>
      console.log(
        `${violations === 0 ? 'holds ' : 'BROKEN'} ${rule}: ${checked} checked, ${violations} violations, ${seconds.toFixed(1)} s`,
      ),
  })
  const broken = results.filter(({ violations }) => violations > 0).length
  console.log(broken === 0 ? `All ${results.length} rules hold.` : `${broken} of ${results.length} rules are broken.`)
  if (broken > 0) process.exitCode = 1
}

const run = async (): Promise<void> => {
  const { check: checking, ...options } = readArguments()
  await (checking ? check(databaseUrl()) : fill(databaseUrl(), options))
}

try {
  await run()
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exitCode = 1
}
