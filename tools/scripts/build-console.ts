/**
 * Builds the console if its output is missing or older than its sources. `npm start` and `npm run demo` run this first,
 * so that a clone needs no extra step. If the build fails, they start without the console.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const consoleFiles = ['build', 'index.html', 'package.json', 'public', 'src', 'tsconfig.json', 'vite.config.ts']
const sources = [
  ...consoleFiles.map((name) => join('packages', 'console', name)),
  join('packages', 'client', 'src'),
  join('packages', 'model', 'src'),
]
/** The build writes this file last. */
const output = join('packages', 'server', 'console', 'csp.json')

/** The time of the last change in a file or folder. Folders count too, because removing a file changes its folder. */
const newestChange = (path: string): number => {
  if (!existsSync(path)) return 0
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(stats.mtimeMs, ...names.map((name) => statSync(join(path, name)).mtimeMs))
}

export const isOutdated = (root: string): boolean => {
  const builtAt = newestChange(join(root, output))
  return sources.some((source) => newestChange(join(root, source)) > builtAt)
}

if (import.meta.main) {
  const root = process.argv[2] ?? join(import.meta.dirname, '..', '..')
  if (isOutdated(root)) {
    // Standard output belongs to the log of the service.
    console.error('Building the console')
    const { status } = spawnSync('npm', ['run', 'build', '--workspace', 'packages/console'], {
      cwd: root,
      stdio: 'ignore',
    })
    if (status !== 0)
      console.error(
        'The console could not be built, and the service starts anyway: npm run build --workspace packages/console says why.',
      )
  }
}
