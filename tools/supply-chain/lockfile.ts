/** Reads package-lock.json and finds the packages that production needs, and those in the built console. */
import { readFileSync } from 'node:fs'
import { consoleBuildTools } from './policy.ts'

export interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockEntry>>
}

/** One installed copy of a package. `name` is the published name, even if it is installed under an alias. */
export interface Package {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly entry: LockEntry
}

export const readLockfile = (root: URL): Lockfile =>
  JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lockfile

/** SPDX 3 also allows operators in lower case. */
export const licenceExpression = (licence: string): string =>
  licence.replace(/ (and|or|with) /g, (operator) => operator.toUpperCase())

/** Returns the packages that come from the registry: not the root, the workspaces or links to workspaces. */
export const registryPackages = ({ packages }: Lockfile): Package[] =>
  Object.entries(packages).flatMap(([path, entry]) =>
    path.includes('node_modules/') && !entry.link ? [packageAt(path, entry)] : [],
  )

export const workspaces = ({ packages }: Lockfile): readonly string[] => packages['']?.workspaces ?? []

export const packageAt = (path: string, entry: LockEntry): Package => ({
  path,
  name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version: entry.version ?? '',
  entry,
})

export interface ShippedPackage extends Package {
  readonly dependsOn: readonly string[]
}

export type ShippedPackages = ReadonlyMap<string, ShippedPackage>

/**
 * Returns the workspaces and all packages they need in production, by path. Follows the declared dependencies, because
 * the "dev" flags of the lockfile can be outdated.
 */
export const productionPackages = (lockfile: Lockfile): ShippedPackages =>
  withDependencies(lockfile, workspaces(lockfile))

const consoleFolder = 'packages/console'

/**
 * Returns the console and all packages whose code its build may contain, by path. They are development dependencies,
 * because only the build needs them, but the server ships its output.
 */
export const consolePackages = (lockfile: Lockfile): ShippedPackages => {
  const entry = lockfile.packages[consoleFolder] ?? {}
  const bundled = Object.entries(entry.devDependencies ?? {}).filter(([name]) => !consoleBuildTools.includes(name))
  const packages = { ...lockfile.packages, [consoleFolder]: { ...entry, dependencies: Object.fromEntries(bundled) } }
  return withDependencies({ ...lockfile, packages }, [consoleFolder])
}

/** Returns the packages at these paths and everything they depend on. */
const withDependencies = (lockfile: Lockfile, paths: readonly string[]): ShippedPackages => {
  const packages = new Map<string, ShippedPackage>()
  const queue = [...paths]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (packages.has(path)) continue
    const entry = lockfile.packages[path]
    if (entry === undefined) throw new Error(`package-lock.json has no entry for ${path}: run npm install`)
    const dependsOn = dependenciesOf(lockfile, path, entry)
    packages.set(path, { ...packageAt(path, entry), dependsOn })
    queue.push(...dependsOn)
  }
  return new Map([...packages].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the paths of a package's dependencies, including peer and optional dependencies that are in the lockfile. */
const dependenciesOf = (lockfile: Lockfile, path: string, entry: LockEntry): string[] => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry
  const names = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
  return [...names].flatMap((name) => {
    const target = resolvePath(lockfile, path, name)
    if (target === undefined && name in dependencies && !(name in optionalDependencies))
      throw new Error(`package-lock.json has no ${name} for ${path}: run npm install`)
    return target ?? []
  })
}

/**
 * Finds a dependency like Node: first in the node_modules of the folder itself, then in those of its parent folders.
 */
const resolvePath = ({ packages }: Lockfile, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = packages[path]
    if (entry !== undefined) return entry.link ? entry.resolved : path
    if (folder === '') return undefined
  }
}
