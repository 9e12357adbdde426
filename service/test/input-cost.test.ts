/** CPU time that 15 kB in any parameter, header or path, and bodies of 1 MiB, cost the service: none blocks other requests. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openapiDocument, resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { exchange } from './support/http.ts'
import { longHeaderValues, longQueryValues } from './support/long-inputs.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

/** CPU time of the service and of the test client, which run in one process here. */
const maxCpuMs = 20
/** Sending and receiving 1 MiB takes some of this time by itself. */
const maxBodyCpuMs = 40
const maxRuns = 5
/** Tries every value in every parameter and header of every operation (`npm run test:input-cost`), not only a sample. */
const isFull = process.env.INPUT_COST === 'full'

/** Headers that the service, its framework or Node's parser reads, each with a prefix that reaches the code in question. */
const headers: readonly (readonly [name: string, prefix: string])[] = [
  ['accept', ''],
  ['accept', 'text/csv;'],
  ['accept', 'application/x-ndjson,'],
  ['accept-encoding', ''],
  ['accept-encoding', 'gzip;'],
  ['if-none-match', ''],
  ['if-none-match', 'W/"'],
  ['if-modified-since', ''],
  ['prefer', ''],
  ['prefer', 'handling=strict;'],
  ['prefer', 'handling="'],
  ['authorization', ''],
  ['authorization', 'Bearer '],
  ['idempotency-key', ''],
  ['idempotency-key', '"'],
  ['content-type', ''],
  ['content-type', 'application/json;'],
  ['content-type', 'application/json;charset='],
  ['content-encoding', ''],
  ['transfer-encoding', ''],
  ['content-length', ''],
  ['host', ''],
  ['host', '['],
  ['origin', ''],
  ['access-control-request-method', ''],
  ['access-control-request-headers', ''],
  ['cookie', ''],
  ['x-forwarded-for', ''],
  ['x-forwarded-for', '127.0.0.1,'],
  ['x-forwarded-host', ''],
  ['x-forwarded-proto', ''],
  ['forwarded', ''],
  ['traceparent', ''],
  ['traceparent', `01-${'1'.repeat(32)}-${'1'.repeat(16)}-01-`],
  ['tracestate', ''],
  ['range', 'bytes='],
  ['expect', ''],
  ['upgrade', ''],
  ['connection', ''],
  ['keep-alive', ''],
  ['te', ''],
  ['user-agent', ''],
  ['x-request-id', ''],
]

interface Operation {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
}

const operations: readonly Operation[] = [
  ...Object.entries(openapiDocument().paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const parameters = item[method]?.parameters ?? []
      const query = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []))
      return item[method] === undefined ? [] : [{ method: method.toUpperCase(), path: `/api${path}`, query }]
    }),
  ),
  ...['/livez', '/readyz', '/swagger.json', '/api/openapi.json', '/api/docs', '/none'].map((path) => ({
    method: 'GET',
    path,
    query: [],
  })),
  { method: 'OPTIONS', path: '/api/v1/leave', query: [] },
  { method: 'HEAD', path: '/api/v1/leave', query: [] },
  { method: 'DELETE', path: '/api/v1/leave', query: [] },
]

const mebibyte = 1_048_576
const filled = (unit: string): string => unit.repeat(Math.floor((mebibyte - 30) / unit.length))
const half = Math.floor(mebibyte / 2) - 30
const numbered = (member: (index: number) => string): string =>
  `{${Array.from({ length: Math.floor(mebibyte / 20) }, (_, index) => member(index)).join(',')}}`

