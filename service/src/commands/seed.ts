/** In charge of the command that fills an empty database with the invented company, or checks the one that is there. */
import type { Size } from '../demo/plan.ts'
import { sizes } from '../demo/plan.ts'
import type { ExitCode, Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { announcedOwnerUrl } from './owner-url.ts'

export const seedCommand = command({
  name: 'seed',
  summary: 'Fill an empty database with an invented company, or check it.',
  details: [
    'The same size, seed and day always give the same company. A second run finds it there and changes nothing; other data is never touched.',
    'Connects as DATABASE_MIGRATE_URL where that is set, else as DATABASE_URL.',
  ],
  arguments: [],
  options: {
    size: { type: 'string', choices: sizes, about: 'How large a company; small where nothing is said' },
    employees: { type: 'string', value: 'N', about: 'A number of employees instead; everything else follows' },
    seed: { type: 'string', value: 'TEXT', about: 'Another text, another company' },
    'as-of': { type: 'string', value: 'YYYY-MM-DD', about: 'The day the company has reached' },
    check: { type: 'boolean', about: 'Check the company that is there against its rules, and count what breaks them' },
  },
  examples: [
    ['seed', 'A company of 250 people'],
    ['seed --size medium --seed winter', 'Some thousands, and others than those of "summer"'],
    ['seed --check', 'Prove that the company is coherent'],
  ],
  async run({ values, env, io }) {
    if (values.check) return check(announcedOwnerUrl(env, io), io)
    const { size, employees, seed: text, 'as-of': asOf } = values
    if (employees !== undefined && !/^\d{1,9}$/.test(employees))
      throw new UsageError(`--employees should be a whole number, and is "${employees}".`)
    const connectionString = announcedOwnerUrl(env, io)
    // Loaded here, so that the other commands need not carry the company's names and places.
    const { seed } = await import('../demo/seed.ts')
    const { progressPrinter } = await import('../demo/progress.ts')
    const { written, counts } = await seed({
      connectionString,
      onProgress: progressPrinter(io.stdout as Parameters<typeof progressPrinter>[0]),
      onWritten: () => io.stdout.write('all tables are written; gathering statistics\n'),
      ...(size === undefined ? {} : { size: size as Size }),
      ...(employees === undefined ? {} : { employees: Number(employees) }),
      ...(text === undefined ? {} : { seed: text }),
      ...(asOf === undefined ? {} : { asOf }),
    })
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const found = written ? `: ${total} rows` : ` already: ${total} rows, nothing changed`
    io.stdout.write(`The invented company is in the database${found}.\n`)
    return exitCodes.done
  },
})

const check = async (connectionString: string, { stdout }: Io): Promise<ExitCode> => {
  const { checkDatabase } = await import('../demo/check.ts')
  const results = await checkDatabase(connectionString, {
    onResult: ({ rule, checked, violations, seconds }) => {
      const verdict = violations === 0 ? 'holds ' : 'BROKEN'
      stdout.write(`${verdict} ${rule}: ${checked} checked, ${violations} violations, ${seconds.toFixed(1)} s\n`)
    },
  })
  const broken = results.filter(({ violations }) => violations > 0).length
  stdout.write(
    broken === 0 ? `All ${results.length} rules hold.\n` : `${broken} of ${results.length} rules are broken.\n`,
  )
  return broken === 0 ? exitCodes.done : exitCodes.refused
}
