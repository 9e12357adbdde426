/** In charge of PostgreSQL servers as a deployment has them: by the machine's own programs and the files of deploy/postgres. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findTool } from '../../bench/tools.ts'
import { steadyPort } from '../../faults/steady-port.ts'
import type { Account } from '../../scripts/embedded-postgres.ts'
import { give, launchServer, serverAccount, stopServer } from '../../scripts/embedded-postgres.ts'

const run = promisify(execFile)
/** Published files, which each home has a copy of: the account of the servers need not find its way to ours. */
const hbaName = 'pg_hba.conf'
const standbyName = 'standby.sh'

/** What a group of servers shares: the programs, the account they run as, and a folder of that account. */
export interface PostgresHome {
  readonly folder: string
  readonly account: Account
  /** Runs one of PostgreSQL's programs as that account. */
  tool(name: string, args: readonly string[]): Promise<string>
  readonly env: NodeJS.ProcessEnv
}

export interface PostgresServer {
  readonly port: number
  readonly folder: string
  /** Runs SQL as its administrator, who comes in by the socket alone. */
  execute(database: string, sql: string): Promise<string>
  stop(): Promise<void>
}

export const openHome = async (folder: string): Promise<PostgresHome> => {
  const account = await serverAccount()
  // Its fellows are where it is really kept.
  const programs = dirname(await realpath(await findTool('initdb')))
  const env = { PATH: `${programs}:${process.env.PATH}` }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await give(folder, account)
  for (const name of [hbaName, standbyName]) {
    const text = await readFile(join(import.meta.dirname, '..', 'postgres', name), 'utf8')
    // Whoever is not root runs the servers under a name of his own.
    await writeFile(join(folder, name), account.uid === undefined ? text.replace(' peer', ' trust') : text)
    await give(join(folder, name), account)
  }
  return {
    folder,
    account,
    env,
    tool: async (name, args) =>
      (await run(join(programs, name), [...args], { ...account, cwd: folder, env, maxBuffer: 2 ** 26 })).stdout,
  }
}

/** A new server with nothing in it. */
export const startPrimary = async (home: PostgresHome, settings: readonly string[] = []): Promise<PostgresServer> => {
  const folder = join(home.folder, 'primary')
  await home.tool('initdb', [
    `--pgdata=${folder}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--auth-local=peer',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-instructions',
  ])
  return startServer(home, folder, await steadyPort(), settings)
}

/** A server over files that are there. */
export const startServer = (
  home: PostgresHome,
  folder: string,
  port: number,
  settings: readonly string[] = [],
): Promise<PostgresServer> => launch(home, { folder, port, settings, command: 'postgres', args: ['-D', folder] })

/** A server that follows the one at the address, made as compose.yaml makes it. */
export const startStandby = async (home: PostgresHome, primaryUrl: string): Promise<PostgresServer> => {
  const folder = join(home.folder, 'standby')
  const primaryFile = join(home.folder, 'standby_url')
  await writeFile(primaryFile, primaryUrl, { mode: 0o600 })
  await give(primaryFile, home.account)
  return launch(home, {
    folder,
    port: await steadyPort(),
    settings: [],
    command: 'sh',
    args: [join(home.folder, standbyName)],
    env: { PGDATA: folder, PRIMARY_FILE: primaryFile },
  })
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly settings: readonly string[]
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const launch = async (home: PostgresHome, place: Place): Promise<PostgresServer> => {
  const { folder, port } = place
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${home.folder}`,
    `hba_file=${join(home.folder, hbaName)}`,
    'logging_collector=off',
    ...place.settings,
  ]
  const server = await launchServer({
    command: place.command,
    args: [...place.args, ...settings.flatMap((setting) => ['-c', setting])],
    account: home.account,
    folder: home.folder,
    env: { ...home.env, ...place.env },
  })
  return {
    port,
    folder,
    execute: async (database, sql) => {
      const door = ['--no-psqlrc', `--host=${home.folder}`, `--port=${port}`, '--username=postgres']
      const form = ['--tuples-only', '--no-align', '--quiet', '--set=ON_ERROR_STOP=1']
      return (await home.tool('psql', [...door, ...form, `--dbname=${database}`, `--command=${sql}`])).trim()
    },
    stop: () => stopServer(server),
  }
}
