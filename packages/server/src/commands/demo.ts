import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { careersPath } from '@muster/career-sites'
import type { SeedOptions } from '@muster/demo-data'
import type { Size } from '@muster/demo-data/sizes'
import { sizes } from '@muster/demo-data/sizes'
import { basePath, parseDateTime, resources } from '@muster/model'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/config.ts'
import { validateDatabaseUrl } from '../config/database-url.ts'
import type { Environment } from '../config/read-setting.ts'
import { isSet } from '../config/read-setting.ts'
import { readTokens } from '../config/tokens.ts'
import { settingWarnings } from '../config/warnings.ts'
import { openLog } from '../observability/log.ts'
import { migrate } from '../postgres/schema/migrate.ts'
import { printable } from '../printable.ts'
import type { Io } from './command.ts'
import { command, exitCodes, UsageError } from './command.ts'
import { progressPrinter, readCompany, requireOptions, seedDatabase } from './demo-company.ts'
import type { DemoDatabase } from './demo-database.ts'
import { startDemoDatabase } from './demo-database.ts'
import { requireFreePort } from './listen-error.ts'
import { makeFolder } from './make-folder.ts'
import { describeTarget, ownerUrl, serviceRoles } from './owner-url.ts'
import { formatCount } from './progress.ts'
import type { RunningServer } from './server-process.ts'

export const demo = command({
  name: 'demo',
  summary: 'Start a database, fill it with an invented company, and serve it.',
  details: [
    'Needs only Node: it starts its own PostgreSQL, which listens on this machine only. DATABASE_URL and the other DATABASE settings are ignored. With --database-url it uses that database instead, applies migrations, and fills it if it is empty.',
    'Data and token are stored in a folder, and the next start reuses them. Ctrl-C stops everything.',
    'The current date of a new company is today. If it is more than seven days ago, the demo says so at its start.',
  ],
  arguments: [],
  options: {
    size: { type: 'string', choices: sizes, about: 'Size of the company; default: small' },
    data: { type: 'string', value: 'DIR', about: 'Folder for the data; default: .demo in the current folder' },
    'as-of': { type: 'string', value: 'YYYY-MM-DD', about: 'Current date of the company; default: today' },
    'with-faults': { type: 'boolean', about: 'Plant one fault of each kind in the data' },
    fresh: { type: 'boolean', about: 'Replace the stored company with a new one; the token stays' },
    'database-url': { type: 'string', value: 'URL', about: 'Use this database instead of starting one' },
  },
  examples: [
    ['demo', 'Serve at http://127.0.0.1:8080/api'],
    ['demo --fresh', 'A new company as of today'],
    ['demo --size medium --data /tmp/medium', 'A larger company in its own folder'],
  ],
  async run({ values, env: processEnv, io }) {
    const shutdown = awaitShutdown()
    const folder = values.data === undefined ? resolve('.demo') : resolve(values.data)
    const databaseUrl = values['database-url']
    if (values.fresh && databaseUrl !== undefined)
      throw new UsageError('--fresh removes only data in a folder: use an empty database instead.')
    const asOf = values['as-of']
    if (asOf !== undefined && parseDateTime(asOf)?.day !== asOf)
      throw new UsageError(`--as-of must be a day in the form YYYY-MM-DD, not "${asOf}".`)
    const env = { MUSTER_CAREER_SITES: 'on', ...withoutDatabaseSettings(processEnv) }
    let database: DemoDatabase | undefined
    let server: RunningServer | undefined
    try {
      if (databaseUrl !== undefined) validateDatabaseUrl(env, '--database-url', databaseUrl)
      const config = readConfig(
        withToken({ ...env, DATABASE_URL: databaseUrl ?? 'postgres://127.0.0.1/muster' }, newToken()),
      )
      // The port is checked first, because creating the company takes much longer than finding out that the port is in
      // use.
      await requireFreePort(config)
      const token = readTokens(env).write[0] ?? (await readOrCreateToken(folder))
      if (databaseUrl === undefined) {
        if (isSet(processEnv, 'DATABASE_URL'))
          io.stderr.write('DATABASE_URL is set but ignored: to use that database, add --database-url "$DATABASE_URL"\n')
        io.stdout.write(`Starting PostgreSQL in ${folder}\n`)
        database = await startDemoDatabase(folder, { fresh: values.fresh ?? false })
      } else io.stdout.write(`${describeTarget(databaseUrl)}\n`)
      const demoEnv: Environment = { ...env, ...(database?.env ?? { DATABASE_URL: databaseUrl }) }
      const wanted = {
        ...(values.size === undefined ? {} : { size: values.size as Size }),
        ...(asOf === undefined ? {} : { asOf }),
        ...(values['with-faults'] === undefined ? {} : { withFaults: values['with-faults'] }),
      }
      const newCompany = databaseUrl === undefined ? freshCompany : emptyDatabase
      await shutdown.unlessRequested(fillDatabase(demoEnv, { wanted, newCompany, io }))
      server = await shutdown.unlessRequested(serve(demoEnv, token))
      await shutdown.unlessRequested(server.ready)
      io.stdout.write(
        formatGreeting({
          url: urlAt(config.host, server.port),
          token,
          hasConsole: config.console,
          reads: config.reads,
          careerSite: config.careerSites ? await findCareerSite(urlAt(config.host, server.port), token) : undefined,
          folder: databaseUrl === undefined ? folder : undefined,
        }),
      )
      await shutdown.requested
      return exitCodes.success
    } catch (error) {
      if (error !== shutdownRequested) throw error
      return exitCodes.interrupted
    } finally {
      await server?.close()
      await database?.stop()
      if (server !== undefined) io.stdout.write('\nStopped.\n')
    }
  },
})

