/** Hand-written query and path parameter values of GET requests, with their expected outcomes. */

/**
 * The request succeeds with this value in `meta` (echo), succeeds (served), or gets 422 with this error type (error).
 */
export type ExpectedOutcome = { readonly echo: string } | { readonly served: true } | { readonly error: string }

/** A parameter value as written in the URL, percent-encoded, and the expected outcome. */
export type ParameterRow = readonly [value: string, outcome: ExpectedOutcome]

const echo = (digits: string): ExpectedOutcome => ({ echo: digits })
const served: ExpectedOutcome = { served: true }
const error = (type: string): ExpectedOutcome => ({ error: type })

const nines = (count: number): string => '9'.repeat(count)

export const invalidIntegerTexts: readonly string[] = [
  'abc',
  '',
  '%20',
  '1.5',
  '1.',
  '.5',
  '1e2',
  '0x10',
  '0b1',
  'true',
  'null',
  'NaN',
  'Infinity',
  '1,0',
  '1%202',
  '%2B',
  '-',
  '--1',
  '5;',
  '[5]',
  '%D9%A5',
  '%EF%BC%95',
  '%C2%BD',
  '5%00',
  '%005',
  '1__0',
  '_1',
  '1_',
  '5%zz',
  '%ff',
  '__proto__',
  '5%27',
]

const invalidIntegers: readonly ParameterRow[] = invalidIntegerTexts.map((value) => [value, error('int_parsing')])

export const limitRows: readonly ParameterRow[] = [
  ['1', echo('1')],
  ['2', echo('2')],
  ['50', echo('50')],
  ['199', echo('199')],
  ['200', echo('200')],
  ['201', error('less_than_equal')],
  ['0', error('greater_than_equal')],
  ['-1', error('greater_than_equal')],
  ['-0', error('greater_than_equal')],
  ['1000000', error('less_than_equal')],
  ['9223372036854775808', error('less_than_equal')],
  [nines(4_300), error('less_than_equal')],
  [nines(4_301), error('int_parsing_size')],
  ['%2B5', echo('5')],
  ['05', echo('5')],
  ['0000000000000000000005', echo('5')],
  ['%205%20', echo('5')],
  ['+5', echo('5')],
  ['5%0A', echo('5')],
  ['1.0', echo('1')],
  ['50.00', echo('50')],
  ['0.0', error('greater_than_equal')],
  ['200.0', echo('200')],
  ['1_0', echo('10')],
  ['%35', echo('5')],
  ...invalidIntegers,
]

/** A page of groups may be larger than a page of records. */
export const groupLimitRows: readonly ParameterRow[] = [
  ...limitRows.filter(([value]) => value !== '201'),
  ['201', echo('201')],
  ['1000', echo('1000')],
  ['1001', error('less_than_equal')],
]

/** Groupings that no count has: ids, two relations, time units through a relation, other spellings. */
export const groupingRows: readonly ParameterRow[] = [
  ...['', '%20', ','].map((value): ParameterRow => [value, error('missing')]),
  ...[
    'id',
    'x.y',
    '.',
    'employee.',
    '.dept_id',
    'employee.id',
    'job.id',
    'employee.department.name',
    'employee..dept_id',
    'EMPLOYEE.dept_id',
    'employee.password_hash',
    'month(employee.date_of_joining)',
    'employee.month(date_of_joining)',
    'employee.first_name',
    '__proto__.status',
    'record_json',
    '%00',
    '%27',
  ].map((value): ParameterRow => [value, error('literal_error')]),
  ['%ff', error('string_unicode')],
]

export const offsetRows: readonly ParameterRow[] = [
  ['0', echo('0')],
  ['-0', echo('0')],
  ['1', echo('1')],
  ['007', echo('7')],
  ['%2B3', echo('3')],
  ['3.0', echo('3')],
  ['-1', error('greater_than_equal')],
  ['-9223372036854775809', error('greater_than_equal')],
  ['2147483648', echo('2147483648')],
  ['9007199254740993', echo('9007199254740993')],
  ['9223372036854775807', echo('9223372036854775807')],
  ['9223372036854775808', echo('9223372036854775808')],
  ['123456789012345678901234567890', echo('123456789012345678901234567890')],
  [nines(400), echo(nines(400))],
  [nines(4_300), echo(nines(4_300))],
  [nines(4_301), error('int_parsing_size')],
  ...invalidIntegers,
]

