/** Inputs of 15 kB, near Node's limit of 16 KiB for a request's line and headers: one for each kind of character. */

const length = 15_000

const fill = (unit: string): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Patterns to repeat: some take quadratic time in an expression that can match them in two ways, others are plain. */
const units: readonly string[] = [
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

/** The last character makes a match fail, so that a backtracking expression tries all other ways. */
const spoiled = (unit: string): string => `${fill(unit).slice(0, -1)}x`

const escapes: readonly string[] = ['%00', '%ff', '%zz', '%C3%A9', '%E2%82', '%20', '%2C', '%25', '%F0%9F%98%80']

const whole = ['1', 'a', ',', '1_', '1,']

/** As written in a URL; characters that are not allowed there are escaped, which makes them three times as long. */
export const longQueryValues: readonly string[] = [
  ...whole.map(fill),
  ...units.map((unit) => spoiled(encodeURIComponent(unit))),
  ...[...',;=:/*+', ',,', 'a,', '1,', '%', ...escapes].map(spoiled),
]

/** As written in a header, in Latin-1. A letter before blanks keeps them from being trimmed. */
export const longHeaderValues: readonly string[] = [
  ...whole.map(fill),
  ...units.map((unit) => spoiled(Buffer.from(unit).toString('latin1')).replace(/^\s/, 'a')),
]
