import { readDatabaseUrl } from '../config/database-url.ts'
import { repairDatabase } from '../postgres/row-counts/rebuild.ts'
import { printable } from '../printable.ts'
import type { CommandCall, ExitCode } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { analystCheck } from './doctor/analyst.ts'
import { careerSitesCheck } from './doctor/career-sites.ts'
import { changeFeedCheck } from './doctor/change-feed.ts'
import { checkData } from './doctor/data.ts'
import type { Check, CheckContext, Finding } from './doctor/finding.ts'
import { connectTo } from './doctor/finding.ts'
import { historyCheck, roleSettingsCheck, rowCountsCheck, triggersCheck } from './doctor/integrity.ts'
import { clockCheck, diskCheck } from './doctor/machine.ts'
import { ownerCheck } from './doctor/owner.ts'
import { permissionsCheck, readerCheck } from './doctor/permissions.ts'
import { readAccessCheck } from './doctor/read-access.ts'
import { extensionsCheck, migrationsCheck } from './doctor/schema.ts'
import { durabilityCheck, reachabilityCheck, serverVersionCheck } from './doctor/server.ts'
import { configurationCheck, tokenCheck } from './doctor/settings.ts'
import { webhooksCheck } from './doctor/webhooks.ts'
import { ownerUrl } from './owner-url.ts'

export const checks: readonly Check[] = [
  configurationCheck,
  tokenCheck,
  reachabilityCheck,
  serverVersionCheck,
  extensionsCheck,
  migrationsCheck,
  triggersCheck,
  rowCountsCheck,
  historyCheck,
  changeFeedCheck,
  webhooksCheck,
  careerSitesCheck,
  readAccessCheck,
  permissionsCheck,
  readerCheck,
  ownerCheck,
  roleSettingsCheck,
  analystCheck,
  durabilityCheck,
  clockCheck,
  diskCheck,
]

export const doctor = command({
  name: 'doctor',
  summary: 'Check everything the service needs, and show how to fix what is wrong.',
  details: [
    'Checks settings, token, database, version, extensions, migrations, triggers, row counts, change feed, webhooks, career sites, privacy, permissions of the writer, reader and owner, role settings, the role for BI tools, durability, clock and disk. Changes nothing without --repair.',
    'Exits with 0 if nothing is wrong, otherwise with 1. Advice and checks that could not run do not count as wrong.',
    'A fix is a shell command. $ADMIN_URL in it is the URL of the database as an administrator of the server. Replace passwords and hosts in it by yours.',
    'With --data, checks the records instead: whether they keep the rules of the report data-health. Connects as DATABASE_READ_URL if it is set, otherwise as DATABASE_URL. Exits with 1 if a rule of severity error is broken.',
  ],
  arguments: [],
  options: {
    data: {
      type: 'boolean',
      about: 'Check the records of the company: one line per rule, with the path of the list of records that break it',
    },
    repair: {
      type: 'boolean',
      about:
        'Recreate missing or changed triggers, recount all rows and invalidate every cached response; writes wait meanwhile',
    },
  },
  examples: [
    ['doctor', 'Run it with the environment of the service'],
    ['doctor --data', 'See whether the records contradict each other'],
  ],
  async run({ env, io, values }) {
    if (values.repair && values.data) throw new UsageError('--data changes nothing: remove --repair.')
    if (values.data) return checkData(readDatabaseUrl(env, 'DATABASE_READ_URL'), io)
    if (values.repair) return repair(ownerUrl(env), io)
    const context = await openContext(env)
    let failedCount = 0
    try {
      for (const check of checks) {
        const finding = await check.run(context)
        if (finding.verdict === 'wrong') failedCount += 1
        io.stdout.write(formatFinding(check, finding))
      }
    } finally {
      await context.client?.end()
    }
    io.stdout.write(
      failedCount === 0 ? 'Nothing is wrong.\n' : `${failedCount} of ${checks.length} checks found something wrong.\n`,
    )
    return failedCount === 0 ? exitCodes.success : exitCodes.failure
  },
})

const repair = async (url: string, io: CommandCall['io']): Promise<ExitCode> => {
  let total = 0
  await repairDatabase(url, ({ table, offBy, triggersReplaced, historyGaps }) => {
    total += offBy
    io.stdout.write(
      `${table.padEnd(20)}off by ${offBy}${triggersReplaced ? ', triggers replaced' : ''}${historyGaps > 0 ? `, ${historyGaps} changes not in the history` : ''}\n`,
    )
  })
  io.stdout.write(
    `The row counts ${total === 0 ? 'were correct' : 'are correct again'}. Every cached response was invalidated.\n`,
  )
  return exitCodes.success
}

const openContext = async (env: CommandCall['env']): Promise<CheckContext> => {
  const databaseUrl = databaseUrlIn(env)
  if (databaseUrl === undefined) return { env, client: undefined, databaseUrl, error: undefined }
  try {
    return { env, client: await connectTo(databaseUrl, env), databaseUrl, error: undefined }
  } catch (cause) {
    return { env, client: undefined, databaseUrl, error: cause }
  }
}

/** Undefined if the URL is invalid, which the check "configuration" reports. */
const databaseUrlIn = (env: CommandCall['env']): string | undefined => {
  try {
    return readDatabaseUrl(env)
  } catch {
    return undefined
  }
}

const formatFinding = ({ label }: Check, { verdict, sentence, fix }: Finding): string => {
  const line = `${verdict.padEnd(9)}${label.padEnd(15)}${printable(sentence)}\n`
  return fix === undefined ? line : `${line}${' '.repeat(24)}fix: ${printable(fix)}\n`
}
