/**
 * Inputs of 15 kB, for tests of slow parsing. Node.js limits the request line and headers to 16 KiB in total. There is
 * one input for each kind of character.
 */

const inputLength = 15_000

const repeatToLength = (unit: string): string => unit.repeat(Math.ceil(inputLength / unit.length)).slice(0, inputLength)

/**
 * Strings to repeat. Some of the inputs take quadratic time in a regular expression that can match them in more than
 * one way.
 */
const repeatedStrings: readonly string[] = [
  '1',
  '0',
  'a',
  'A1',
  ',',
  ',,',
  'a,',
  'a,a,,',
  '1,',
  ' ',
  '\t',
  ' \t',
  ' ,',
  '"',
  '\\',
  '"\\',
  '","',
  "'",
  '-',
  '.',
  '_',
  ';',
  '=',
  ':',
  '/',
  '*',
  '+',
  '%',
  '1_',
  '1_1_',
  '1.',
  '1e',
  '-1,',
  'id,',
  '2026-01-01',
  '127.0.0.1,',
  'W/"a",',
  'q=1;',
  'a;q=0.5,',
  'a=b;c="d",',
  '\u00e9',
  '\u00e4,',
  '\u{1f600}',
]

/** Repeats a string and ends with a character that makes a match fail, so that a regular expression backtracks. */
const withMismatchAtEnd = (unit: string): string => `${repeatToLength(unit).slice(0, -1)}x`

const percentEncodedUnits: readonly string[] = [
  '%00',
  '%ff',
  '%zz',
  '%C3%A9',
  '%E2%82',
  '%20',
  '%2C',
  '%25',
  '%F0%9F%98%80',
]

const matchingStrings = ['1', 'a', ',', '1_', '1,']

/** Values as written in a URL. A percent-encoded byte takes three characters. */
export const longQueryValues: readonly string[] = [
  ...matchingStrings.map(repeatToLength),
  ...repeatedStrings.map((unit) => withMismatchAtEnd(encodeURIComponent(unit))),
  ...[...',;=:/*+', ',,', 'a,', '1,', '%', ...percentEncodedUnits].map(withMismatchAtEnd),
]

/** Values as written in a header, in Latin-1. A letter replaces a leading blank, because parsers trim blanks. */
export const longHeaderValues: readonly string[] = [
  ...matchingStrings.map(repeatToLength),
  ...repeatedStrings.map((unit) => withMismatchAtEnd(Buffer.from(unit).toString('latin1')).replace(/^\s/, 'a')),
]
