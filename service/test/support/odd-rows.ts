/** In charge of rows that lists trip over: nulls everywhere, equal values, odd letters, long names, edges of time. */
import type { NamedField, Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import { quoted } from '../../src/database/statement.ts'
import type { Random } from './random.ts'
import { pick } from './random.ts'

const long = 'Ä'.repeat(200)
const texts = [
  ...[
    'Ada',
    'ada',
    'ADA',
    'Åsa',
    'asa',
    'Zoë',
    'zoe',
    'Éva',
    'Straße',
    'STRASSE',
    'ΣΊΣΥΦΟΣ',
    'İpek',
    'Ünal',
    '한',
    'がか',
  ],
  ...['😀 a', '\uffee', 'a,b', 'x', 'a b', "o'clock", '100%', 'under_score', 'back\\slash', '~', '-1', '10', '9'],
  ...[`${long}a`, `${long}b`, `${long.toLowerCase()}A`, `${'n'.repeat(199)}`, 'n'.repeat(200), 'n'.repeat(201)],
]
const numbers = [-1.5, 0, 0.1, 0.30000000000000004, 1, 1, 2, 8, 1e15, -1e-7]
const days = ['0001-01-01', '1999-12-31', '2026-01-01', '2026-01-01', '2026-01-02', '2026-02-28', '9999-12-31']
const moments = [
  ...['0001-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z', '2026-01-01T23:59:59.999999Z'],
  ...['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-02T12:30:00.12Z', '9999-12-31T23:59:59.999999Z'],
]

export const oddRowsSql = (resource: Resource, count: number, random: Random): string => {
  const fields = resource.stored.filter(({ kind }) => kind !== 'id')
  const rows = Array.from({ length: count }, (_, at) => {
    const values = fields.map((field) => literalOf(field, random, at))
    return `(${values.join(', ')})`
  })
  return `insert into ${quoted(resource.table)} (${fields.map(({ name }) => quoted(name)).join(', ')}) values ${rows.join(', ')}`
}

const literalOf = (field: NamedField, random: Random, at: number): string => {
  // Nothing but a null keeps the rules of a pair: a team's parent, and an end not before its beginning.
  if (field.references?.within !== undefined || field.notBefore !== undefined) return 'null'
  if (!field.required && random(4) === 0) return 'null'
  switch (field.kind) {
    case 'reference':
      return `(select min(id) + ${random(2)} from ${quoted(resourceAt(field.references?.resource ?? '').table)})`
    case 'integer':
      return String(pick(random, [0, 1, 1, 2, 7, -3, 9007199254740991]))
    case 'number':
      return String(pick(random, numbers))
    case 'date':
      return `'${pick(random, days)}'`
    case 'timestamp':
      return `'${pick(random, moments)}'`
    default:
      return textLiteral(field, random, at)
  }
}

const textLiteral = ({ name, kind, maxLength = 20_000 }: NamedField, random: Random, at: number): string => {
  if (kind === 'json') return `'{}'`
  if (name === 'slug') return `'Odd-${at}-É'`
  const text = pick(
    random,
    texts.filter((each) => [...each].length <= maxLength),
  )
  return `'${text.replaceAll("'", "''")}'`
}
