import { execFile } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from './command.ts'

const execute = promisify(execFile)

export const runProgram = async (command: string, args: readonly string[]): Promise<string> =>
  (await execute(command, [...args], { maxBuffer: 2 ** 26 })).stdout

const packageHints = {
  wrk: 'the package wrk',
  pgbench: "PostgreSQL's contrib programs (package postgresql-contrib)",
  initdb: 'a PostgreSQL server (package postgresql)',
}

/** Finds a program in PATH, in the folder that pg_config reports, or in the PostgreSQL folders of Debian. */
export const findTool = async (name: keyof typeof packageHints): Promise<string> => {
  const pgBinFolder = await runProgram('pg_config', ['--bindir']).catch(() => '')
  const folders = [...(process.env.PATH ?? '').split(delimiter), pgBinFolder.trim(), ...debianFolders()]
  const folder = folders.filter((folder) => folder !== '').find((folder) => isExecutable(join(folder, name)))
  if (folder !== undefined) return join(folder, name)
  throw new UsageError(`${name} was not found on PATH: install ${packageHints[name]} and try again.`)
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