/** An integer filter has no bounds, does not appear in `meta`, and is ignored if blank. */
export const integerFilterRows: readonly ParameterRow[] = offsetRows.map(([value, outcome]) => {
  if (value === '' || value === '%20') return [value, served]
  const isAccepted = 'echo' in outcome || ('error' in outcome && outcome.error === 'greater_than_equal')
  if (value === '%ff') return [value, error('string_unicode')]
  return [value, isAccepted ? served : outcome]
})

export const searchRows: readonly ParameterRow[] = [
  ['', served],
  ['%20', served],
  ['a', served],
  ['%', served],
  ['%25', served],
  ['_', served],
  ['%5C', served],
  ['%5C%5C%25', served],
  ['%27', served],
  ['%27%20or%20%271%27=%271', served],
  ['%22', served],
  [';drop%20table%20employees', served],
  ['$1', served],
  ['%00', served],
  ['a%00b', served],
  ['%EF%BF%BF', served],
  ['%F4%8F%BF%BF', served],
  ['e%CC%81', served],
  ['%C4%B0', served],
  ['%C3%9F', served],
  ['%EF%AC%83', served],
  ['%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7', served],
  ['%E2%80%AE', served],
  ['a'.repeat(200), served],
  ['%F0%9D%92%B3'.repeat(200), served],
  ['a%20'.repeat(100), served],
  ['%25'.repeat(200), served],
  ['a'.repeat(201), error('string_too_long')],
  ['%F0%9D%92%B3'.repeat(201), error('string_too_long')],
  ['%20'.repeat(201), error('string_too_long')],
  ['%ff', error('string_unicode')],
  ['a%C3', error('string_unicode')],
  ['%ED%A0%80', error('string_unicode')],
  ['%C0%80', error('string_unicode')],
  ['%zz', served],
  ['%u0041', served],
  ['[]', served],
  ['__proto__', served],
]

/** The ranked search has nothing to rank without a term, and its pages are smaller than those of lists. */
export const rankedSearchRows: Readonly<Record<string, readonly ParameterRow[]>> = {
  q: searchRows.map(([value, outcome]) => (['', '%20'].includes(value) ? [value, error('missing')] : [value, outcome])),
  limit: [
    ...limitRows.filter(([value]) => !['199', '200', '200.0'].includes(value)),
    ...['51', '199', '200', '200.0'].map((value): ParameterRow => [value, error('less_than_equal')]),
  ],
  resource: [
    ...['', '%20', 'jobs', 'jobs,jobs', 'jobs%2Cemployees'].map((value): ParameterRow => [value, served]),
    ...[',', 'jobs,', 'JOBS', '%20jobs', 'jobs+', 'leave', 'jobs;employees', 'jobs%00', '__proto__'].map(
      (value): ParameterRow => [value, error('literal_error')],
    ),
    ['%ff', error('string_unicode')],
  ],
}

/** Values of `fields` and `expand`. `id` is valid in `fields` only, because it is a field and not a relation. */
const nameRows = (idOutcome: ExpectedOutcome, otherOutcome: ExpectedOutcome): readonly ParameterRow[] => [
  ['', served],
  ['%20', served],
  ['+%09%0A', served],
  ['id', idOutcome],
  ['%69d', idOutcome],
  ['id,id', idOutcome],
  ['id%2Cid', idOutcome],
  ...[
    'id,',
    ',id',
    ',',
    ',,',
    'id,,id',
    'ID',
    'Id',
    '%20id',
    'id+',
    'id;id',
    'id%00',
    '%00',
    'id[]',
    '*',
    '-id',
    '%zz',
    '%E2%80%8Bid',
    '__proto__',
    'constructor',
    'toString',
    'record_json',
    'search_text',
    'id%27',
    '%22',
    'id%20from%20employees',
    'a,'.repeat(4_000),
  ].map((value): ParameterRow => [value, otherOutcome]),
  ['%ff', error('string_unicode')],
  ['id,%ED%A0%80', error('string_unicode')],
]

