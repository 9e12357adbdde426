/** Runs PostgreSQL servers as in a deployment, with the installed programs and the files in deploy/postgres. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from '@muster/demo-data/embedded-postgres'
import { chownTo, launchServer, serverAccount, stopServer } from '@muster/demo-data/embedded-postgres'
import { findTool } from '../../../tools/bench/tools.ts'
import { stablePort } from '../stable-port.ts'

const runProgram = promisify(execFile)
/**
 * Files of deploy/postgres. These files are copied, because the account of the servers may not be able to read the
 * originals.
 */
const hbaName = 'pg_hba.conf'
const standbyName = 'standby.sh'

/** What a primary and its standby share: the PostgreSQL programs, an operating system account and a folder it owns. */
export interface PostgresInstallation {
  readonly folder: string
  readonly account: Account
  /** Folder of the PostgreSQL programs. */
  readonly programFolder: string
  /** Runs a PostgreSQL program as the account and returns its output. */
  runTool(name: string, args: readonly string[]): Promise<string>
  readonly env: NodeJS.ProcessEnv
}

export interface PostgresServer {
  readonly port: number
  readonly folder: string
  /** Runs SQL as the superuser, through the Unix socket, because pg_hba.conf allows no other way. */
  execute(database: string, sql: string): Promise<string>
  stop(): Promise<void>
}

export const openInstallation = async (folder: string): Promise<PostgresInstallation> => {
  const account = await serverAccount()
  // initdb on the PATH may be a symbolic link. The other PostgreSQL programs are in the folder that contains the target
  // of the link.
  const programFolder = dirname(await realpath(await findTool('initdb')))
  const env = { PATH: `${programFolder}:${process.env.PATH}` }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chownTo(folder, account)
  for (const name of [hbaName, standbyName]) {
    const text = await readFile(join(import.meta.dirname, '../../../deploy/postgres', name), 'utf8')
    // Without root the servers run as the current account, for which peer authentication as postgres fails.
    await writeFile(join(folder, name), account.uid === undefined ? text.replace(' peer', ' trust') : text)
    await chownTo(join(folder, name), account)
  }
  return {
    folder,
    account,
    programFolder,
    env,
    runTool: async (name, args) =>
      (await runProgram(join(programFolder, name), [...args], { ...account, cwd: folder, env, maxBuffer: 2 ** 26 }))
        .stdout,
  }
}

/** Creates and starts a new empty server. */
export const startPrimary = async (
  installation: PostgresInstallation,
  settings: readonly string[] = [],
): Promise<PostgresServer> => {
  const folder = join(installation.folder, 'primary')
  await installation.runTool('initdb', [
    `--pgdata=${folder}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--auth-local=peer',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-instructions',
  ])
  return startServer(installation, folder, await stablePort(), settings)
}

/** Starts a server on an existing data folder. */
export const startServer = (
  installation: PostgresInstallation,
  folder: string,
  port: number,
  settings: readonly string[] = [],
): Promise<PostgresServer> =>
  launch(installation, { folder, port, settings, command: 'postgres', args: ['-D', folder] })

/** Creates and starts a standby of the server at this URL, with the same script as in compose.yaml. */
export const startStandby = async (installation: PostgresInstallation, primaryUrl: string): Promise<PostgresServer> =>
  launch(installation, {
    ...(await standbyCommand(installation, primaryUrl)),
    port: await stablePort(),
    settings: [],
  })

/** How deploy/postgres/standby.sh is run. */
export const standbyCommand = async (
  { folder: installationFolder, account, env }: PostgresInstallation,
  primaryUrl: string,
) => {
  const folder = join(installationFolder, 'standby')
  const primaryFile = join(installationFolder, 'standby_url')
  await writeFile(primaryFile, primaryUrl, { mode: 0o600 })
  await chownTo(primaryFile, account)
  return {
    folder,
    command: 'sh',
    args: [join(installationFolder, standbyName)],
    env: { ...env, PGDATA: folder, PRIMARY_FILE: primaryFile },
  }
}

interface LaunchOptions {
  readonly folder: string
  readonly port: number
  readonly settings: readonly string[]
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const launch = async (installation: PostgresInstallation, options: LaunchOptions): Promise<PostgresServer> => {
  const { folder, port } = options
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${installation.folder}`,
    `hba_file=${join(installation.folder, hbaName)}`,
    'logging_collector=off',
    ...options.settings,
  ]
  const server = await launchServer({
    command: options.command,
    args: [...options.args, ...settings.flatMap((setting) => ['-c', setting])],
    account: installation.account,
    folder: installation.folder,
    env: { ...installation.env, ...options.env },
  })
  return {
    port,
    folder,
    execute: executeAt(installation, port),
    stop: () => stopServer(server),
  }
}

/** Runs SQL as the superuser, through the Unix socket in the folder of the installation. */
export const executeAt =
  (installation: PostgresInstallation, port: number): PostgresServer['execute'] =>
  async (database, sql) =>
    (
      await installation.runTool('psql', [
        '--no-psqlrc',
        `--host=${installation.folder}`,
        `--port=${port}`,
        '--username=postgres',
        '--tuples-only',
        '--no-align',
        '--quiet',
        '--set=ON_ERROR_STOP=1',
        `--dbname=${database}`,
        `--command=${sql}`,
      ])
    ).trim()
