/**
 * Compares installed packages with the lockfile, whose data about packages comes from the registry and can be wrong.
 */
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

/** Skips packages that are not installed, because the lockfile also lists packages for other platforms. */
export const findInstalledProblems = (root: URL, lockfile: Lockfile): string[] =>
  registryPackages(lockfile).flatMap(({ path, name, version, entry }) => {
    const folder = new URL(`${path}/`, root)
    const file = new URL('package.json', folder)
    if (!existsSync(file)) return []
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    const runsCode = ['preinstall', 'install', 'postinstall'].some((script) => manifest.scripts?.[script] !== undefined)
    const installed = `${manifest.name} ${manifest.version}`
    return [
      ...(installed === `${name} ${version}` ? [] : [`${path} contains ${installed}, not ${name} ${version}`]),
      ...(manifest.license === entry.license ? [] : [`${path} declares another licence than package-lock.json`]),
      ...((runsCode || existsSync(new URL('binding.gyp', folder))) && !(name in installScripts)
        ? [`${path} has an install script that package-lock.json does not mention`]
        : []),
    ]
  })
