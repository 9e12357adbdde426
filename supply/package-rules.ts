/** In charge of the rules for packages: each says in sentences where the lockfile or a manifest breaks it. */
import type { LockEntry, Lockfile, Package, ProductionPackage } from './lockfile.ts'
import { registryPackages, workspaces } from './lockfile.ts'
import { installScripts, licenceExceptions, licences, npmSettings } from './policy.ts'

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const strongHash = /^sha512-[A-Za-z0-9+/]{86}==$/

/** Every package is bound to its bytes, and comes from whichever registry the machine is set to: none is named. */
export const lockFaults = (lockfile: Lockfile): string[] => [
  ...(lockfile.lockfileVersion === 3 ? [] : ['package-lock.json is not of version 3: write it with the npm of CI']),
  ...registryPackages(lockfile).flatMap(({ path, version, entry: { integrity, resolved, inBundle } }) => [
    ...(exactVersion.test(version) ? [] : [`${path} is locked at no exact version`]),
    // What a package carries inside itself is under that package's hash, but nobody chose or can replace it.
    ...(inBundle ? [`${path} is bundled inside another package`] : []),
    ...(strongHash.test(integrity ?? '') ? [] : [`${path} has no sha512 integrity hash`]),
    ...(resolved === undefined ? [] : [`${path} names where it is fetched from: ${hostOf(resolved)}`]),
  ]),
  ...Object.entries(lockfile.packages).flatMap(([path, { link, resolved = '' }]) =>
    link && !workspaces(lockfile).includes(resolved) ? [`${path} is a link to ${resolved}, which is no workspace`] : [],
  ),
]

/** A whole address may hold a password. */
const hostOf = (resolved: string): string => (URL.canParse(resolved) ? new URL(resolved).host : resolved)

/** Nobody can be given another version than the one that was reviewed, nor code from outside the registry. */
export const versionFaults = (lockfile: Lockfile): string[] =>
  ['', ...workspaces(lockfile)].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies }: LockEntry = lockfile.packages[folder] ?? {}
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(([name, wanted]) =>
      exactVersion.test(wanted.replace(/^npm:(@[^@/]+\/)?[^@/]+@/, ''))
        ? []
        : [`${folder || 'the root'} asks for ${name} as "${wanted}", which is no exact version`],
    )
  })

export const licenceFaults = (lockfile: Lockfile, inProduction: ReadonlyMap<string, unknown>): string[] =>
  registryPackages(lockfile).flatMap(({ path, name, entry: { license } }) => {
    if (license === undefined) return [`${path} names no licence`]
    if (isAllowed(license)) return []
    if (license === licenceExceptions[name]?.licence && !inProduction.has(path)) return []
    return [`${path} is under ${license}, which is not in the allow-list`]
  })

/** One of several on offer is enough; of several at once all are needed. Anything more tangled is for a person to judge. */
const isAllowed = (expression: string): boolean => {
  const plain = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return (
    !/[()]/.test(plain) &&
    plain.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => licences.includes(licence)))
  )
}

export const scriptFaults = (lockfile: Lockfile): string[] => {
  const carriers = registryPackages(lockfile).filter(({ entry }) => entry.hasInstallScript)
  return [
    ...carriers.flatMap(({ path, name }) =>
      name in installScripts ? [] : [`${path} carries an install script, which supply/policy.ts does not explain`],
    ),
    ...unused('an install script', Object.keys(installScripts), carriers),
  ]
}

export interface Budget {
  readonly most: number
  readonly reasons: Readonly<Record<string, string>>
}

export const budgetFaults = (inProduction: Iterable<ProductionPackage>, { most, reasons }: Budget): string[] => {
  const foreign = [...inProduction].filter(({ path }) => path.includes('node_modules/'))
  return [
    ...(foreign.length > most ? [`production stands on ${foreign.length} packages; the budget is ${most}`] : []),
    ...foreign.flatMap(({ name, version }) =>
      name in reasons ? [] : [`${name} ${version} is in production, and supply/policy.ts does not say what for`],
    ),
    ...unused('a place in production', Object.keys(reasons), foreign),
  ]
}

/** An exception that nothing needs any more would let the next package in unseen. */
const unused = (what: string, names: readonly string[], packages: readonly Package[]): string[] =>
  names.flatMap((name) =>
    packages.some((each) => each.name === name) ? [] : [`supply/policy.ts grants ${name} ${what}, but it is not there`],
  )

export const settingFaults = (npmrc: string): string[] => {
  const lines = npmrc.split('\n').map((line) => line.trim())
  return [
    ...npmSettings.flatMap((setting) => (lines.includes(setting) ? [] : [`.npmrc does not say ${setting}`])),
    ...lines.flatMap((line) =>
      /registry\s*=|_auth|_password/i.test(line) ? ['.npmrc names a registry or a login, which differ by machine'] : [],
    ),
  ]
}
