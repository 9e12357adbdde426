/** In charge of the values that no create may accept: written by hand, by the kind of the field. */

export interface WrongValue {
  /** JSON text of the value. */
  readonly literal: string
  /** The kind of fault that must be told. */
  readonly type: string
}

const all = (type: string, literals: readonly string[]): WrongValue[] => literals.map((literal) => ({ literal, type }))
const texts = (type: string, values: readonly string[]): WrongValue[] =>
  all(
    type,
    values.map((text) => JSON.stringify(text)),
  )

const lists = ['[]', '[1]', '["a"]', '[null]', '[[]]', '{}', '{"a":1}', '{"toString":1}']

export const wrongIntegers: readonly WrongValue[] = [
  ...all('int_type', ['true', 'false', ...lists]),
  ...texts('int_type', ['', ' ', '1', '1.0', '-1', 'abc', '0x10', '1e2', '٥', 'null']),
  ...all('int_from_float', ['1.5', '-0.5', '1e-7', '0.1', '4503599627370495.5']),
  ...all('int_out_of_range', [
    '9007199254740992',
    '-9007199254740992',
    '9223372036854775807',
    '9223372036854775808',
    '1e19',
    '1e300',
  ]),
  ...all('finite_number', ['1e309', '-1e400']),
]

/** Integers in order that no record has as its id. */
export const idsOfNobody: readonly WrongValue[] = all('reference_not_found', [
  '0',
  '-1',
  '-0',
  '2147483648',
  '9007199254740991',
  '-9007199254740991',
])

export const wrongNumbers: readonly WrongValue[] = [
  ...all('float_type', ['true', 'false', ...lists]),
  ...texts('float_type', [
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
  ...all('finite_number', ['1e309', '-1e309', '1e400', '-1e4000', '1.8e308']),
]

const noStrings = all('string_type', ['0', '1', '-1', '1.5', '1e400', 'true', 'false', ...lists])

/** U+0000, which the database cannot hold, and halves of characters, which no UTF-8 can carry. */
const unstorable = texts('string_unicode', [
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

export const wrongTexts: readonly WrongValue[] = [...noStrings, ...unstorable]

export const blankTexts: readonly WrongValue[] = texts('string_too_short', [
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

/** One character too many, of one, two, three and four bytes; a body has no room for the widest of the longest. */
export const tooLongTexts = (maxLength: number): readonly WrongValue[] =>
  texts(
    'string_too_long',
    ['x', 'é', '漢', '😀']
      .filter((character) => Buffer.byteLength(character) * maxLength < 1_000_000)
      .map((character) => character.repeat(maxLength + 1)),
  )

export const wrongUrls: readonly WrongValue[] = texts('url_scheme', [
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

export const wrongJsonTexts: readonly WrongValue[] = texts('json_invalid', [
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

/** What databases and scripting languages would take for a day, and the interface does not. */
const noMoments = [
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

export const wrongDates: readonly WrongValue[] = [...noStrings, ...unstorable, ...texts('date_parsing', noMoments)]
export const wrongTimestamps: readonly WrongValue[] = [
  ...noStrings,
  ...unstorable,
  ...texts('datetime_parsing', noMoments),
]

/** For fields that a create must carry. */
export const wrongNull = (type: string): WrongValue => ({ literal: 'null', type })
