/** In charge of the bill of materials of what runs in production: CycloneDX 1.6 in JSON, the same bytes for the same lockfile. */
import type { Lockfile, Package } from './lockfile.ts'
import { packageAt, production, registryPackages, workspaces } from './lockfile.ts'

/** Comes with the service although production does not depend on it: the script in service/assets/docs. */
const vendored = '@scalar/fastify-api-reference'

export const billOfMaterials = (lockfile: Lockfile): object => {
  const inProduction = production(lockfile)
  const script = registryPackages(lockfile).find(({ name }) => name === vendored)
  if (script === undefined)
    throw new Error(`package-lock.json has no ${vendored}, which service/assets/docs comes from`)
  const muster = packageAt('', lockfile.packages[''] ?? {})
  const references = new Map([...inProduction].map(([path, each]) => [path, reference(each)]))
  const targets = new Map<string, Set<string>>()
  const link = (from: string, paths: readonly string[]): void => {
    const known = targets.get(from) ?? new Set()
    targets.set(from, new Set([...known, ...paths.map((path) => references.get(path) ?? '')]))
  }
  link(reference(muster), workspaces(lockfile))
  for (const each of inProduction.values()) link(reference(each), each.dependsOn)
  link(reference(script), [])
  // Two copies of one version are one component.
  const components = new Map([...inProduction.values(), script].map((each) => [reference(each), component(each)]))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component(muster), type: 'application' } },
    components: [...components.values()],
    dependencies: [...targets].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() })),
    // The script is one bundle, and only its makers know all it was built from.
    compositions: [{ aggregate: 'incomplete', assemblies: [reference(script)] }],
  }
}

const component = (each: Package): object => {
  const { name, version, entry } = each
  const [, group, ownName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  return {
    type: 'library',
    'bom-ref': reference(each),
    ...(group === undefined ? {} : { group }),
    name: ownName,
    version,
    ...(entry.integrity === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hexadecimal(entry.integrity) }] }),
    licenses: [
      / (OR|AND|WITH) /.test(licenceOf(each)) ? { expression: licenceOf(each) } : { license: { id: licenceOf(each) } },
    ],
    purl: reference(each),
  }
}

const licenceOf = ({ path, entry }: Package): string => {
  if (entry.license === undefined) throw new Error(`package-lock.json names no licence for ${path}`)
  return entry.license
}

/** A package URL, which also names the component inside the document. */
const reference = ({ name, version }: Package): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

const hexadecimal = (integrity: string): string =>
  Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
