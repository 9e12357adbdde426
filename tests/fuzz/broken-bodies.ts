/** Bodies that are invalid as a whole: wrong bytes, encoding, JSON syntax or media type. */
import { gzipSync } from 'node:zlib'
import type { Request } from './request.ts'
import { bearerToken, jsonContentType } from './request.ts'

export interface BrokenBody {
  readonly about: string
  /** The error type that the response must report. */
  readonly type: string
  /** Location of the error. Default: ['body']. */
  readonly loc?: readonly string[]
  /** Turns a valid request into an invalid one. */
  readonly breakRequest: (validRequest: Request) => Request
}

const withoutBody = ({ body: _, ...request }: Request): Request => request

const withText = (about: string, type: string, change: (body: string) => string): BrokenBody => ({
  about,
  type,
  breakRequest: (valid) => ({ ...valid, body: change(valid.body ?? '') }),
})

const withBytes = (about: string, type: string, change: (body: string) => Uint8Array): BrokenBody => ({
  about,
  type,
  breakRequest: (valid) => ({ ...withoutBody(valid), bytes: Buffer.from(change(valid.body ?? '')).toString('base64') }),
})

const withHeaders = (about: string, type: string, ...headerLines: Request['headers'][number][]): BrokenBody => ({
  about,
  type,
  breakRequest: (valid) => ({ ...valid, headers: [bearerToken, ...headerLines] }),
})

export const brokenBodies: readonly BrokenBody[] = [
  { about: 'no body', type: 'body_missing', breakRequest: withoutBody },
  withText('an empty body', 'body_missing', () => ''),
  withText('only whitespace', 'json_invalid', () => '   '),
  withText('a truncated body', 'json_invalid', (body) => body.slice(0, -1)),
  withText('an extra brace after the object', 'json_invalid', (body) => `${body}}`),
  withText('two objects', 'json_invalid', (body) => body + body),
  withText('a comment', 'json_invalid', (body) => `/* */${body}`),
  withText('a trailing comma', 'json_invalid', (body) => `${body.slice(0, -1)},}`),
  withText('single quotes', 'json_invalid', () => "{'a': 1}"),
  withText('a name without quotes', 'json_invalid', () => '{a: 1}'),
  withText('NaN', 'json_invalid', () => '{"a": NaN}'),
  withText('Infinity', 'json_invalid', () => '{"a": -Infinity}'),
  withText('a number with a leading zero', 'json_invalid', () => '{"a": 01}'),
  withText('a hexadecimal number', 'json_invalid', () => '{"a": 0x10}'),
  withText('a line break inside a string', 'json_invalid', () => '{"a": "\n"}'),
  withText('U+0000 after the object', 'json_invalid', (body) => `${body}\0`),
  withText('an unknown escape', 'json_invalid', () => '{"a": "\\x41"}'),
  withText('an incomplete Unicode escape', 'json_invalid', () => '{"a": "\\u00"}'),
  withText('a URL-encoded form as the body', 'json_invalid', () => 'name=value&slug=x'),
  withText('null', 'model_type', () => 'null'),
  withText('true', 'model_type', () => 'true'),
  withText('a number', 'model_type', () => '42'),
  withText('a string', 'model_type', () => '"text"'),
  withText('an array', 'model_type', (body) => `[${body}]`),
  withText('an empty array', 'model_type', () => '[]'),
  {
    ...withText('a duplicate name', 'duplicate_key', (body) => `${body.slice(0, -1)},"twice":1,"twice":2}`),
    loc: ['body', 'twice'],
  },
  {
    ...withText(
      'a duplicate name, written once with an escape',
      'duplicate_key',
      (body) => `${body.slice(0, -1)},"a":1,"\\u0061":1}`,
    ),
    loc: ['body', 'a'],
  },
  {
    ...withText('a nested duplicate name', 'duplicate_key', (body) => `${body.slice(0, -1)},"in":{"b":1,"b":2}}`),
    loc: ['body', 'in'],
  },
  withText('a byte order mark', 'encoding', (body) => `\ufeff${body}`),
  withBytes('UTF-16', 'encoding', (body) => Buffer.from(`\ufeff${body}`, 'utf16le')),
  withBytes('Latin-1', 'encoding', () => Buffer.from('{"name":"caf\u00e9"}', 'latin1')),
  withBytes('a byte that cannot occur in UTF-8', 'encoding', (body) =>
    Buffer.concat([Buffer.from([0xff]), Buffer.from(body)]),
  ),
  withBytes('a surrogate encoded in UTF-8', 'encoding', () => Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')),
  withBytes('an overlong UTF-8 encoding', 'encoding', () => Buffer.from('{"name":"\xc0\x80"}', 'latin1')),
  withBytes('a truncated UTF-8 character', 'encoding', () => Buffer.from('{"name":"\xe2\x82"}', 'latin1')),
  {
    ...withBytes('gzip', 'encoding', (body) => gzipSync(body)),
    breakRequest: ({ body, ...valid }) => ({
      ...valid,
      headers: [...valid.headers, ['Content-Encoding', 'gzip']],
      bytes: gzipSync(body ?? '').toString('base64'),
    }),
  },
  withHeaders('a wrong content encoding', 'encoding', jsonContentType, ['Content-Encoding', 'gzip']),
  withHeaders('the content encoding identity', 'encoding', jsonContentType, ['Content-Encoding', 'identity']),
  withHeaders('another charset', 'encoding', ['Content-Type', 'application/json; charset=iso-8859-1']),
  withHeaders('UTF-16 as charset', 'encoding', ['Content-Type', 'application/json;charset="utf-16"']),
  withHeaders('no content type', 'content_type'),
  withHeaders('an empty content type', 'content_type', ['Content-Type', '']),
  withHeaders('text/plain', 'content_type', ['Content-Type', 'text/plain']),
  withHeaders('the content type of a form', 'content_type', ['Content-Type', 'application/x-www-form-urlencoded']),
  withHeaders('multipart', 'content_type', ['Content-Type', 'multipart/form-data; boundary=x']),
  withHeaders('application/problem+json', 'content_type', ['Content-Type', 'application/problem+json']),
  withHeaders('text/json', 'content_type', ['Content-Type', 'text/json']),
  withHeaders('application/jsonx', 'content_type', ['Content-Type', 'application/jsonx']),
  withHeaders('a malformed content type', 'content_type', ['Content-Type', 'json']),
]
