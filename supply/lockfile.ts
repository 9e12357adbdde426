/** In charge of what package-lock.json says: the packages, and which of them production stands on. */
import { readFileSync } from 'node:fs'

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

/** One installed copy of a package, under the name it was published with. */
export interface Package {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly entry: LockEntry
}

export const readLockfile = (root: URL): Lockfile =>
  JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lockfile

/** What comes from the registry: neither the root, nor a workspace, nor the link to one. */
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

export interface ProductionPackage extends Package {
  readonly dependsOn: readonly string[]
}

/**
 * Everything our workspaces need to run, by path, themselves included. Followed from what they declare, because the
 * marks of the lockfile say only what npm last thought.
 */
export const production = (lockfile: Lockfile): ReadonlyMap<string, ProductionPackage> => {
  const found = new Map<string, ProductionPackage>()
  const waiting = [...workspaces(lockfile)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const entry = lockfile.packages[path]
    if (entry === undefined) throw new Error(`package-lock.json has no entry for ${path}: run npm install`)
    const dependsOn = dependenciesOf(lockfile, path, entry)
    found.set(path, { ...packageAt(path, entry), dependsOn })
    waiting.push(...dependsOn)
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Peers and optional packages count where they are there. */
const dependenciesOf = (lockfile: Lockfile, path: string, entry: LockEntry): string[] => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry
  const names = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
  return [...names].flatMap((name) => {
    const target = resolve(lockfile, path, name)
    if (target === undefined && name in dependencies && !(name in optionalDependencies))
      throw new Error(`package-lock.json has no ${name} for ${path}: run npm install`)
    return target ?? []
  })
}

/** As Node looks for a package: in the folder's own node_modules, then in those of the folders around it. */
const resolve = ({ packages }: Lockfile, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = packages[path]
    if (entry !== undefined) return entry.link ? entry.resolved : path
    if (folder === '') return undefined
  }
}