export const fieldsRows = nameRows(served, error('field_unknown'))
export const expandRows = nameRows(error('relation_unknown'), error('relation_unknown'))

const blankRows: readonly ParameterRow[] = [
  ['', served],
  ['%20', served],
  ['%09%0A', served],
]

const rejectedRows = (type: string, values: readonly string[]): readonly ParameterRow[] =>
  values.map((value) => [value, error(type)])
const acceptedRows = (values: readonly string[]): readonly ParameterRow[] => values.map((value) => [value, served])

const invalidUtf8 = rejectedRows('string_unicode', ['%ff', '1%C3', '%ED%A0%80'])

/** Values of range filters on numbers. */
export const numberRows: readonly ParameterRow[] = [
  ...blankRows,
  ...acceptedRows([
    '0',
    '-0',
    '1.5',
    '1.',
    '.5',
    '%2B5',
    '05',
    '%205%20',
    '1e2',
    '1E-2',
    '1_000',
    '1.7976931348623157e308',
    '5e-324',
  ]),
  ...acceptedRows([nines(300), '-9223372036854775809']),
  ...rejectedRows('finite_number', ['inf', '-Infinity', 'NaN', '1e309', '-1e309', nines(400)]),
  ...rejectedRows('float_parsing', [
    'abc',
    '1,5',
    '0x10',
    '--1',
    '1e',
    '.',
    'true',
    'null',
    '1%202',
    '%D9%A5',
    '1__0',
    '_1',
    '5%00',
    '[5]',
  ]),
  ...invalidUtf8,
]

/** Values of range filters on dates and timestamps. */
export const dateTimeRows: readonly ParameterRow[] = [
  ...blankRows,
  ...acceptedRows([
    '2024-02-29',
    '0001-01-01',
    '9999-12-31',
    '2026-03-02T09:30',
    '2026-03-02T09:30:00Z',
    '2026-03-02%2009:30',
  ]),
  ...acceptedRows([
    '2026-03-02+09:30',
    '2026-03-02t09:30:15.123456789z',
    '2026-03-02T09:30:00%2B02:00',
    '2026-03-02T09:30:00-0200',
  ]),
  ...rejectedRows('date_parsing', [
    'abc',
    '2023-02-29',
    '2026-1-1',
    '2026-13-01',
    '0000-01-01',
    '10000-01-01',
    '20260302',
    '1',
  ]),
  ...rejectedRows('date_parsing', [
    '2026-03-02T24:00',
    '2026-03-02T09:30:00+02:00',
    '2026-03-02T',
    '%202026-03-02',
    '2026-03-02%00',
    'now',
  ]),
  ...invalidUtf8,
]

export const booleanRows: readonly ParameterRow[] = [
  ...blankRows,
  ...acceptedRows(['true', 'false', 'True', 'FALSE', '%20true%20']),
  ...rejectedRows('bool_parsing', ['1', '0', 'yes', 'no', 'on', 't', 'null', 'true,false', 'true%00', '%D1%82rue']),
  ...invalidUtf8,
]

const idList = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join(',')

export const idRows: readonly ParameterRow[] = [
  ...blankRows,
  ...acceptedRows([
    '1',
    '1,2',
    '2,1,1',
    ',',
    ',1,',
    '%201,%2B2,3.0,04',
    '-5',
    '9223372036854775808',
    nines(4_300),
    idList(200),
  ]),
  [idList(201), error('too_long')],
  ['1,'.repeat(201), error('too_long')],
  [`1,${nines(4_301)}`, error('int_parsing_size')],
  ...rejectedRows('int_parsing', [
    'abc',
    '1,x',
    '1.5',
    '1,,2',
    '1;2',
    '1-3',
    '1e2',
    '1,%20',
    'null',
    '[1]',
    '1,%D9%A5',
  ]),
  ...invalidUtf8,
]

/** Values of `sort` whose outcome is the same on every list. */
export const sortRows: readonly ParameterRow[] = [
  ...blankRows,
  ...acceptedRows(['id', '-id', ',id,', 'id,']),
  ...rejectedRows('literal_error', [
    'ID',
    '+id',
    '%2Bid',
    '%20id',
    '--id',
    '-',
    'id%20desc',
    'id.desc',
    'id;',
    'zz',
    'id,zz',
    'id,,id',
  ]),
  ...rejectedRows('literal_error', [
    'password_hash',
    'record_json',
    'search_text',
    '__proto__',
    'constructor',
    '1',
    '%00',
    '%27',
  ]),
  ...rejectedRows('duplicate_item', ['id,id', '-id,id', 'id,-id']),
  ...invalidUtf8,
]