/** Bodies of up to 1 MiB, each expensive for some way of reading JSON. */
const largeBodies: readonly (readonly [what: string, body: string])[] = [
  ['unknown names', numbered((index) => `"a${index}":1`)],
  ['unknown numbers as names', numbered((index) => `"${index}":1`)],
  ['one name repeated', numbered(() => '"a":1')],
  ['names with escapes', numbered((index) => `"\\u0061${index}":1`)],
  ['nested arrays', `{"a":${'['.repeat(half)}${']'.repeat(half)}}`],
  ['nested arrays in a declared field', `{"leave_type":${'['.repeat(half)}${']'.repeat(half)}}`],
  ['nested arrays that are not closed', `{"a":${'['.repeat(mebibyte - 30)}`],
  ['nested objects', `{"a":${'{"a":'.repeat(mebibyte / 8)}1${'}'.repeat(mebibyte / 8)}}`],
  ['many objects', `{"a":[${filled('{"a":1},')}{}]}`],
  ['many empty arrays', `[${filled('[],')}[]]`],
  ['many numbers', `[${filled('1,')}1]`],
  ['a long number', `{"days":${'1'.repeat(mebibyte - 30)}}`],
  ['a long fraction', `{"days":0.${'1'.repeat(mebibyte - 30)}}`],
  ['a long string', `{"reason":"${'a'.repeat(mebibyte - 30)}"}`],
  ['a string of escapes', `{"reason":"${filled('\\n')}"}`],
  ['a string of Unicode escapes', `{"reason":"${filled('\\u00e9')}"}`],
  ['a string that never ends', `{"reason":"${'a'.repeat(mebibyte - 30)}`],
  ['a long name', `{"${'a'.repeat(mebibyte - 30)}":1}`],
  ['blanks', `{${' '.repeat(mebibyte - 30)}}`],
]

