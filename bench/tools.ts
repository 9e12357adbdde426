/** In charge of finding the load generators, and of running a command to its end. */
import { execFile } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from './options.ts'

const execute = promisify(execFile)

export const run = async (command: string, args: readonly string[]): Promise<string> =>
  (await execute(command, [...args], { maxBuffer: 2 ** 26 })).stdout

const sources = {
  wrk: 'the package wrk',
  pgbench: "PostgreSQL's contributed programs (package postgresql-contrib)",
  initdb: 'a PostgreSQL server (package postgresql)',
}

/** Where the tool is: on PATH, where pg_config points, or where Debian keeps PostgreSQL's own. */
export const findTool = async (name: keyof typeof sources): Promise<string> => {
  const configured = await run('pg_config', ['--bindir']).catch(() => '')
  const folders = [...(process.env.PATH ?? '').split(delimiter), configured.trim(), ...debianFolders()]
  const found = folders.filter((folder) => folder !== '').find((folder) => isExecutable(join(folder, name)))
  if (found !== undefined) return join(found, name)
  throw new UsageError(`${name} was not found on PATH: install ${sources[name]}, and try again.`)
}

const debianFolders = (): string[] => {
  try {
    const root = '/usr/lib/postgresql'
    return readdirSync(root).map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