/** Whole query strings with repeated names, unknown names, or syntax that other frameworks support. */
export const queryRows: readonly (readonly [query: string, outcome: ExpectedOutcome, parameter: string])[] = [
  ['limit=7&limit=9', echo('9'), 'limit'],
  ['limit=abc&limit=9', echo('9'), 'limit'],
  ['limit=9&limit=abc', error('int_parsing'), 'limit'],
  ['limit', error('int_parsing'), 'limit'],
  ['limit=', error('int_parsing'), 'limit'],
  ['%6Cimit=9', echo('9'), 'limit'],
  ['limit%5B%5D=9', echo('50'), 'limit'],
  ['limit[]=9', echo('50'), 'limit'],
  ['limit[a]=9', echo('50'), 'limit'],
  ['Limit=9', echo('50'), 'limit'],
  ['%20limit=9', echo('50'), 'limit'],
  ['limit=9=9', error('int_parsing'), 'limit'],
  ['limit=9;offset=3', error('int_parsing'), 'limit'],
  ['offset=1&&&limit=9&', echo('9'), 'limit'],
  ['=&==&=9', echo('50'), 'limit'],
  ['__proto__=1&constructor=2&toString=3', echo('50'), 'limit'],
  ['__proto__[limit]=9', echo('50'), 'limit'],
  ['%ff=9&%00=1', echo('50'), 'limit'],
  ['order=name&page=3&select=id', echo('50'), 'limit'],
  ['q=a&q=', served, 'q'],
  // Not filters of any list: ids of related records, null, two relations, fields without a filter.
  ['employee.id=x&job.id=x&employee.dept_id_is_null=x&employee.department.name=x', echo('50'), 'limit'],
  ['.=1&x.y=1&employee.=1&.dept_id=1&Employee.dept_id=x&employee.first_name=x', echo('50'), 'limit'],
]

/** Ids in the path as written in the URL, with the expected status. Other sources test ids of existing records. */
export const itemIdRows: readonly (readonly [item: string, status: number, error?: string])[] = [
  ['0', 404],
  ['00', 404],
  ['-1', 404],
  ['+1', 404],
  ['%2B1', 404],
  ['1.0', 404],
  ['1e0', 404],
  ['0x1', 404],
  ['1_0', 404],
  ['%201', 404],
  ['1%20', 404],
  ['1%0A', 404],
  ['%00', 404],
  ['1%00', 404],
  ['abc', 404],
  ['null', 404],
  ['undefined', 404],
  ['NaN', 404],
  ['true', 404],
  ['{item_id}', 404],
  ['1,2', 404],
  ['1;2', 404],
  ['*', 404],
  ['..', 404],
  ['%2E%2E', 404],
  ['1%2F2', 404],
  ['%5C', 404],
  ['%27', 404],
  ['1%27%20or%201=1', 404],
  ['%D9%A1', 404],
  ['%EF%BC%91', 404],
  ['__proto__', 404],
  ['2147483648', 404],
  ['9007199254740993', 404],
  ['9223372036854775807', 404],
  ['9223372036854775808', 404],
  ['123456789012345678901234567890', 404],
  ['9'.repeat(255), 404],
  ['a'.repeat(255), 404],
  ['%F0%9D%92%B3'.repeat(255), 404],
  ['9'.repeat(256), 422, 'string_too_long'],
  ['a'.repeat(256), 422, 'string_too_long'],
  ['%F0%9D%92%B3'.repeat(256), 422, 'string_too_long'],
  ['0'.repeat(2_000), 422, 'string_too_long'],
  ['%ff', 422, 'string_unicode'],
  ['1%ff', 422, 'string_unicode'],
  ['%C0%80', 422, 'string_unicode'],
  ['%ED%A0%80', 422, 'string_unicode'],
  ['%zz', 404],
  ['%', 404],
]
