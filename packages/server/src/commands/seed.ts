import type { Size } from '@muster/demo-data/sizes'
import { sizes } from '@muster/demo-data/sizes'
import type { ExitCode, Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { checkDatabase, progressPrinter, seedDatabase } from './demo-company.ts'
import { announcedOwnerUrl } from './owner-url.ts'

export const seedCommand = command({
  name: 'seed',
  summary: 'Fill an empty database with an invented company, or check an existing one.',
  details: [
    'The same size, seed and date always produce the same company. A second run changes nothing. Other data is never touched.',
    'Connects as DATABASE_MIGRATE_URL if it is set, otherwise as DATABASE_URL.',
  ],
  arguments: [],
  options: {
    size: { type: 'string', choices: sizes, about: 'Size of the company; default: small' },
    employees: {
      type: 'string',
      value: 'N',
      about: 'Number of employees, instead of a size; everything else scales with it',
    },
    seed: { type: 'string', value: 'TEXT', about: 'Any text; another text produces another company' },
    'as-of': { type: 'string', value: 'YYYY-MM-DD', about: 'Current date of the company; default: a fixed date' },
    'with-faults': { type: 'boolean', about: 'Plant one fault of each kind in the data' },
    check: { type: 'boolean', about: 'Check the existing company against its rules, and count violations' },
  },
  examples: [
    ['seed', 'A company of 250 people'],
    ['seed --size medium --seed winter', 'A few thousand people; another --seed gives other people'],
    ['seed --check', 'Check that the company is consistent'],
  ],
  async run({ values, env, io }) {
    if (values.check) return checkAndReport(announcedOwnerUrl(env, io), io)
    const { size, employees, seed: seedText, 'as-of': asOf, 'with-faults': withFaults } = values
    if (employees !== undefined && !/^\d{1,9}$/.test(employees))
      throw new UsageError(`--employees must be a whole number, not "${employees}".`)
    const connectionString = announcedOwnerUrl(env, io)
    const { written, counts } = await seedDatabase(connectionString, {
      onProgress: await progressPrinter(io.stdout as Parameters<typeof progressPrinter>[0]),
      onWritten: () => io.stdout.write('all tables are written; gathering statistics\n'),
      ...(size === undefined ? {} : { size: size as Size }),
      ...(employees === undefined ? {} : { employees: Number(employees) }),
      ...(seedText === undefined ? {} : { seed: seedText }),
      ...(asOf === undefined ? {} : { asOf }),
      ...(withFaults === undefined ? {} : { withFaults }),
    })
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const outcome = written ? `: ${total} rows` : ` already: ${total} rows, nothing changed`
    io.stdout.write(`The invented company is in the database${outcome}.\n`)
    return exitCodes.success
  },
})

const checkAndReport = async (connectionString: string, { stdout }: Io): Promise<ExitCode> => {
  const results = await checkDatabase(connectionString, {
    onResult: ({ rule, checked, violations, seconds }) => {
      const verdict = violations === 0 ? 'holds ' : 'BROKEN'
      stdout.write(`${verdict} ${rule}: ${checked} checked, ${violations} violations, ${seconds.toFixed(1)} s\n`)
    },
  })
  const brokenCount = results.filter(({ violations }) => violations > 0).length
  stdout.write(
    brokenCount === 0
      ? `All ${results.length} rules hold.\n`
      : `${brokenCount} of ${results.length} rules are broken.\n`,
  )
  return brokenCount === 0 ? exitCodes.success : exitCodes.failure
}
