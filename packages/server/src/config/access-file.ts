/** Reads and validates the file with named tokens (docs/access.md). */
import { didYouMean, parseDateTime } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { NamedToken } from '../http/access/callers.ts'
import { creatablePaths, readableNames } from '../http/access/rights.ts'
import { isDigestName } from '../observability/log.ts'
import type { Environment } from './read-setting.ts'
import { readSetting } from './read-setting.ts'
import { readSecretFile } from './secret-files.ts'

const properties = ['name', 'sha256', 'read', 'personal', 'create', 'expires']
const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/
/** The labels of all other requests in the metrics. */
const takenNames = ['none', 'other']

/** Empty if no file is set. */
export const readAccessFile = (env: Environment): readonly NamedToken[] => {
  const file = readSetting(env, 'MUSTER_ACCESS_FILE')
  return file === undefined ? [] : parseAccessFile(readSecretFile('MUSTER_ACCESS_FILE', file), file)
}

/** Throws an error that lists everything that is wrong. */
export const parseAccessFile = (text: string, file: string): readonly NamedToken[] => {
  const entries = parseJson(text)
  if (!Array.isArray(entries)) throw new OperatorError(`${file} must be a JSON array with one object for each token.`)
  const errors = [...entries.flatMap(entryErrors), ...repeated(entries, 'name'), ...repeated(entries, 'sha256')]
  if (errors.length > 0) throw new OperatorError(`${file} is invalid:`, { details: errors })
  return (entries as readonly (Pick<NamedToken, 'name' | 'sha256'> & Partial<NamedToken>)[]).map(
    ({ name, sha256, read = [], personal = false, create = [], expires }) => {
      return { name, sha256, read, personal, create, expires }
    },
  )
}

/** No error quotes the text, because somebody may have written a token into it. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const entryErrors = (entry: unknown, index: number): string[] => {
  const place = `entry ${index + 1}`
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [`${place} must be an object`]
  const { name, sha256, read = [], personal = false, create = [], expires } = entry as Record<string, unknown>
  const unknown = Object.keys(entry).filter((property) => !properties.includes(property))
  return [
    ...unknown.map((property) => `has an unknown property "${property}"${didYouMean(property, properties)}`),
    ...(isName(name)
      ? []
      : [
          '"name" must consist of up to 63 lower-case letters, digits, - and _, and not be none, other or 8 hexadecimal digits',
        ]),
    ...(typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
      ? []
      : ['"sha256" must have 64 hexadecimal digits, in lower case: the digest of the token, not the token']),
    ...(read === 'all' ? [] : nameErrors('read', read, readableNames)),
    ...nameErrors('create', create, creatablePaths),
    ...(typeof personal === 'boolean' ? [] : ['"personal" must be true or false']),
    ...(expires === undefined || isDay(expires) ? [] : ['"expires" must be a day such as "2027-12-31"']),
  ].map((error) => `${isName(name) ? `${place} (${name})` : place}: ${error}`)
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && namePattern.test(value) && !takenNames.includes(value) && !isDigestName(value)

const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseDateTime(value) !== undefined

const nameErrors = (property: string, value: unknown, known: readonly string[]): string[] => {
  if (!Array.isArray(value)) return [`"${property}" must be a list of names${property === 'read' ? ', or "all"' : ''}`]
  return value
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `"${property}" contains "${String(name)}"${didYouMean(String(name), known)} Allowed: ${known.join(', ')}`,
    )
}

/** Two entries with one name could not be told apart in the audit log, and two with one digest have one token. */
const repeated = (entries: readonly unknown[], property: 'name' | 'sha256'): string[] => {
  const values = entries.map((entry) => (entry as Record<string, unknown> | null)?.[property])
  return values.flatMap((value, index) => {
    const first = values.indexOf(value)
    return typeof value !== 'string' || first === index
      ? []
      : [`entry ${index + 1} has the "${property}" of entry ${first + 1}`]
  })
}
