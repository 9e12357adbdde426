/** In charge of comparing what was unpacked with what the lockfile says of it: a registry may describe a package falsely. */
import { existsSync, readFileSync } from 'node:fs'
import type { Lockfile } from './lockfile.ts'
import { registryPackages } from './lockfile.ts'
import { installScripts } from './policy.ts'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: unknown
  readonly scripts?: Readonly<Record<string, string>>
}

/** Packages for other platforms are locked and not unpacked. */
export const installedFaults = (root: URL, lockfile: Lockfile): string[] =>
  registryPackages(lockfile).flatMap(({ path, name, version, entry }) => {
    const folder = new URL(`${path}/`, root)
    const file = new URL('package.json', folder)
    if (!existsSync(file)) return []
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    const runsCode = ['preinstall', 'install', 'postinstall'].some((script) => manifest.scripts?.[script] !== undefined)
    const said = `${manifest.name} ${manifest.version}`
    return [
      ...(said === `${name} ${version}` ? [] : [`${path} holds ${said}, not ${name} ${version}`]),
      ...(manifest.license === entry.license ? [] : [`${path} is under another licence than package-lock.json says`]),
      ...((runsCode || existsSync(new URL('binding.gyp', folder))) && !(name in installScripts)
        ? [`${path} holds an install script that package-lock.json does not tell of`]
        : []),
    ]
  })
