/** In charge of a database as a deployment makes it: secrets as files, three roles, migrations, perhaps the invented company. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresServer } from './postgres.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

export interface DatabaseFiles {
  readonly folder: string
  /** Settings of a service over this database. */
  readonly env: {
    readonly DATABASE_URL_FILE: string
    readonly DATABASE_READ_URL_FILE: string
    readonly MUSTER_API_TOKEN_FILE: string
  }
  /** The same and the owner's address, for commands. */
  readonly ownerEnv: Readonly<Record<string, string>>
  read(name: 'writer_url' | 'reader_url' | 'standby_url' | 'api_token'): Promise<string>
}

/** `folder` is made, and holds the secrets afterwards. */
export const makeDatabase = async (server: PostgresServer, folder: string): Promise<DatabaseFiles> => {
  const host = `127.0.0.1:${server.port}`
  await run(process.execPath, [join(root, 'deploy', 'make-secrets.ts'), '--folder', folder, '--host', host])
  const read = async (name: string): Promise<string> => (await readFile(join(folder, name), 'utf8')).trim()
  await server.execute('postgres', 'create database muster')
  await server.execute('muster', await read('roles.sql'))
  const env = {
    DATABASE_URL_FILE: join(folder, 'writer_url'),
    DATABASE_READ_URL_FILE: join(folder, 'reader_url'),
    MUSTER_API_TOKEN_FILE: join(folder, 'api_token'),
  }
  const files = {
    folder,
    env,
    ownerEnv: { ...env, DATABASE_MIGRATE_URL_FILE: join(folder, 'owner_url') },
    read,
  }
  await muster(files, ['migrate'])
  return files
}

/** Runs a command of ours as the owner of the database, and returns what it said. */
export const muster = async ({ ownerEnv }: DatabaseFiles, args: readonly string[]): Promise<string> =>
  (
    await run(process.execPath, [join(root, 'service', 'bin', 'muster.js'), ...args], {
      env: { PATH: process.env.PATH, ...ownerEnv },
      maxBuffer: 2 ** 26,
    })
  ).stdout
