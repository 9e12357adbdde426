/**
 * Starts a PostgreSQL server for one test run: the newest installed version, or the embedded one. Nothing is synced to
 * disk, and the files are in memory if there is enough of it: creating and dropping a database copies and deletes about
 * a thousand files.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  chownTo,
  freePort,
  launchServer,
  serverAccount,
  startEmbeddedPostgres,
  stopServer,
} from '@muster/demo-data/embedded-postgres'

export interface TemporaryPostgres {
  readonly url: string
  stop(): Promise<void>
}

/** Test files that run at the same time open more than the default of 100 connections. */
const sharedSettings = ['max_connections=300']
const unsafeSettings = ['fsync=off', 'full_page_writes=off']

export const startTemporaryPostgres = async (): Promise<TemporaryPostgres> => {
  const programs = await installedPrograms()
  return programs === undefined ? startEmbeddedPostgres({ settings: sharedSettings }) : startInstalled(programs)
}

/** The folder with the programs of the newest PostgreSQL that Debian's packages installed. */
const installedPrograms = async (): Promise<string | undefined> => {
  const folder = '/usr/lib/postgresql'
  const versions = (await readdir(folder).catch(() => [])).map(Number).sort((a, b) => b - a)
  for (const version of versions) {
    const programs = join(folder, String(version), 'bin')
    if ((await readdir(programs).catch((): string[] => [])).includes('initdb')) return programs
  }
  return undefined
}

/** The databases of the largest suite together need less than 1 GB. */
const minMemory = 4_000_000_000

const parentFolder = async (): Promise<string> => {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize >= minMemory ? '/dev/shm' : tmpdir()
}

const startInstalled = async (programs: string): Promise<TemporaryPostgres> => {
  const folder = await mkdtemp(join(await parentFolder(), 'muster-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { url, stop } = await startIn(folder, programs)
    const stopAndRemove = async (): Promise<void> => {
      await stop()
      await remove()
    }
    return { url, stop: stopAndRemove }
  } catch (error) {
    await remove()
    throw error
  }
}

const startIn = async (folder: string, programs: string): Promise<TemporaryPostgres> => {
  const account = await serverAccount()
  await chownTo(folder, account)
  const cluster = join(folder, 'cluster')
  const initArgs = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  await promisify(execFile)(join(programs, 'initdb'), [`--pgdata=${cluster}`, ...initArgs], { ...account, cwd: folder })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=']
  const server = await launchServer({
    command: join(programs, 'postgres'),
    args: ['-D', cluster, ...[...settings, ...sharedSettings, ...unsafeSettings].flatMap((setting) => ['-c', setting])],
    account,
    folder,
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => stopServer(server),
  }
}
