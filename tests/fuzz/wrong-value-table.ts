/** Hand-written values that a create must reject, for each kind of field. */

export interface WrongValue {
  /** The value as JSON text. */
  readonly literal: string
  /** The error type that the service must report. */
  readonly type: string
}

const wrongLiterals = (type: string, literals: readonly string[]): WrongValue[] =>
  literals.map((literal) => ({ literal, type }))
const wrongStrings = (type: string, values: readonly string[]): WrongValue[] =>
  wrongLiterals(
    type,
    values.map((text) => JSON.stringify(text)),
  )

const nonScalars = ['[]', '[1]', '["a"]', '[null]', '[[]]', '{}', '{"a":1}', '{"toString":1}']

export const wrongIntegers: readonly WrongValue[] = [
  ...wrongLiterals('int_type', ['true', 'false', ...nonScalars]),
  ...wrongStrings('int_type', ['', ' ', '1', '1.0', '-1', 'abc', '0x10', '1e2', '٥', 'null']),
  ...wrongLiterals('int_from_float', ['1.5', '-0.5', '1e-7', '0.1', '4503599627370495.5']),
  ...wrongLiterals('int_out_of_range', [
    '9007199254740992',
    '-9007199254740992',
    '9223372036854775807',
    '9223372036854775808',
    '1e19',
    '1e300',
  ]),
  ...wrongLiterals('finite_number', ['1e309', '-1e400']),
]

/** Valid integers that are not the id of any record. */
export const unknownIds: readonly WrongValue[] = wrongLiterals('reference_not_found', [
  '0',
  '-1',
  '-0',
  '2147483648',
  '9007199254740991',
  '-9007199254740991',
])

export const wrongNumbers: readonly WrongValue[] = [
  ...wrongLiterals('float_type', ['true', 'false', ...nonScalars]),
  ...wrongStrings('float_type', [
    '',
    ' ',
    '1',
    '1.5',
    'abc',
    '1e2',
    'NaN',
    'Infinity',
    '-Infinity',
    '½',
    '1,5',
    '0x10',
    'null',
  ]),
  ...wrongLiterals('finite_number', ['1e309', '-1e309', '1e400', '-1e4000', '1.8e308']),
]

const nonStrings = wrongLiterals('string_type', ['0', '1', '-1', '1.5', '1e400', 'true', 'false', ...nonScalars])

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode unpaired surrogates. */
const unstorableStrings = wrongStrings('string_unicode', [
  '\0',
  'a\0',
  '\0a',
  'a\0b',
  '\ud800',
  '\udc00',
  'a\ud800',
  '\udfffa',
  '\udc00\ud800',
  '\ud83d \ude00',
])

export const wrongTexts: readonly WrongValue[] = [...nonStrings, ...unstorableStrings]

export const blankTexts: readonly WrongValue[] = wrongStrings('string_too_short', [
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u000b\f',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
  '  \u00a0\t ',
])

/**
 * Strings one character too long, of characters of one to four bytes. Strings larger than the maximum size of a request
 * body are left out.
 */
export const tooLongTexts = (maxLength: number): readonly WrongValue[] =>
  wrongStrings(
    'string_too_long',
    ['x', 'é', '漢', '😀']
      .filter((character) => Buffer.byteLength(character) * maxLength < 1_000_000)
      .map((character) => character.repeat(maxLength + 1)),
  )

export const wrongUrls: readonly WrongValue[] = wrongStrings('url_scheme', [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'JAVASCRIPT:',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'j\ta\rv\nascript:1',
  '\u0001javascript:1',
  '\u00a0javascript:1',
  'javascript :1',
  'javascript\u007f:1',
  'vbscript:msgbox(1)',
  'VBScript:x',
  ' v b script:x',
])

export const wrongJsonTexts: readonly WrongValue[] = wrongStrings('json_invalid', [
  '',
  ' ',
  '{',
  '}',
  '[1,]',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  'nul',
  'undefined',
  'NaN',
  'Infinity',
  '01',
  '1.',
  '.5',
  '+1',
  '0x1',
  '"',
  "'a'",
  '{} {}',
  '// comment',
  '\ufeff{}',
  '"\n"',
  '"\\x41"',
  'True',
])

/** Strings that databases or scripting languages accept as dates, but the API must not. */
const invalidDateTimes = [
  '',
  ' ',
  'now',
  'today',
  'tomorrow',
  'yesterday',
  'infinity',
  '-infinity',
  'epoch',
  'allballs',
  'null',
  '0',
  '1700000000',
  '20230102',
  '2023',
  '2023-01',
  '2023-1-2',
  '23-01-02',
  '02023-01-02',
  '01/02/2023',
  '2023/01/02',
  '2.1.2023',
  'Jan 2 2023',
  '2 January 2023',
  '2023-W01-1',
  '2023-001',
  '2023-02-29',
  '2023-02-30',
  '1900-02-29',
  '2023-04-31',
  '2023-13-01',
  '2023-00-10',
  '2023-01-00',
  '2023-01-32',
  '0000-01-01',
  '10000-01-01',
  '-0001-01-01',
  '+2023-01-01',
  '2023-01-01 BC',
  '2023-01-01 ',
  ' 2023-01-01',
  '2023-01-01\n',
  '2023-01-01T',
  '2023-01-01T10',
  '2023-01-01T10:',
  '2023-01-01T1:00',
  '2023-01-01T24:00:00',
  '2023-01-01T25:00:00Z',
  '2023-01-01T23:60:00Z',
  '2023-01-01T23:59:60Z',
  '2023-01-01T10:00:00.Z',
  '2023-01-01T10:00:00.1234567890Z',
  '2023-01-01T10:00:00,5Z',
  '2023-01-01T10:00:00+24:00',
  '2023-01-01T10:00:00+01:60',
  '2023-01-01T10:00:00+1',
  '2023-01-01T10:00:00 UTC',
  '2023-01-01T10:00:00Europe/Berlin',
  '2023-01-01T10:00:00ZZ',
  '2023-01-01TT10:00:00Z',
  '2023-01-01  10:00',
  '2023-01-01_10:00',
  '２０２３-01-01',
  '٢٠٢٣-٠١-٠١',
  '2023‐01‐01',
  '2023-01-01\u0301',
  '{"a":1}',
]

export const wrongDates: readonly WrongValue[] = [
  ...nonStrings,
  ...unstorableStrings,
  ...wrongStrings('date_parsing', invalidDateTimes),
]
export const wrongTimestamps: readonly WrongValue[] = [
  ...nonStrings,
  ...unstorableStrings,
  ...wrongStrings('datetime_parsing', invalidDateTimes),
]

/** null is wrong only in required fields. */
export const wrongNull = (type: string): WrongValue => ({ literal: 'null', type })
