/** In charge of the command that goes from nothing to a living service: a database, the invented company, the service, and how to try it. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { basePath } from '@muster/model'
import type { Environment } from '../config.ts'
import { isSet, judgeDatabaseUrl, readConfig, readTokens, settingWarnings } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { withSession } from '../database/session.ts'
import type { Size } from '../demo/plan.ts'
import { sizes } from '../demo/plan.ts'
import { openLog } from '../log.ts'
import type { Io } from './command.ts'
import { command, exitCodes } from './command.ts'
import type { DemoDatabase } from './demo-database.ts'
import { startDemoDatabase } from './demo-database.ts'
import { freePortAt } from './listen-fault.ts'
import { makeFolder } from './make-folder.ts'
import { describeTarget, ownerUrl, servingRoles } from './owner-url.ts'
import { count } from './progress.ts'
import type { Serving } from './serving.ts'

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))

export const demo = command({
  name: 'demo',
  summary: 'Start everything at once: a database, an invented company, the service.',
  details: [
    'Needs nothing but Node: it starts a PostgreSQL of its own, for this machine only. DATABASE_URL and the other DATABASE settings are not used. With --database-url another database is used instead; it is migrated, and filled if it is empty.',
    'The data and the token stay in a folder, and the next start takes them up again. Ctrl-C ends all of it.',
  ],
  arguments: [],
  options: {
    size: { type: 'string', choices: sizes, about: 'Size of the company; small where nothing is said' },
    data: { type: 'string', value: 'DIR', about: 'Folder for the data instead of .demo in the project' },
    'database-url': { type: 'string', value: 'URL', about: 'Use this database instead of one of its own' },
  },
  examples: [
    ['demo', 'Serve at http://127.0.0.1:8080/api'],
    ['demo --size medium --data /tmp/medium', 'A larger company beside the first'],
  ],
  async run({ values, env: given, io }) {
    const end = untilEnded()
    const folder = values.data === undefined ? join(projectRoot, '.demo') : resolve(values.data)
    const databaseUrl = values['database-url']
    const env = withoutDatabase(given)
    let database: DemoDatabase | undefined
    let serving: Serving | undefined
    try {
      if (databaseUrl !== undefined) judgeDatabaseUrl(env, '--database-url', databaseUrl)
      const listening = readConfig({ ...env, DATABASE_URL: databaseUrl ?? 'postgres://127.0.0.1/muster' })
      // Checked first: creating the company takes longer than finding out that it cannot be served.
      await freePortAt(listening)
      const token = readTokens(env).write[0] ?? (await keptToken(folder))
      if (databaseUrl === undefined) {
        if (isSet(given, 'DATABASE_URL'))
          io.stderr.write(
            'DATABASE_URL is set and not used here: to use that database, add --database-url "$DATABASE_URL"\n',
          )
        io.stdout.write(`Starting PostgreSQL in ${folder}\n`)
        database = await startDemoDatabase(folder)
      } else io.stdout.write(`${describeTarget(databaseUrl)}\n`)
      const settled: Environment = { ...env, ...(database?.env ?? { DATABASE_URL: databaseUrl }) }
      await end.orElse(fill(settled, values.size as Size | undefined, io))
      serving = await end.orElse(serve(settled, token))
      await end.orElse(serving.ready)
      io.stdout.write(
        greeting({
          address: addressOf(listening.host, serving.port),
          token,
          folder: databaseUrl === undefined ? folder : undefined,
        }),
      )
      await end.came
      return exitCodes.done
    } catch (error) {
      if (error !== ended) throw error
      return exitCodes.interrupted
    } finally {
      await serving?.close()
      await database?.stop()
      if (serving !== undefined) io.stdout.write('\nStopped.\n')
    }
  },
})

/** Database settings are ignored: otherwise a demo started in the wrong shell would fill that database. */
const withoutDatabase = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('DATABASE_')))

/** What `orElse` throws when the end came first. */
const ended = Symbol('ended')

/** Listens for the wish to end from the first moment on, and goes on listening: a terminal and npm may both pass Ctrl-C on. */
const untilEnded = () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => come())
  const refusal = came.then((): never => {
    throw ended
  })
  refusal.catch(() => {})
  return { came, orElse: <T>(work: Promise<T>): Promise<T> => Promise.race([work, refusal]) }
}

/** The same at every start, so that a line copied from an earlier one still works. */
const keptToken = async (folder: string): Promise<string> => {
  const file = join(folder, 'token')
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (kept !== '') return kept
  const token = randomBytes(24).toString('hex')
  await makeFolder(folder)
  await writeFile(file, `${token}\n`, { mode: 0o600 })
  return token
}

const fill = async (env: Environment, size: Size | undefined, io: Io): Promise<void> => {
  const connectionString = ownerUrl(env)
  const applied = await migrate(connectionString, servingRoles(env))
  if (applied.length > 0) io.stdout.write(`Tables made: ${count(applied.length, 'migration', 'migrations')}\n`)
  // A company of whatever size is as good as another, unless one is asked for.
  if (size === undefined && (await hasCompany(connectionString))) return
  io.stdout.write('Inventing a company\n')
  // Loaded where it is used, as the service below: no other command carries them.
  const { seed } = await import('../demo/seed.ts')
  const { progressPrinter } = await import('../demo/progress.ts')
  const onProgress = progressPrinter(io.stdout as Parameters<typeof progressPrinter>[0])
  await seed({ connectionString, onProgress, ...(size === undefined ? {} : { size }) })
}

const hasCompany = (connectionString: string): Promise<boolean> =>
  withSession(
    connectionString,
    'demo',
    async (client) => (await client.query('select from public.muster_seed')).rowCount === 1,
  )

const serve = async (env: Environment, token: string): Promise<Serving> => {
  const config = readConfig({
    MUSTER_API_TOKEN: token,
    ...env,
    MUSTER_LOG_LEVEL: env.MUSTER_LOG_LEVEL?.trim() || 'warn',
  })
  const log = openLog(config.logLevel)
  const tokens = { write: [token], read: readTokens(env).read }
  for (const warning of settingWarnings(env, tokens)) log.logger.warn(warning)
  const { startServing } = await import('./serving.ts')
  return startServing(config, tokens, log)
}

const addressOf = (host: string, port: number): string => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${port}`
}

interface Greeting {
  readonly address: string
  readonly token: string
  /** Where the data stays; undefined where the database is somebody else's. */
  readonly folder: string | undefined
}

const greeting = ({ address, token, folder }: Greeting): string => `
Muster is running.

  API     ${address}${basePath}
  Docs    ${address}${basePath}/docs
  Health  ${address}${basePath}/v1/health
  Token   ${token}

Try a list, a search and a create:

  curl -s '${address}${basePath}/v1/employees?limit=3'

  curl -s '${address}${basePath}/v1/candidates?q=engineer&limit=3'

  curl -s -X POST '${address}${basePath}/v1/leave' -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"employee_id": 1, "leave_type": "annual", "from_date": "2027-07-05", "to_date": "2027-07-09", "days": 5}'

${folder === undefined ? 'Ctrl-C ends the service; the database stays as it is.' : `Ctrl-C ends all of it. The data stays in ${folder}, and the next start takes it up again.`}
`
