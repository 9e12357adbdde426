/** In charge of the faults a body can have as a whole: its bytes, its encoding, its syntax, its media type. */
import { gzipSync } from 'node:zlib'
import type { Request } from './request.ts'
import { bearer, json } from './request.ts'

export interface BrokenBody {
  readonly about: string
  /** The kind of fault that must be told. */
  readonly type: string
  /** Where, if not of the body as a whole. */
  readonly loc?: readonly string[]
  /** Breaks a request that was in order. */
  readonly request: (whole: Request) => Request
}

const bodyless = ({ body: _, ...request }: Request): Request => request

const text = (about: string, type: string, change: (body: string) => string): BrokenBody => ({
  about,
  type,
  request: (whole) => ({ ...whole, body: change(whole.body ?? '') }),
})

const bytes = (about: string, type: string, change: (body: string) => Uint8Array): BrokenBody => ({
  about,
  type,
  request: (whole) => ({ ...bodyless(whole), bytes: Buffer.from(change(whole.body ?? '')).toString('base64') }),
})

const headers = (about: string, type: string, ...lines: Request['headers'][number][]): BrokenBody => ({
  about,
  type,
  request: (whole) => ({ ...whole, headers: [bearer, ...lines] }),
})

export const brokenBodies: readonly BrokenBody[] = [
  { about: 'no body', type: 'body_missing', request: bodyless },
  text('an empty body', 'body_missing', () => ''),
  text('blanks', 'json_invalid', () => '   '),
  text('a body cut short', 'json_invalid', (body) => body.slice(0, -1)),
  text('something after the object', 'json_invalid', (body) => `${body}}`),
  text('two objects', 'json_invalid', (body) => body + body),
  text('a comment', 'json_invalid', (body) => `/* */${body}`),
  text('a comma too many', 'json_invalid', (body) => `${body.slice(0, -1)},}`),
  text('single quotes', 'json_invalid', () => "{'a': 1}"),
  text('a name without quotes', 'json_invalid', () => '{a: 1}'),
  text('NaN', 'json_invalid', () => '{"a": NaN}'),
  text('Infinity', 'json_invalid', () => '{"a": -Infinity}'),
  text('a number with a leading zero', 'json_invalid', () => '{"a": 01}'),
  text('a hexadecimal number', 'json_invalid', () => '{"a": 0x10}'),
  text('a line break inside a string', 'json_invalid', () => '{"a": "\n"}'),
  text('U+0000 after the object', 'json_invalid', (body) => `${body}\0`),
  text('an unknown escape', 'json_invalid', () => '{"a": "\\x41"}'),
  text('half an escape', 'json_invalid', () => '{"a": "\\u00"}'),
  text('a form', 'json_invalid', () => 'name=value&slug=x'),
  text('null', 'model_type', () => 'null'),
  text('true', 'model_type', () => 'true'),
  text('a number', 'model_type', () => '42'),
  text('a string', 'model_type', () => '"text"'),
  text('an array', 'model_type', (body) => `[${body}]`),
  text('an empty array', 'model_type', () => '[]'),
  {
    ...text('a name given twice', 'duplicate_key', (body) => `${body.slice(0, -1)},"twice":1,"twice":2}`),
    loc: ['body', 'twice'],
  },
  {
    ...text(
      'a name given twice, once with an escape',
      'duplicate_key',
      (body) => `${body.slice(0, -1)},"a":1,"\\u0061":1}`,
    ),
    loc: ['body', 'a'],
  },
  {
    ...text('a name given twice further in', 'duplicate_key', (body) => `${body.slice(0, -1)},"in":{"b":1,"b":2}}`),
    loc: ['body', 'in'],
  },
  text('a byte order mark', 'encoding', (body) => `\ufeff${body}`),
  bytes('UTF-16', 'encoding', (body) => Buffer.from(`\ufeff${body}`, 'utf16le')),
  bytes('Latin-1', 'encoding', () => Buffer.from('{"name":"caf\u00e9"}', 'latin1')),
  bytes('a byte that is never UTF-8', 'encoding', (body) => Buffer.concat([Buffer.from([0xff]), Buffer.from(body)])),
  bytes('a surrogate in UTF-8', 'encoding', () => Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')),
  bytes('an overlong form', 'encoding', () => Buffer.from('{"name":"\xc0\x80"}', 'latin1')),
  bytes('a character cut in two', 'encoding', () => Buffer.from('{"name":"\xe2\x82"}', 'latin1')),
  {
    ...bytes('gzip', 'encoding', (body) => gzipSync(body)),
    request: ({ body, ...whole }) => ({
      ...whole,
      headers: [...whole.headers, ['Content-Encoding', 'gzip']],
      bytes: gzipSync(body ?? '').toString('base64'),
    }),
  },
  headers('a content encoding that is not true', 'encoding', json, ['Content-Encoding', 'gzip']),
  headers('a content encoding, though it changes nothing', 'encoding', json, ['Content-Encoding', 'identity']),
  headers('another charset', 'encoding', ['Content-Type', 'application/json; charset=iso-8859-1']),
  headers('UTF-16 as charset', 'encoding', ['Content-Type', 'application/json;charset="utf-16"']),
  headers('no content type', 'content_type'),
  headers('an empty content type', 'content_type', ['Content-Type', '']),
  headers('text/plain', 'content_type', ['Content-Type', 'text/plain']),
  headers('a form by its content type', 'content_type', ['Content-Type', 'application/x-www-form-urlencoded']),
  headers('multipart', 'content_type', ['Content-Type', 'multipart/form-data; boundary=x']),
  headers('another kind of JSON', 'content_type', ['Content-Type', 'application/problem+json']),
  headers('JSON by another name', 'content_type', ['Content-Type', 'text/json']),
  headers('a longer name', 'content_type', ['Content-Type', 'application/jsonx']),
  headers('a content type that is none', 'content_type', ['Content-Type', 'json']),
]
