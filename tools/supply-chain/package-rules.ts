/** Rules for packages. Each function returns one message per violation. */
import type { LockEntry, Lockfile, Package, ShippedPackage, ShippedPackages } from './lockfile.ts'
import { licenceExpression, registryPackages, workspaces } from './lockfile.ts'
import { allowedLicences, installScripts, licenceExceptions, requiredNpmSettings } from './policy.ts'

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const strongHash = /^sha512-[A-Za-z0-9+/]{86}==$/

/** Requires a strong hash and no download URL for every package, so that npm uses the configured registry. */
export const lockProblems = (lockfile: Lockfile): string[] => [
  ...(lockfile.lockfileVersion === 3
    ? []
    : ['package-lock.json does not have lockfileVersion 3: write it with the npm version that CI uses']),
  ...registryPackages(lockfile).flatMap(({ path, version, entry: { integrity, resolved, inBundle } }) => [
    ...(exactVersion.test(version) ? [] : [`${path} has no exact version`]),
    // The hash of the outer package also covers a package bundled in it, but npm cannot replace the version of the
    // bundled package.
    ...(inBundle ? [`${path} is bundled inside another package`] : []),
    ...(strongHash.test(integrity ?? '') ? [] : [`${path} has no sha512 integrity hash`]),
    ...(resolved === undefined ? [] : [`${path} names a download URL: ${hostOf(resolved)}`]),
  ]),
  ...Object.entries(lockfile.packages).flatMap(([path, { link, resolved = '' }]) =>
    link && !workspaces(lockfile).includes(resolved)
      ? [`${path} is a link to ${resolved}, which is not a workspace`]
      : [],
  ),
]

/** Returns only the host of a download URL for the message, because the URL can contain a password. */
const hostOf = (resolved: string): string => (URL.canParse(resolved) ? new URL(resolved).host : resolved)

/** Requires exact versions from the registry in every package.json, so that only reviewed versions are installed. */
export const versionProblems = (lockfile: Lockfile): string[] =>
  ['', ...workspaces(lockfile)].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies }: LockEntry = lockfile.packages[folder] ?? {}
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(
      ([name, requested]) =>
        exactVersion.test(requested.replace(/^npm:(@[^@/]+\/)?[^@/]+@/, ''))
          ? []
          : [`${folder || 'the root'} requires ${name} as "${requested}", which is not an exact version`],
    )
  })

/** What is shipped: the packages in production, and those in the built console. */
export interface Shipped {
  readonly inProduction: ShippedPackages
  readonly inConsole: ShippedPackages
}

export const licenceProblems = (lockfile: Lockfile, { inProduction, inConsole }: Shipped): string[] =>
  registryPackages(lockfile).flatMap(({ path, name, entry: { license } }) => {
    if (license === undefined) return [`${path} has no licence`]
    if (isAllowed(licenceExpression(license))) return []
    const exception = licenceExceptions[name]
    const isExcepted =
      license === exception?.licence && !inProduction.has(path) && (exception.inConsole || !inConsole.has(path))
    return isExcepted ? [] : [`${path} has the licence ${license}, which is not allowed`]
  })

/**
 * Whether a licence expression is allowed. With OR, one allowed licence is enough; with AND, all must be allowed.
 * Nested expressions are never allowed.
 */
const isAllowed = (expression: string): boolean => {
  const plain = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return (
    !/[()]/.test(plain) &&
    plain.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => allowedLicences.includes(licence)))
  )
}

export const scriptProblems = (lockfile: Lockfile): string[] => {
  const withScript = registryPackages(lockfile).filter(({ entry }) => entry.hasInstallScript)
  return [
    ...withScript.flatMap(({ path, name }) =>
      name in installScripts
        ? []
        : [`${path} has an install script that tools/supply-chain/policy.ts does not explain`],
    ),
    ...unusedExceptions('installScripts', Object.keys(installScripts), withScript),
  ]
}

/** Requires a reason for each package in production. */
export const productionProblems = (
  inProduction: Iterable<ShippedPackage>,
  reasons: Readonly<Record<string, string>>,
): string[] => {
  const external = [...inProduction].filter(({ path }) => path.includes('node_modules/'))
  return [
    ...external.flatMap(({ name, version }) =>
      name in reasons ? [] : [`${name} ${version} is in production, but tools/supply-chain/policy.ts gives no reason`],
    ),
    ...unusedExceptions('productionReasons', Object.keys(reasons), external),
  ]
}

/**
 * Reports exceptions that no package needs any more, because they would silently allow a package that is added later.
 */
const unusedExceptions = (list: string, names: readonly string[], packages: readonly Package[]): string[] =>
  names.flatMap((name) =>
    packages.some((installed) => installed.name === name)
      ? []
      : [`tools/supply-chain/policy.ts lists ${name} under ${list}, but it is no longer needed there`],
  )

export const npmrcProblems = (npmrc: string): string[] => {
  const lines = npmrc.split('\n').map((line) => line.trim())
  return [
    ...requiredNpmSettings.flatMap((setting) =>
      lines.includes(setting) ? [] : [`.npmrc does not contain ${setting}`],
    ),
    ...lines.flatMap((line) =>
      /registry\s*=|_auth|_password/i.test(line)
        ? ['.npmrc contains a registry or a login, which belong in the configuration of each machine']
        : [],
    ),
  ]
}
