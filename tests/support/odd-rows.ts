/** Rows with unusual values: nulls, equal values, special letters, long strings, and the first and last valid dates. */
import type { NamedField, Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import { quoteIdentifier } from '../../packages/server/src/postgres/sql/statement.ts'
import type { Random } from './random.ts'
import { pick } from './random.ts'

const longText = 'Ä'.repeat(200)
const textValues = [
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
  ...[
    `${longText}a`,
    `${longText}b`,
    `${longText.toLowerCase()}A`,
    `${'n'.repeat(199)}`,
    'n'.repeat(200),
    'n'.repeat(201),
  ],
]
const numberValues = [-1.5, 0, 0.1, 0.30000000000000004, 1, 1, 2, 8, 1e15, -1e-7]
const dateValues = ['0001-01-01', '1999-12-31', '2026-01-01', '2026-01-01', '2026-01-02', '2026-02-28', '9999-12-31']
const timestampValues = [
  ...['0001-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z', '2026-01-01T23:59:59.999999Z'],
  ...['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-02T12:30:00.12Z', '9999-12-31T23:59:59.999999Z'],
]

export const oddRowsSql = (resource: Resource, count: number, random: Random): string => {
  const fields = resource.storedFields.filter(({ kind }) => kind !== 'id')
  const rows = Array.from({ length: count }, (_, index) => {
    const values = fields.map((field) => sqlLiteral(field, random, index))
    return `(${values.join(', ')})`
  })
  return `insert into ${quoteIdentifier(resource.table)} (${fields.map(({ name }) => quoteIdentifier(name)).join(', ')}) values ${rows.join(', ')}`
}

const sqlLiteral = (field: NamedField, random: Random, index: number): string => {
  // null always satisfies rules between two fields, such as an end date that must not precede the start date.
  if (field.references?.within !== undefined || field.notBefore !== undefined) return 'null'
  if (!field.required && random(4) === 0) return 'null'
  switch (field.kind) {
    case 'reference':
      return `(select min(id) + ${random(2)} from ${quoteIdentifier(resourceAt(field.references?.resource ?? '').table)})`
    case 'integer':
      return String(pick(random, [0, 1, 1, 2, 7, -3, 9007199254740991]))
    case 'number':
      return String(pick(random, numberValues))
    case 'date':
      return `'${pick(random, dateValues)}'`
    case 'timestamp':
      return `'${pick(random, timestampValues)}'`
    default:
      return textLiteral(field, random, index)
  }
}

const textLiteral = ({ name, kind, maxLength = 20_000 }: NamedField, random: Random, index: number): string => {
  if (kind === 'json') return `'{}'`
  if (name === 'slug') return `'Odd-${index}-É'`
  const text = pick(
    random,
    textValues.filter((value) => [...value].length <= maxLength),
  )
  return `'${text.replaceAll("'", "''")}'`
}
