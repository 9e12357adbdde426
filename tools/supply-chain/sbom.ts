/** Creates the software bill of materials of what is shipped from the lockfile, as CycloneDX 1.6 JSON. */
import type { Lockfile, Package } from './lockfile.ts'
import {
  consolePackages,
  licenceExpression,
  packageAt,
  productionPackages,
  registryPackages,
  workspaces,
} from './lockfile.ts'

/**
 * The package of the documentation page. Its script is shipped in packages/server/assets/docs, although the package is
 * only a development dependency.
 */
const vendoredPackage = '@scalar/fastify-api-reference'

export const billOfMaterials = (lockfile: Lockfile): object => {
  const shipped = new Map([...productionPackages(lockfile), ...consolePackages(lockfile)])
  const script = registryPackages(lockfile).find(({ name }) => name === vendoredPackage)
  if (script === undefined)
    throw new Error(`package-lock.json has no ${vendoredPackage}, which packages/server/assets/docs comes from`)
  const muster = packageAt('', lockfile.packages[''] ?? {})
  const packageUrls = new Map([...shipped].map(([path, npmPackage]) => [path, packageUrl(npmPackage)]))
  const dependencies = new Map<string, Set<string>>()
  const addDependencies = (from: string, paths: readonly string[]): void => {
    const earlierUrls = dependencies.get(from) ?? new Set()
    dependencies.set(from, new Set([...earlierUrls, ...paths.map((path) => packageUrls.get(path) ?? '')]))
  }
  addDependencies(packageUrl(muster), workspaces(lockfile))
  for (const npmPackage of shipped.values()) addDependencies(packageUrl(npmPackage), npmPackage.dependsOn)
  addDependencies(packageUrl(script), [])
  // Two installed copies of the same version are one component.
  const components = new Map(
    [...shipped.values(), script].map((npmPackage) => [packageUrl(npmPackage), component(npmPackage)]),
  )
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component(muster), type: 'application' } },
    components: [...components.values()],
    dependencies: [...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() })),
    // The script of the documentation page bundles other packages, and not all of them are known.
    compositions: [{ aggregate: 'incomplete', assemblies: [packageUrl(script)] }],
  }
}

const component = (npmPackage: Package): object => {
  const { name, version, entry } = npmPackage
  const [, group, ownName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  return {
    type: 'library',
    'bom-ref': packageUrl(npmPackage),
    ...(group === undefined ? {} : { group }),
    name: ownName,
    version,
    ...(entry.integrity === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: toHex(entry.integrity) }] }),
    licenses: [
      / (OR|AND|WITH) /.test(licenceOf(npmPackage))
        ? { expression: licenceOf(npmPackage) }
        : { license: { id: licenceOf(npmPackage) } },
    ],
    purl: packageUrl(npmPackage),
  }
}

const licenceOf = ({ path, entry }: Package): string => {
  if (entry.license === undefined) throw new Error(`package-lock.json has no licence for ${path}`)
  return licenceExpression(entry.license)
}

/** Returns the package URL (purl) of a package, which also identifies its component in the bill of materials. */
const packageUrl = ({ name, version }: Package): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

const toHex = (integrity: string): string => Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
