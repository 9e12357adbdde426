/** Unpacks the last commit before the newest migration, and links the installed packages of the current checkout. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readMigrationFiles } from '../../packages/server/src/postgres/schema/migrate.ts'

const runProgram = promisify(execFile)
const root = join(import.meta.dirname, '../..')

export interface EarlierRelease {
  readonly folder: string
  readonly commit: string
  /** File name of the newest migration, which this release does not have. */
  readonly newestMigration: string
  remove(): Promise<void>
}

export const unpackEarlierRelease = async (): Promise<EarlierRelease> => {
  const newestMigration = (await readMigrationFiles()).at(-1)?.name ?? ''
  const commit = await commitBefore(`packages/server/migrations/${newestMigration}`)
  const folder = await mkdtemp(join(tmpdir(), 'muster-earlier-'))
  const archiveFile = join(folder, 'files.tar')
  await runProgram('git', ['archive', `--output=${archiveFile}`, commit], { cwd: root })
  await runProgram('tar', ['-xf', archiveFile, '-C', folder])
  await rm(archiveFile)
  await linkPackages(folder)
  return { folder, commit, newestMigration, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The last commit before the one that added the file. HEAD if the file is not committed yet. */
const commitBefore = async (file: string): Promise<string> => {
  const runGit = async (...args: string[]) => (await runProgram('git', args, { cwd: root })).stdout.trim()
  const addingCommit = await runGit('log', '--diff-filter=A', '--format=%H', '-1', '--', file)
  return runGit('rev-parse', addingCommit === '' ? 'HEAD' : `${addingCommit}^`)
}

/** Links the installed packages. If package-lock.json has changed since that commit, installs its packages instead. */
const linkPackages = async (folder: string): Promise<void> => {
  const readLockFile = (checkout: string) => readFile(join(checkout, 'package-lock.json'), 'utf8')
  if ((await readLockFile(folder)) !== (await readLockFile(root))) {
    await runProgram('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
    return
  }
  const packagesFolder = join(folder, 'node_modules')
  await mkdir(join(packagesFolder, '@muster'), { recursive: true })
  const names = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@muster' && name !== '.cache')
  const packageLinks = names.map((name) => [join(root, 'node_modules', name), join(packagesFolder, name)] as const)
  const workspaceLinks = (await readdir(join(folder, 'packages'))).map(
    (name) => [join(folder, 'packages', name), join(packagesFolder, '@muster', name)] as const,
  )
  await Promise.all([...packageLinks, ...workspaceLinks].map(([target, path]) => symlink(target, path)))
}
