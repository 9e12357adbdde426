/** Reads and validates the file that lists the endpoints (docs/webhooks.md). */
import { dirname, resolve } from 'node:path'
import type { ChangeKind, Resource } from '@muster/model'
import { changeKinds, didYouMean, listedResources } from '@muster/model'
import { readSecretFile } from '../config/secret-files.ts'
import { OperatorError } from '../errors.ts'
import type { AddressKind } from './addresses.ts'
import { addressInUrl, allowedKinds, isLoopbackUrl, kindOfAddress } from './addresses.ts'
import { parseSecret } from './signature.ts'

export interface Endpoint {
  /** Identifies the endpoint in the database, the log and the metrics, where its URL might reveal a secret. */
  readonly name: string
  readonly url: URL
  /** The current secret, and during a rotation also the previous one. */
  readonly secrets: readonly Buffer[]
  /** All resources if undefined, without their history. */
  readonly resources: readonly Resource[] | undefined
  /** All kinds if undefined. */
  readonly kinds: readonly ChangeKind[] | undefined
  readonly allowedAddresses: ReadonlySet<AddressKind>
}

const setting = 'MUSTER_WEBHOOKS_FILE'
const properties = ['name', 'url', 'secret_file', 'resources', 'kinds', 'allow_private_network']
const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/
const maxSecrets = 2

export const readEndpoints = (file: string): readonly Endpoint[] => {
  const { endpoints, ...rest } = parseJson(readSecretFile(setting, file), file)
  const [unknownName] = Object.keys(rest)
  if (!Array.isArray(endpoints) || endpoints.length === 0 || unknownName !== undefined)
    throw new OperatorError(
      `${file} must be an object with one property, "endpoints": a list of at least one endpoint.`,
    )
  const names = new Set<string>()
  return endpoints.map((value: unknown, index) => {
    const endpoint = readEndpoint(value, `${file}: endpoint ${index + 1}`, dirname(file))
    if (names.has(endpoint.name))
      throw new OperatorError(`${file} contains two endpoints with the name "${endpoint.name}".`)
    names.add(endpoint.name)
    return endpoint
  })
}

const parseJson = (text: string, file: string): Record<string, unknown> => {
  try {
    return asObject(JSON.parse(text)) ?? {}
  } catch {
    // The message of the parser quotes the file, and the path or query of a URL in it may contain a secret.
    throw new OperatorError(`${file} is not a JSON document.`)
  }
}

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

const readEndpoint = (value: unknown, place: string, folder: string): Endpoint => {
  const object = asObject(value)
  if (object === undefined) throw new OperatorError(`${place} must be an object.`)
  const unknownName = Object.keys(object).find((name) => !properties.includes(name))
  if (unknownName !== undefined)
    throw new OperatorError(`${place} has an unknown property "${unknownName}"${didYouMean(unknownName, properties)}`)
  const { name, url, secret_file: secretFile, allow_private_network: allowPrivateNetwork = false } = object
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new OperatorError(`${place}: "name" must consist of up to 63 lower-case letters, digits, - and _.`)
  if (typeof secretFile !== 'string') throw new OperatorError(`${place}: "secret_file" must be the path of a file.`)
  if (typeof allowPrivateNetwork !== 'boolean')
    throw new OperatorError(`${place}: "allow_private_network" must be true or false.`)
  const parsedUrl = readUrl(url, place)
  const allowedAddresses = allowedKinds(parsedUrl, allowPrivateNetwork)
  const address = addressInUrl(parsedUrl)
  if (address !== undefined && !allowedAddresses.has(kindOfAddress(address)))
    throw new OperatorError(
      kindOfAddress(address) === 'private'
        ? `${place}: "url" has a private address: set "allow_private_network" to true if that is intended.`
        : `${place}: "url" has an address to which no message is sent (${address}).`,
    )
  const resourcePaths = readNames(
    object,
    'resources',
    listedResources.map(({ path }) => path),
    place,
  )
  return {
    name,
    url: parsedUrl,
    secrets: readSecrets(resolve(folder, secretFile), place),
    resources: resourcePaths && listedResources.filter(({ path }) => resourcePaths.includes(path)),
    kinds: readNames(object, 'kinds', changeKinds, place),
    allowedAddresses,
  }
}

/** No message contains the URL, because its path or query may contain a secret. */
const readUrl = (value: unknown, place: string): URL => {
  if (typeof value !== 'string' || !URL.canParse(value)) throw new OperatorError(`${place}: "url" must be a URL.`)
  const url = new URL(value)
  if (url.username !== '' || url.password !== '')
    throw new OperatorError(`${place}: "url" must not contain a user name or password.`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackUrl(url)))
    throw new OperatorError(`${place}: "url" must begin with https://; only a loopback address may have http://.`)
  return url
}

const readSecrets = (file: string, place: string): readonly Buffer[] => {
  const lines = readSecretFile(`${place}: "secret_file"`, file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const secrets = lines.map(parseSecret).filter((secret) => secret !== undefined)
  if (secrets.length === 0 || secrets.length > maxSecrets || secrets.length < lines.length)
    throw new OperatorError(
      `${file} must contain one or two lines, each with a secret: echo "whsec_$(openssl rand -base64 32)".`,
    )
  return secrets
}

const readNames = <T extends string>(
  object: Readonly<Record<string, unknown>>,
  property: string,
  known: readonly T[],
  place: string,
): readonly T[] | undefined => {
  const value = object[property]
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length === 0)
    throw new OperatorError(`${place}: "${property}" must be a list of names; leave it out for all.`)
  const unknownName = value.find((name) => !known.includes(name))
  if (unknownName !== undefined)
    throw new OperatorError(
      `${place}: "${property}" contains "${unknownName}", which does not exist${didYouMean(String(unknownName), known)}`,
    )
  return value
}
