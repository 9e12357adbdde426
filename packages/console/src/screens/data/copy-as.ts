/** The same request in other forms: as a call of the TypeScript client. */
import type { Resource } from '@muster/model'
import type { Parameters } from './list-query.ts'
import { clientName, clientQuery } from './list-query.ts'

const identifier = /^[A-Za-z_$][\w$]*$/
/** Parameters that the types of the client want as lists, even of one item. */
const alwaysLists = ['fields', 'expand']

export const listCall = (resource: Resource, parameters: Parameters): string => {
  const numeric = numericParameters(resource)
  const members = Object.entries(clientQuery(resource, parameters)).map(([name, value]) => {
    const values = (typeof value === 'string' ? [value] : value).map((text) => literal(text, numeric.has(name)))
    const text = values.length === 1 && !alwaysLists.includes(name) ? (values[0] as string) : `[${values.join(', ')}]`
    return `${identifier.test(name) ? name : quoted(name)}: ${text}`
  })
  const query =
    members.length === 0 ? '' : members.length < 3 ? `{ ${members.join(', ')} }` : `{\n  ${members.join(',\n  ')},\n}`
  return `const page = await muster.${clientName(resource.path)}.list(${query})`
}

export const getCall = ({ path }: Resource, id: number): string =>
  `const record = await muster.${clientName(path)}.get(${id})`

const literal = (text: string, isNumber: boolean): string => {
  if (text === 'true' || text === 'false') return text
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : quoted(text)
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const numericParameters = ({ listFilters, computedFilters }: Resource): Set<string> =>
  new Set([
    'limit',
    'offset',
    ...listFilters
      .filter(({ field, test }) => test !== 'is_null' && ['id', 'reference', 'integer', 'number'].includes(field.kind))
      .map(({ parameter }) => parameter),
    ...computedFilters.filter(({ kind }) => kind === 'id').map(({ parameter }) => parameter),
  ])
