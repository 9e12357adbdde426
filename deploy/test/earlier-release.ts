/** In charge of the release before the newest migration: its files as they were committed, with the packages of this one. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readMigrationFiles } from '../../service/src/database/migrate.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

export interface EarlierRelease {
  readonly folder: string
  /** Its last commit. */
  readonly commit: string
  /** The migration that it does not know. */
  readonly newest: string
  remove(): Promise<void>
}

export const unpackEarlierRelease = async (): Promise<EarlierRelease> => {
  const newest = (await readMigrationFiles()).at(-1)?.name ?? ''
  const commit = await commitBefore(`service/migrations/${newest}`)
  const folder = await mkdtemp(join(tmpdir(), 'muster-earlier-'))
  const archive = join(folder, 'files.tar')
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: root })
  await run('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  await takePackages(folder)
  return { folder, commit, newest, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The last commit without the file: the newest of all where it has not been committed yet. */
const commitBefore = async (file: string): Promise<string> => {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
  const added = await git('log', '--diff-filter=A', '--format=%H', '-1', '--', file)
  return git('rev-parse', added === '' ? 'HEAD' : `${added}^`)
}

/** Links take no time; where the packages have changed since, the earlier ones are installed. */
const takePackages = async (folder: string): Promise<void> => {
  const lock = (of: string) => readFile(join(of, 'package-lock.json'), 'utf8')
  if ((await lock(folder)) !== (await lock(root))) {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
    return
  }
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@muster'), { recursive: true })
  const names = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@muster' && name !== '.cache')
  const links = names.map((name) => [join(root, 'node_modules', name), join(packages, name)] as const)
  const own = ['model', 'service'].map((name) => [join(folder, name), join(packages, '@muster', name)] as const)
  await Promise.all([...links, ...own].map(([target, path]) => symlink(target, path)))
}
