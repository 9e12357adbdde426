/** Creates a database as in a deployment: secrets in files, three roles, and all migrations applied. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresServer } from './postgres.ts'

const runProgram = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')

export interface DatabaseFiles {
  readonly folder: string
  /** Settings for a service that uses this database. */
  readonly env: {
    readonly DATABASE_URL_FILE: string
    readonly DATABASE_READ_URL_FILE: string
    readonly MUSTER_API_TOKEN_FILE: string
  }
  /** The same settings plus the URL of the table owner, for commands such as `muster migrate`. */
  readonly ownerEnv: Readonly<Record<string, string>>
  readSecret(name: 'owner_url' | 'writer_url' | 'reader_url' | 'standby_url' | 'api_token'): Promise<string>
}

/** Creates the database, and `folder` with its secrets. */
export const createDeploymentDatabase = async (
  server: Pick<PostgresServer, 'port' | 'execute'>,
  folder: string,
): Promise<DatabaseFiles> => {
  const host = `127.0.0.1:${server.port}`
  await runProgram(process.execPath, [join(root, 'deploy', 'make-secrets.ts'), '--folder', folder, '--host', host])
  const readSecret = async (name: string): Promise<string> => (await readFile(join(folder, name), 'utf8')).trim()
  await server.execute('postgres', 'create database muster')
  await server.execute('muster', await readSecret('roles.sql'))
  const env = {
    DATABASE_URL_FILE: join(folder, 'writer_url'),
    DATABASE_READ_URL_FILE: join(folder, 'reader_url'),
    MUSTER_API_TOKEN_FILE: join(folder, 'api_token'),
  }
  const files = {
    folder,
    env,
    ownerEnv: { ...env, DATABASE_MIGRATE_URL_FILE: join(folder, 'owner_url') },
    readSecret,
  }
  await runMuster(files, ['migrate'])
  return files
}

/** Runs a muster command as the owner of the tables and returns its output. */
export const runMuster = async ({ ownerEnv }: DatabaseFiles, args: readonly string[]): Promise<string> =>
  (
    await runProgram(process.execPath, [join(root, 'packages', 'server', 'bin', 'muster.js'), ...args], {
      env: { PATH: process.env.PATH, ...ownerEnv },
      maxBuffer: 2 ** 26,
    })
  ).stdout