const request = (method: string, target: string, lines: readonly string[] = []): Buffer => {
  const names = lines.map((line) => line.split(':', 1)[0]?.toLowerCase())
  const usual = ['host: x', `authorization: Bearer ${token}`, 'content-type: application/json', 'content-length: 2']
  const needed = method === 'POST' ? usual : usual.slice(0, 1)
  const all = [...needed.filter((line) => !names.includes(line.split(':', 1)[0])), ...lines, 'connection: close']
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${method === 'POST' ? '{}' : ''}`,
    'latin1',
  )
}

/** What a query parameter is read as: the declared filter's kind and test, or its own name. */
const kindOf = (path: string, name: string): string => {
  const resource = resources.find((each) => path.endsWith(`/${each.path}`) || path.includes(`/${each.path}/`))
  const filter = resource?.listFilters.find(({ parameter }) => parameter === name)
  return filter === undefined ? name : `${filter.field.kind} ${filter.test}`
}

/** In a full run every value for each item; otherwise each value once, spread over the items, at least one for each. */
const deal = <T>(all: readonly T[], values: readonly string[]): [T, string][] =>
  isFull
    ? all.flatMap((one) => values.map((value): [T, string] => [one, value]))
    : Array.from({ length: Math.max(all.length, values.length) }, (_, index): [T, string] => [
        all[index % all.length] as T,
        values[index % values.length] as string,
      ])

const shown = (value: string): string => `${JSON.stringify(value.slice(0, 16))}…${JSON.stringify(value.slice(-2))}`

describe('a long input', () => {
  let database: TestDatabase
  let plain: RunningService
  let limited: RunningService
  before(async () => {
    database = await createSeededDatabase()
    // Without a cache: the second request for a URL would otherwise be served from memory, and cost next to nothing.
    plain = await startService(database.url, { corsOrigins: ['https://a.example'], cacheBytes: 0 })
    limited = await startService(database.url, {
      reads: 'redacted',
      trustedProxies: ['127.0.0.1'],
      cacheBytes: 0,
      limits: { reads: 10_000_000, authFailures: 10_000_000 },
    })
  })
  after(async () => {
    await plain.stop()
    await limited.stop()
    await database.drop()
  })

  /** The minimum of up to five runs: anything above it is due to something else, such as a garbage collection. */
  const cpuMs = async (port: number, bytes: Buffer, enough = maxCpuMs): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < maxRuns && least > enough; run += 1) {
      const start = process.cpuUsage()
      await exchange(port, bytes)
      const { user, system } = process.cpuUsage(start)
      least = Math.min(least, (user + system) / 1_000)
    }
    return least
  }

  interface Case {
    readonly service: RunningService
    readonly what: string
    readonly bytes: Buffer
  }
  const checkAll = async (cases: Iterable<Case>): Promise<void> => {
    const over: string[] = []
    for (const { service, what, bytes } of cases) {
      const ms = await cpuMs(service.port, bytes)
      if (ms > maxCpuMs) over.push(`${what}: ${ms.toFixed(1)} ms`)
    }
    assert.deepEqual(over, [])
  }

  it(`costs at most ${maxCpuMs} ms of CPU time in every query parameter`, async () => {
    const parameters = operations.flatMap(({ method, path, query }) =>
      query.map((name) => ({ method, path, name, kind: kindOf(path, name) })),
    )
    assert.ok(parameters.length > 400)
    for (const alike of Map.groupBy(parameters, ({ kind }) => kind).values())
      await checkAll(
        deal(alike, longQueryValues).map(([{ method, path, name }, value]) => ({
          service: plain,
          what: `${method} ${path} ${name}=${shown(value)}`,
          bytes: request(method, `${path.replace('{item_id}', '1')}?${name}=${value}`),
        })),
      )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in every path parameter`, async () => {
    const items = operations.filter(({ path }) => path.includes('{item_id}'))
    await checkAll(
      deal(items, longQueryValues).map(([{ method, path }, value]) => ({
        service: plain,
        what: `${method} ${path} ${shown(value)}`,
        bytes: request(method, path.replace('{item_id}', value)),
      })),
    )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in the name of a parameter, and in many of them`, async () => {
    const pairs = [
      'a',
      'a=1',
      '',
      '=',
      'limit=1',
      'q=a',
      'status=a',
      'id=1',
      'stauts',
      'x'.repeat(99),
      '%',
      '%ff',
      'limit=%ff',
    ]
    const many = pairs.map((pair) => `${pair}&`.repeat(Math.floor(15_000 / (pair.length + 1))))
    const different = [1, 10, 30, 60, 100].map((size) =>
      Array.from({ length: Math.floor(15_000 / (size + 4)) }, (_, index) => `${'x'.repeat(size)}${index}`).join('&'),
    )
    for (const lines of [[], ['prefer: handling=strict'], ['accept: text/csv']])
      await checkAll(
        deal(operations, [...many, ...different, ...longQueryValues]).map(([{ method, path }, query]) => ({
          service: plain,
          what: `${method} ${path} ${lines} ${shown(query)}`,
          bytes: request(method, `${path.replace('{item_id}', '1')}?${query}`, lines),
        })),
      )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in unknown names under strict handling, however near to known ones`, async () => {
    const asked = operations.filter(({ query }) => query.length > 0)
    const cases = asked.flatMap(({ method, path, query }) => {
      const near = query.flatMap((name) => [`${name}xxxx`, `xxxx${name}`, name.split('').join('x')])
      const long = Array.from({ length: 40 }, (_, index) => `${'a_'.repeat(48)}${100 + index}`)
      return [near, long].map((names) => ({
        service: plain,
        what: `${method} ${path} ${names[0]}`,
        bytes: request(method, `${path.replace('{item_id}', '1')}?${names.join('&')}`, ['prefer: handling=strict']),
      }))
    })
    await checkAll(cases)
  })

  it(`costs at most ${maxBodyCpuMs} ms of CPU time as a body of 1 MiB, and the response is not larger than the body`, async () => {
    const over: string[] = []
    for (const [what, body] of largeBodies) {
      const head = [`content-length: ${Buffer.byteLength(body)}`, 'host: x', `authorization: Bearer ${token}`]
      const lines = ['POST /api/v1/leave HTTP/1.1', ...head, 'content-type: application/json', 'connection: close']
      const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
      const response = await exchange(plain.port, bytes)
      assert.match(response, /^HTTP\/1\.1 422 /, what)
      assert.ok(response.length < bytes.length + 1_000, `${what}: ${response.length} bytes`)
      const ms = await cpuMs(plain.port, bytes, maxBodyCpuMs)
      if (ms > maxBodyCpuMs) over.push(`${what}: ${ms.toFixed(1)} ms`)
    }
    assert.deepEqual(over, [])
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in every header`, async () => {
    for (const [name, prefix] of headers) {
      const values = longHeaderValues.map((value) => `${prefix}${value}`)
      const isLimited = ['authorization', 'x-forwarded-for'].includes(name)
      for (const service of isFull ? [plain, limited] : [isLimited ? limited : plain])
        await checkAll(
          deal(operations, values).map(([{ method, path }, value]) => ({
            service,
            what: `${method} ${path} ${name}: ${shown(value)}`,
            bytes: request(method, path.replace('{item_id}', '1'), [`${name}: ${value}`]),
          })),
        )
    }
  })
})
