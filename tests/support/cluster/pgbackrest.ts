import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chownTo } from '@muster/demo-data/embedded-postgres'
import { deployFile } from '../deploy-file.ts'
import type { PostgresInstallation } from './postgres.ts'

const runProgram = promisify(execFile)

interface BackedUpServer {
  readonly dataFolder: string
  readonly port: number
}

/** Writes deploy/patroni/pgbackrest.conf for a server into a folder. All servers of an installation share a repository. */
export const writePgbackrestConfig = async (
  { folder: installationFolder, account }: PostgresInstallation,
  folder: string,
  { dataFolder, port }: BackedUpServer,
): Promise<string> => {
  const repository = join(installationFolder, 'repository')
  const logs = join(folder, 'pgbackrest-log')
  for (const each of [repository, logs]) {
    await mkdir(each, { recursive: true })
    await chownTo(each, account)
  }
  const config = await deployFile('patroni/pgbackrest.conf', [
    ['/var/lib/pgbackrest', repository],
    ['/var/log/pgbackrest', logs],
    ['/tmp/pgbackrest', join(folder, 'pgbackrest-lock')],
    ['/var/lib/postgresql/15/muster', dataFolder],
    ['/var/run/postgresql', installationFolder],
    ['pg1-port=5432', `pg1-port=${port}`],
  ])
  const file = join(folder, 'pgbackrest.conf')
  await writeFile(file, config)
  return file
}

/** Runs a command of pgBackRest as the account of the servers and returns its output. */
export const runPgbackrest = async (
  { account, folder, env }: PostgresInstallation,
  configFile: string,
  args: readonly string[],
): Promise<string> =>
  (
    await runProgram('pgbackrest', [`--config=${configFile}`, '--stanza=muster', ...args], {
      ...account,
      cwd: folder,
      env,
    })
  ).stdout
