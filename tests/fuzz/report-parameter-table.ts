/** Hand-written values of the parameters of reports and of computed filters, by kind. */
import type { ExpectedOutcome, ParameterRow } from './parameter-table.ts'
import { booleanRows, dateTimeRows, idRows, integerFilterRows, invalidIntegerTexts } from './parameter-table.ts'

/** What decides which values are valid: part of a declared report parameter or computed filter. */
export interface DeclaredValues {
  readonly kind: 'date' | 'month' | 'month-day' | 'id' | 'ids' | 'text' | 'texts' | 'integer' | 'boolean' | 'choice'
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

const served: ExpectedOutcome = { served: true }
const error = (type: string): ExpectedOutcome => ({ error: type })
const rowsWith = (outcome: ExpectedOutcome, values: readonly string[]): ParameterRow[] =>
  values.map((value) => [value, outcome])

const blanks = rowsWith(served, ['', '%20', '%09%0A'])
/** A stray byte, a truncated character, a lone surrogate in UTF-8, and an overlong encoding. */
const invalidUtf8 = rowsWith(error('string_unicode'), ['%ff', 'a%C3', '%ED%A0%80', '%C0%80'])

/** Every text is valid, also U+0000, which no stored text contains. */
export const textRows: readonly ParameterRow[] = [
  ...blanks,
  ...rowsWith(served, [
    'a',
    'A,b',
    ',',
    ',,',
    ',,,',
    'a,,b',
    'jury,,%20duty,annual',
    '%00',
    'a%00b',
    '%00,active',
    '%',
    '%25',
    '%zz',
    '_',
    '%5C',
    '%27%20or%20%271%27=%271',
    '%22',
    '$1',
    '[]',
    'null',
    '__proto__',
    '%EF%BF%BF',
    '%F4%8F%BF%BF',
    'e%CC%81',
    '%C4%B0',
    '%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7',
    '%E2%80%AE',
    '('.repeat(7_000),
    '%F0%9D%92%B3'.repeat(1_000),
    'a,'.repeat(4_000),
    'a'.repeat(15_000),
  ]),
  ...invalidUtf8,
]

const monthRows: readonly ParameterRow[] = [
  ...blanks,
  ...rowsWith(served, ['2026-03', '2024-02', '0001-01', '9999-12', '2026%2D03']),
  ...rowsWith(error('month_parsing'), [
    '2026-13',
    '2026-00',
    '0000-01',
    '2026-3',
    '26-03',
    '2026',
    '202603',
    '2026-03-01',
    '2026/03',
    '%202026-03',
    '2026-03%20',
    '2026-03%00',
    '%2B026-03',
    '10000-01',
    '-001-01',
    '2026-0x',
    '%D9%A2%D9%A0%D9%A2%D9%A6-03',
    'now',
    'null',
    '2'.repeat(15_000),
  ]),
  ...invalidUtf8,
]

export const monthDayRows: readonly ParameterRow[] = [
  ...blanks,
  ...rowsWith(served, ['01-01', '02-28', '02-29', '12-31', '03%2D01']),
  ...rowsWith(error('month_day_parsing'), [
    '02-30',
    '13-01',
    '00-10',
    '04-31',
    '1-1',
    '0101',
    '01/01',
    '2026-01-01',
    '%2001-01',
    '01-01%20',
    '01-01%00',
    '-1-01',
    '01-0x',
    '01-01,02-01',
    '%D9%A0%D9%A1-%D9%A0%D9%A1',
    'now',
    'null',
    '0'.repeat(15_000),
  ]),
  ...invalidUtf8,
]

const choiceRows = (values: readonly string[]): ParameterRow[] => [
  ...blanks,
  ...rowsWith(served, values),
  ...rowsWith(
    error('literal_error'),
    [
      ...values.map((value) => `%20${value}`),
      ...values.map((value) => `${value},`),
      ...values.map((value) => `${value}%00`),
      ...values.map((value) => value.toUpperCase()).filter((value) => !values.includes(value)),
      values.join(','),
      'zz',
      '0',
      'null',
      '__proto__',
      'constructor',
      '%00',
      '%27',
      'z'.repeat(15_000),
    ].filter((value) => !values.includes(value)),
  ),
  ...invalidUtf8,
]

const integerRows = ({ minimum, maximum }: DeclaredValues): ParameterRow[] => {
  const isAllowed = (value: bigint): boolean =>
    (minimum === undefined || value >= BigInt(minimum)) && (maximum === undefined || value <= BigInt(maximum))
  const outcomeOf = (value: bigint): ExpectedOutcome => {
    if (isAllowed(value)) return served
    return error(minimum !== undefined && value < BigInt(minimum) ? 'greater_than_equal' : 'less_than_equal')
  }
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [BigInt(bound)]))
  const values = [
    ...bounds.flatMap((bound) => [bound - 1n, bound, bound + 1n]),
    0n,
    -1n,
    2n ** 31n,
    2n ** 63n,
    10n ** 30n,
  ]
  return [
    ...blanks,
    ...[...new Set(values)].map((value): ParameterRow => [String(value), outcomeOf(value)]),
    [`%2B${minimum ?? 1}`, outcomeOf(BigInt(minimum ?? 1))],
    [`${minimum ?? 1}.0`, outcomeOf(BigInt(minimum ?? 1))],
    ['9'.repeat(4_301), error('int_parsing_size')],
    ...rowsWith(
      error('int_parsing'),
      invalidIntegerTexts.filter((text) => !['', '%20', '%ff'].includes(text)),
    ),
    ...invalidUtf8,
  ]
}

/** The values to send for a parameter of this kind. */
export const rowsOfKind = (declared: DeclaredValues): readonly ParameterRow[] => {
  switch (declared.kind) {
    case 'date':
      return dateTimeRows
    case 'month':
      return monthRows
    case 'month-day':
      return monthDayRows
    case 'id':
      return integerFilterRows
    case 'ids':
      return idRows
    case 'text':
    case 'texts':
      return textRows
    case 'integer':
      return integerRows(declared)
    case 'boolean':
      return booleanRows
    case 'choice':
      return choiceRows(declared.values ?? [])
  }
}
