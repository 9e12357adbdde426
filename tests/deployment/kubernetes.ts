import { parseAllDocuments } from 'yaml'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own structure, which the schema validates
  readonly [field: string]: any
}

interface Schema {
  readonly validate: {
    (manifest: Manifest): boolean
    readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[]
  }
}

/** Packages and name prefixes of the schemas of custom resources, by group. */
const customSchemas: Readonly<Record<string, readonly [name: string, prefix: string]>> = {
  'gateway.networking.k8s.io': ['@kubernetes-models/gateway-api', 'IoK8sSigsGatewayApiApis'],
  'monitoring.coreos.com': [
    '@kubernetes-models/prometheus-operator',
    'ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring',
  ],
  'postgresql.cnpg.io': ['@kubernetes-models/cloudnative-pg', 'ComGithubCloudnativePgCloudnativePgApi'],
}

/** Module of the schema, such as IoK8sApiAppsV1Deployment.js of kubernetes-models. Two packages do not export it. */
const schemaModule = ({ apiVersion, kind }: Manifest): string => {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const [name, prefix] = customSchemas[group] ?? [
    'kubernetes-models',
    `IoK8sApi${capitalize(group.split('.')[0] ?? '')}`,
  ]
  const folder = new URL('_schemas/', import.meta.resolve(name))
  return new URL(`${prefix}${capitalize(version)}${kind}.js`, folder).href
}

export const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })

/** Returns the schema errors of a manifest, or the fields that its schema does not define. */
export const manifestErrors = async (manifest: Manifest): Promise<string[]> => {
  const { validate } = (await import(schemaModule(manifest))) as Schema
  const pathsRead = new Set<string>()
  if (!validate(withAccessLog(manifest, '', pathsRead)))
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} violates ${keyword}`)
  return fieldPaths(manifest, '')
    .filter((path) => !pathsRead.has(path))
    .map((path) => `unknown field ${path}`)
}

/**
 * The schemas accept unknown fields, as old versions of Kubernetes did. But validation reads every field that the
 * schema defines, so a field that validation never reads is unknown.
 */
const withAccessLog = <T extends object>(value: T, path: string, pathsRead: Set<string>): T =>
  new Proxy(value, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof name === 'symbol') return member
      pathsRead.add(`${path}/${name}`)
      return typeof member === 'object' && member !== null
        ? withAccessLog(member, `${path}/${name}`, pathsRead)
        : member
    },
  })

const fieldPaths = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [`${path}/${name}`, ...fieldPaths(inner, `${path}/${name}`)])
    : []