/**
 * The demo ignores database settings: otherwise it would fill whatever database the shell happens to be configured for.
 */
const withoutDatabaseSettings = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('DATABASE_')))

/** Thrown by `unlessRequested` if a shutdown signal arrives before the work is done. */
const shutdownRequested = Symbol('shutdown requested')

/**
 * The signal listeners are never removed: a terminal and npm may both deliver Ctrl-C, and the second signal must not
 * kill the process.
 */
const awaitShutdown = () => {
  const { promise: requested, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  const rejection = requested.then((): never => {
    throw shutdownRequested
  })
  rejection.catch(() => {})
  return { requested, unlessRequested: <T>(work: Promise<T>): Promise<T> => Promise.race([work, rejection]) }
}

const newToken = (): string => randomBytes(24).toString('hex')

/** Reads that are not public need a token, which the demo always has. */
const withToken = ({ MUSTER_API_TOKEN_FILE: _, ...env }: Environment, token: string): Environment => ({
  ...env,
  MUSTER_API_TOKEN: token,
})

/** Returns the same token at every start, so that commands copied from an earlier start still work. */
const readOrCreateToken = async (folder: string): Promise<string> => {
  const tokenFile = join(folder, 'token')
  const existingToken = (await readFile(tokenFile, 'utf8').catch(() => '')).trim()
  if (existingToken !== '') return existingToken
  const token = newToken()
  await makeFolder(folder)
  // A link would lead to another file.
  await rm(tokenFile, { force: true })
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return token
}

const freshCompany = 'add --fresh to this command to replace it with a new one'
const emptyDatabase = 'use an empty database for a new one'
const MAX_AGE_DAYS = 7

interface FillOptions {
  /** The options of the company that were given on the command line. */
  readonly wanted: Pick<SeedOptions, 'size' | 'asOf' | 'withFaults'>
  /** How to get a new company, for messages. */
  readonly newCompany: string
  readonly io: Io
}

const fillDatabase = async (env: Environment, { wanted, newCompany, io }: FillOptions): Promise<void> => {
  const connectionString = ownerUrl(env)
  const appliedNames = await migrate(connectionString, serviceRoles(env))
  if (appliedNames.length > 0)
    io.stdout.write(`Applied ${formatCount(appliedNames.length, 'migration', 'migrations')}\n`)
  const today = formatDate(new Date())
  const company = await readCompany(connectionString)
  if (company !== undefined) {
    await requireOptions(company, wanted, newCompany)
    const ageInDays = daysBetween(company.asOf, today)
    if (ageInDays > MAX_AGE_DAYS)
      io.stdout.write(
        `The current date of this company is ${printable(company.asOf)}, ${ageInDays} days ago: ${newCompany}.\n`,
      )
    return
  }
  io.stdout.write('Creating an invented company\n')
  const onProgress = await progressPrinter(io.stdout as Parameters<typeof progressPrinter>[0])
  await seedDatabase(connectionString, { onProgress, asOf: today, ...wanted })
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

const formatDate = (date: Date): string => date.toISOString().slice(0, 10)

const serve = async (env: Environment, token: string): Promise<RunningServer> => {
  const config = readConfig(withToken({ ...env, MUSTER_LOG_LEVEL: env.MUSTER_LOG_LEVEL?.trim() || 'warn' }, token))
  const log = openLog(config.logLevel)
  const tokens = { ...readTokens(env), write: [token] }
  for (const warning of settingWarnings(env, tokens)) log.logger.warn(warning)
  const { startServer } = await import('./server-process.ts')
  return startServer(config, tokens, log)
}

const urlAt = (host: string, port: number): string => {
  const urlHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${urlHost}:${port}`
}

/** The first active career site; undefined if the database has none. */
const findCareerSite = async (url: string, token: string): Promise<string | undefined> => {
  const response = await fetch(`${url}${basePath}/v1/career-sites?is_active=1&limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) return undefined
  const { data } = (await response.json()) as { data: readonly { readonly slug: string }[] }
  return data[0] === undefined ? undefined : `${careersPath}/${encodeURIComponent(data[0].slug)}/`
}

interface Greeting {
  readonly url: string
  readonly token: string
  readonly hasConsole: boolean
  readonly reads: Config['reads']
  /** Path of a career site with open positions. */
  readonly careerSite: string | undefined
  /** The folder that stores the data; undefined if the demo was started with --database-url. */
  readonly folder: string | undefined
}

const formatGreeting = ({ url, token, hasConsole, reads, careerSite, folder }: Greeting): string => {
  const [leaveFrom, leaveTo] = nextSummerWeek()
  const header = ` -H 'Authorization: Bearer ${token}'`
  const readHeader = reads === 'token' ? header : ''
  return `
Muster is running.

${hasConsole ? `  Console  ${url}/console/\n` : ''}  API      ${url}${basePath}
${careerSite === undefined ? '' : `  Careers  ${url}${careerSite}\n`}  Docs     ${url}${basePath}/docs
  Health   ${url}${basePath}/v1/health
  Token    ${token}
${describeReads(reads, `curl -s '${url}${basePath}/v1/employees?limit=3'`, { header, hasConsole })}
Try a list, a search and a create:

  curl -s '${url}${basePath}/v1/employees?limit=3'${readHeader}

  curl -s '${url}${basePath}/v1/candidates?q=engineer&limit=3'${readHeader}

  curl -s -X POST '${url}${basePath}/v1/leave'${header} -H 'Content-Type: application/json' -d '{"employee_id": 1, "leave_type": "annual", "from_date": "${leaveFrom}", "to_date": "${leaveTo}", "days": 5}'

${folder === undefined ? 'Ctrl-C stops the service; the database keeps its data.' : `Ctrl-C stops everything. The data stays in ${folder}, and the next start reuses it.`}
`
}

/** What a read without the token does not show, and how to see the same with it. */
const describeReads = (
  reads: Config['reads'],
  read: string,
  { header, hasConsole }: { readonly header: string; readonly hasConsole: boolean },
): string => {
  if (reads === 'public') return ''
  if (reads === 'token') return '\nMUSTER_READS is token: without the token, all reads of records are refused.\n'
  const fields = resources
    .map(({ path, storedFields }) => ({
      path,
      names: storedFields.filter(({ personal }) => personal).map(({ name }) => name),
    }))
    .filter(({ names }) => names.length > 0)
    .map(({ path, names }) => `  ${path.padEnd(14)}${names.join(', ')}\n`)
  return `\nMUSTER_READS is redacted: without the token, these fields are null or "withheld", and nobody can search by them:\n\n${fields.join('')}
Without the token, and with it:

  ${read}

  ${read}${header}
${hasConsole ? '\nIn the console, the lock in the top bar takes the token.\n' : ''}`
}

/** Monday and Friday of the first whole week of the next July. */
const nextSummerWeek = (): readonly [string, string] => {
  const now = new Date()
  const monday = new Date(Date.UTC(now.getUTCFullYear() + (now.getUTCMonth() < 6 ? 0 : 1), 6, 1))
  monday.setUTCDate(1 + ((8 - monday.getUTCDay()) % 7))
  const friday = new Date(monday)
  friday.setUTCDate(monday.getUTCDate() + 4)
  return [formatDate(monday), formatDate(friday)]
}
