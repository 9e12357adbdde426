/** In charge of holding Kubernetes manifests against the schemas of their kinds. */
import { parseAllDocuments } from 'yaml'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: every kind has a shape of its own, which the schema judges
  readonly [field: string]: any
}

interface Schema {
  readonly validate: {
    (manifest: Manifest): boolean
    readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[]
  }
}

/** As the description of Kubernetes calls the schema of apps/v1 Deployment, or of v1 Service. */
const schemaOf = ({ apiVersion, kind }: Manifest): string => {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return `IoK8sApi${capital(group.split('.')[0] ?? '')}${capital(version)}${kind}`
}

export const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })

/** What the schema of its kind says against a manifest, and the fields that it does not know. */
export const faultsOf = async (manifest: Manifest): Promise<string[]> => {
  const { validate } = (await import(`kubernetes-models/_schemas/${schemaOf(manifest)}`)) as Schema
  const seen = new Set<string>()
  if (!validate(watched(manifest, '', seen)))
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} breaks its ${keyword}`)
  return pathsIn(manifest, '')
    .filter((path) => !seen.has(path))
    .map((path) => `nothing is known of ${path}`)
}

/**
 * These schemas let unknown fields pass, as old versions of Kubernetes did. They look at every field they know, so one that
 * nobody looked at is one they do not know.
 */
const watched = <T extends object>(value: T, path: string, seen: Set<string>): T =>
  new Proxy(value, {
    get(target, name) {
      const found = Reflect.get(target, name) as unknown
      if (typeof name === 'symbol') return found
      seen.add(`${path}/${name}`)
      return typeof found === 'object' && found !== null ? watched(found, `${path}/${name}`, seen) : found
    },
  })

const pathsIn = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [`${path}/${name}`, ...pathsIn(inner, `${path}/${name}`)])
    : []
