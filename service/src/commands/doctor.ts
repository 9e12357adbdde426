/** In charge of the command that looks at everything the service needs, and says of each what is wrong and how to mend it. */
import { readDatabaseUrl } from '../config.ts'
import { repairBooks } from '../database/repair.ts'
import type { Call, ExitCode } from './command.ts'
import { command, exitCodes } from './command.ts'
import type { Check, Finding, Patient } from './doctor/finding.ts'
import { connectTo } from './doctor/finding.ts'
import { roleSettings, rowCounts, triggers } from './doctor/integrity.ts'
import { clock, disk } from './doctor/machine.ts'
import { owner } from './doctor/owner.ts'
import { permissions, reading } from './doctor/rights.ts'
import { extensions, migrations } from './doctor/schema.ts'
import { durability, reachability, serverVersion } from './doctor/server.ts'
import { configuration, token } from './doctor/settings.ts'
import { ownerUrl } from './owner-url.ts'

export const checks: readonly Check[] = [
  configuration,
  token,
  reachability,
  serverVersion,
  extensions,
  migrations,
  triggers,
  rowCounts,
  permissions,
  reading,
  owner,
  roleSettings,
  durability,
  clock,
  disk,
]

export const doctor = command({
  name: 'doctor',
  summary: 'Check everything the service needs, and say how to mend what is wrong.',
  details: [
    'Checks the settings, the token, the database and its version, extensions, migrations, triggers, row counts, permissions, reading, owner, settings of roles, durability, clock and disk. Changes nothing without --repair.',
    'Ends with 0 when nothing is wrong and with 1 otherwise. Advice and what cannot be seen from here do not count as wrong.',
  ],
  arguments: [],
  options: {
    repair: {
      type: 'boolean',
      about:
        'Recreate triggers that are missing or changed, count all rows again and invalidate every cached response; writes wait meanwhile',
    },
  },
  examples: [['doctor', 'With the environment that the service will have']],
  async run({ env, io, values }) {
    if (values.repair) return repair(ownerUrl(env), io)
    const patient = await admit(env)
    let faults = 0
    try {
      for (const check of checks) {
        const finding = await check.look(patient)
        if (finding.verdict === 'wrong') faults += 1
        io.stdout.write(describe(check, finding))
      }
    } finally {
      await patient.client?.end()
    }
    io.stdout.write(
      faults === 0 ? 'Nothing is wrong.\n' : `${faults} of ${checks.length} checks found something wrong.\n`,
    )
    return faults === 0 ? exitCodes.done : exitCodes.refused
  },
})

const repair = async (url: string, io: Call['io']): Promise<ExitCode> => {
  let total = 0
  await repairBooks(url, ({ table, offBy, triggersReplaced }) => {
    total += offBy
    io.stdout.write(`${table.padEnd(20)}off by ${offBy}${triggersReplaced ? ', triggers replaced' : ''}\n`)
  })
  io.stdout.write(
    `The row counts ${total === 0 ? 'were right' : 'are right again'}. Every cached response was invalidated.\n`,
  )
  return exitCodes.done
}

const admit = async (env: Call['env']): Promise<Patient> => {
  const databaseUrl = urlIn(env)
  if (databaseUrl === undefined) return { env, client: undefined, databaseUrl, fault: undefined }
  try {
    return { env, client: await connectTo(databaseUrl, env), databaseUrl, fault: undefined }
  } catch (fault) {
    return { env, client: undefined, databaseUrl, fault }
  }
}

/** What is wrong with the address itself is told by the check of the configuration. */
const urlIn = (env: Call['env']): string | undefined => {
  try {
    return readDatabaseUrl(env)
  } catch {
    return undefined
  }
}

const describe = ({ about }: Check, { verdict, sentence, mend }: Finding): string => {
  const line = `${verdict.padEnd(9)}${about.padEnd(15)}${sentence}\n`
  return mend === undefined ? line : `${line}${' '.repeat(24)}mend: ${mend}\n`
}
