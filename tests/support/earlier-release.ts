/** Unpacks the release with which an upgrade begins, and links the installed packages of the current checkout. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const runProgram = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const migrationsPath = 'packages/server/migrations'

interface ReleaseCommit {
  readonly commit: string
  /** File names of the migrations that this release does not have. */
  readonly missingMigrations: readonly string[]
}

export interface EarlierRelease extends ReleaseCommit {
  readonly folder: string
  remove(): Promise<void>
}

export const unpackEarlierRelease = async (): Promise<EarlierRelease> => {
  const release = await findEarlierRelease(root)
  const folder = await mkdtemp(join(tmpdir(), 'muster-earlier-'))
  const archiveFile = join(folder, 'files.tar')
  await runProgram('git', ['archive', `--output=${archiveFile}`, release.commit], { cwd: root })
  await runProgram('tar', ['-xf', archiveFile, '-C', folder])
  await rm(archiveFile)
  await linkPackages(folder)
  return { ...release, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * The last commit before the newest migrations, if its services run on the current schema: its migrations are unchanged, and
 * the newer ones only expand the schema. Otherwise the commit that changed the migrations, whose services do.
 */
export const findEarlierRelease = async (checkout: string): Promise<ReleaseCommit> => {
  const runGit = async (...args: string[]) => (await runProgram('git', args, { cwd: checkout })).stdout.trim()
  const hasUncommitted = (await runGit('status', '--porcelain', '--', migrationsPath)) !== ''
  const [changingCommit = '', parent] = (await runGit('log', '-1', '--format=%H %P', '--', migrationsPath)).split(' ')
  const before = hasUncommitted ? await runGit('rev-parse', 'HEAD') : parent
  if (before !== undefined) {
    // With the filter "a", git lists all changes except added files.
    const changedFiles = await runGit(
      'diff',
      '--no-renames',
      '--diff-filter=a',
      '--name-only',
      before,
      '--',
      migrationsPath,
    )
    const ownPaths = (await runGit('ls-tree', '--name-only', before, `${migrationsPath}/`)).split('\n')
    const names = (await readdir(join(checkout, migrationsPath))).sort()
    const missingMigrations = names.filter((name) => !ownPaths.includes(`${migrationsPath}/${name}`))
    const texts = await Promise.all(
      missingMigrations.map((name) => readFile(join(checkout, migrationsPath, name), 'utf8')),
    )
    if (changedFiles === '' && texts.every((text) => expandsMark.test(text)))
      return { commit: before, missingMigrations }
  }
  if (hasUncommitted) throw new Error('No committed release runs on the current migrations: commit them first.')
  return { commit: changingCommit, missingMigrations: [] }
}

/** The mark stands in the first lines, like the other marks of migrations. */
const expandsMark = /^(?:-- [a-z-]+\n)*-- expands\n/

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
