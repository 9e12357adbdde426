/** Tests that 15 kB in any parameter, header or path, and a body of 1 MiB, cost only limited CPU time. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openapiDocument, relationFilters, reports, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes } from '../../../../tests/support/http.ts'
import { longHeaderValues, longQueryValues } from '../../../../tests/support/long-inputs.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

/** The limit for the CPU time of the service and the test client together, which run in one process here. */
const maxCpuMs = 20
/** The limit for a body of 1 MiB. It is higher, because sending and receiving the bytes takes some of this time. */
const maxBodyCpuMs = 40
const maxRuns = 10
/** CPU time of `measureSlowness` on the machine for which the limits were set. */
const bareServerMs = 8
/** With `npm test -- input-cost`, every parameter and header of every operation gets every value, not only some. */
const isFullRun = process.env.INPUT_COST === 'full'

/** Headers that the service, Fastify or Node's parser reads, each with a prefix that reaches the parsing code. */
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

/** Headers that the service parses itself. In a short run, the others get only some values. */
const parsedHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'if-none-match', 'prefer', 'authorization', 'idempotency-key', 'content-type'],
  ...['host', 'origin', 'x-forwarded-for', 'traceparent'],
])

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

/** In a short run, without reports, whose queries take most of the time, and only creates for the headers of creates. */
const operationsFor = (header: string): readonly Operation[] => {
  if (isFullRun) return operations
  const isOfCreate = ['idempotency-key', 'content-type'].includes(header)
  return operations.filter(({ method, path }) => (isOfCreate ? method === 'POST' : !path.includes('/reports/')))
}

const mebibyte = 1_048_576
const repeatToMebibyte = (unit: string): string => unit.repeat(Math.floor((mebibyte - 30) / unit.length))
const halfMebibyte = Math.floor(mebibyte / 2) - 30
const objectWithMembers = (member: (index: number) => string): string =>
  `{${Array.from({ length: Math.floor(mebibyte / 20) }, (_, index) => member(index)).join(',')}}`

/** Bodies of up to 1 MiB, each expensive for some ways of parsing JSON. */
const largeBodies: readonly (readonly [title: string, body: string])[] = [
  ['unknown names', objectWithMembers((index) => `"a${index}":1`)],
  ['unknown numbers as names', objectWithMembers((index) => `"${index}":1`)],
  ['one name repeated', objectWithMembers(() => '"a":1')],
  ['names with escapes', objectWithMembers((index) => `"\\u0061${index}":1`)],
  ['nested arrays', `{"a":${'['.repeat(halfMebibyte)}${']'.repeat(halfMebibyte)}}`],
  ['nested arrays in a declared field', `{"leave_type":${'['.repeat(halfMebibyte)}${']'.repeat(halfMebibyte)}}`],
  ['nested arrays that are not closed', `{"a":${'['.repeat(mebibyte - 30)}`],
  ['nested objects', `{"a":${'{"a":'.repeat(mebibyte / 8)}1${'}'.repeat(mebibyte / 8)}}`],
  ['many objects', `{"a":[${repeatToMebibyte('{"a":1},')}{}]}`],
  ['many empty arrays', `[${repeatToMebibyte('[],')}[]]`],
  ['many numbers', `[${repeatToMebibyte('1,')}1]`],
  ['a long number', `{"days":${'1'.repeat(mebibyte - 30)}}`],
  ['a long fraction', `{"days":0.${'1'.repeat(mebibyte - 30)}}`],
  ['a long string', `{"reason":"${'a'.repeat(mebibyte - 30)}"}`],
  ['a string of escapes', `{"reason":"${repeatToMebibyte('\\n')}"}`],
  ['a string of Unicode escapes', `{"reason":"${repeatToMebibyte('\\u00e9')}"}`],
  ['a string that never ends', `{"reason":"${'a'.repeat(mebibyte - 30)}`],
  ['a long name', `{"${'a'.repeat(mebibyte - 30)}":1}`],
  ['spaces', `{${' '.repeat(mebibyte - 30)}}`],
]

const requestBytes = (method: string, target: string, headerLines: readonly string[] = []): Buffer => {
  const overriddenNames = headerLines.map((line) => line.split(':', 1)[0]?.toLowerCase())
  const defaultLines = [
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 2',
  ]
  const requiredLines = method === 'POST' ? defaultLines : defaultLines.slice(0, 1)
  const allLines = [
    ...requiredLines.filter((line) => !overriddenNames.includes(line.split(':', 1)[0])),
    ...headerLines,
    'connection: close',
  ]
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${allLines.join('\r\n')}\r\n\r\n${method === 'POST' ? '{}' : ''}`,
    'latin1',
  )
}

const reportAt = (path: string) => reports.find(({ name }) => path === `/api/v1/reports/${name}`)

/**
 * Parameters of one kind are parsed alike. The kind is the name, or for a filter the field kind and the operator. Each
 * report has its own kinds, because its links repeat the parameters.
 */
const parameterKind = (path: string, name: string): string => {
  const report = reportAt(path)
  if (report !== undefined) {
    const parameter = report.allParameters.find((declared) => declared.name === name)
    return `${report.name} ${parameter?.kind ?? name}`
  }
  const resource = resources.find(
    (candidate) => path.endsWith(`/${candidate.path}`) || path.includes(`/${candidate.path}/`),
  )
  if (resource === undefined) return name
  const computed = resource.computedFilters.find(({ parameter }) => parameter === name)
  if (computed !== undefined) return `computed ${resource.path} ${name}`
  const filter = [...resource.listFilters, ...relationFilters(resource)].find(({ parameter }) => parameter === name)
  if (filter === undefined) return name
  return `${filter.field.kind} ${filter.test}${name.includes('.') ? ' related' : ''}`
}

/** At most 200 ids, with so many digits that the text has about this length. */
const idsOfLength = (length: number): string =>
  Array.from({ length: 200 }, () => '9'.repeat(Math.max(1, Math.floor(length / 200) - 1))).join(',')

/**
 * Combines every item with every value in a full run, or else uses each item and each value at least once. In a short
 * run with `part`, only every `part`-th value is used, from another first value in each call.
 */
const combine = <T>(items: readonly T[], values: readonly string[], part = 1): [T, string][] => {
  if (isFullRun) return items.flatMap((item) => values.map((value): [T, string] => [item, value]))
  combineCalls += 1
  const chosen = values.filter((_, index) => index % part === combineCalls % part)
  return Array.from({ length: part === 1 ? Math.max(items.length, chosen.length) : chosen.length }, (_, index) => [
    items[(index + combineCalls) % items.length] as T,
    chosen[index % chosen.length] as string,
  ])
}
let combineCalls = 0

const abbreviate = (value: string): string => `${JSON.stringify(value.slice(0, 16))}…${JSON.stringify(value.slice(-2))}`

describe('a long input', () => {
  let database: TestDatabase
  let plainService: RunningService
  let limitedService: RunningService
  before(async () => {
    database = await createSeededDatabase()
    // The service has no cache, because the second response to a URL would come from it and cost almost nothing.
    plainService = await startService(database.url, { corsOrigins: ['https://a.example'], cacheBytes: 0 })
    limitedService = await startService(database.url, {
      reads: 'redacted',
      trustedProxies: ['127.0.0.1'],
      cacheBytes: 0,
      limits: { reads: 10_000_000, authFailures: 10_000_000 },
    })
  })
  after(async () => {
    await plainService.stop()
    await limitedService.stop()
    await database.drop()
  })

  /** The CPU time of the fastest of up to ten runs. Slower runs include other work, such as garbage collection. */
  const measureCpuMs = async (port: number, bytes: Buffer, sufficientMs: number): Promise<number> => {
    let minMs = Number.POSITIVE_INFINITY
    for (let run = 0; run < maxRuns && minMs > sufficientMs; run += 1) {
      const start = process.cpuUsage()
      await sendRawBytes(port, bytes)
      const { user, system } = process.cpuUsage(start)
      minMs = Math.min(minMs, (user + system) / 1_000)
    }
    return minMs
  }

  /** How much slower than usual this machine is now, at least 1. Measured with a bare server that parses JSON. */
  const measureSlowness = async (): Promise<number> => {
    const bareServer = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const records = JSON.parse(Buffer.concat(chunks).toString()) as unknown[]
        response.setHeader('connection', 'close').end(String(records.length))
      })
    }).listen(0, '127.0.0.1')
    await once(bareServer, 'listening')
    const { port } = bareServer.address() as AddressInfo
    const body = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ index, text: `text ${index}` })))
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`
    const ms = await measureCpuMs(port, Buffer.from(head + body), bareServerMs)
    bareServer.close()
    return Math.max(1, ms / bareServerMs)
  }

  /**
   * Undefined if the CPU time is within the limit. A slow or busy machine gets more time, and as its speed may change
   * between the two measurements, both are repeated if they exceed the limit.
   */
  const measureExcessMs = async (port: number, bytes: Buffer, maxMs: number): Promise<number | undefined> => {
    let ms = 0
    for (let attempt = 0; attempt < 3; attempt += 1) {
      ms = await measureCpuMs(port, bytes, maxMs)
      if (ms <= maxMs || ms <= maxMs * (await measureSlowness())) return undefined
    }
    return ms
  }

  interface Case {
    readonly service: RunningService
    readonly title: string
    readonly bytes: Buffer
  }
  const assertAllCheap = async (cases: Iterable<Case>): Promise<void> => {
    const slowCases: string[] = []
    for (const { service, title, bytes } of cases) {
      const ms = await measureExcessMs(service.port, bytes, maxCpuMs)
      if (ms !== undefined) slowCases.push(`${title}: ${ms.toFixed(1)} ms`)
    }
    assert.deepEqual(slowCases, [])
  }

  it(`costs at most ${maxCpuMs} ms of CPU time in every query parameter`, async () => {
    const parameters = operations.flatMap(({ method, path, query }) =>
      query.map((name) => ({ method, path, name, kind: parameterKind(path, name) })),
    )
    assert.ok(parameters.length > 400)
    assert.deepEqual(
      reports.filter((report) => !parameters.some(({ path }) => reportAt(path) === report)),
      [],
    )
    // The parameters of reports are parsed like filters too.
    const sharedParsers = /^computed | related$| to$|^(?!text ).* is_null$/
    const partOf = (kind: string): number =>
      reports.some(({ name }) => kind.startsWith(`${name} `)) || sharedParsers.test(kind) ? 8 : 1
    for (const [kind, parametersOfKind] of Map.groupBy(parameters, (parameter) => parameter.kind))
      await assertAllCheap(
        combine(parametersOfKind, longQueryValues, partOf(kind)).map(([{ method, path, name }, value]) => ({
          service: plainService,
          title: `${method} ${path} ${name}=${abbreviate(value)}`,
          bytes: requestBytes(method, `${path.replace('{item_id}', '1')}?${name}=${value}`),
        })),
      )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in every text parameter of a report with as many rows as possible`, async () => {
    const periods = ['', 'from=2026-01-01&to=2026-12-31&', 'from=2025-01&to=2026-12&', 'depth=32&']
    const parameters = reports.flatMap((report) =>
      report.allParameters
        .filter(({ kind }) => kind === 'texts' || kind === 'ids')
        .map(({ name, kind }) => ({ path: `/api/v1/reports/${report.name}`, name, kind })),
    )
    const lengths = [500, 1_000, 3_000, 15_000]
    await assertAllCheap(
      parameters.flatMap(({ path, name, kind }) =>
        periods.flatMap((period, periodIndex) =>
          lengths.filter(isFullRun ? () => true : (_, index) => index === periodIndex).map((length) => {
            const value = kind === 'ids' ? idsOfLength(length) : 'ab'.repeat(length / 2)
            return {
              service: plainService,
              title: `GET ${path} ${period}${name}=${abbreviate(value)} of ${value.length} characters`,
              bytes: requestBytes('GET', `${path}?${period}${name}=${value}`),
            }
          }),
        ),
      ),
    )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in every path parameter`, async () => {
    const items = operations.filter(({ path }) => path.includes('{item_id}'))
    await assertAllCheap(
      combine(items, longQueryValues).map(([{ method, path }, value]) => ({
        service: plainService,
        title: `${method} ${path} ${abbreviate(value)}`,
        bytes: requestBytes(method, path.replace('{item_id}', value)),
      })),
    )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in the name of a query parameter, or divided among many parameters`, async () => {
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
    const repeatedPairs = pairs.map((pair) => `${pair}&`.repeat(Math.floor(15_000 / (pair.length + 1))))
    const distinctNames = [1, 10, 30, 60, 100].map((size) =>
      Array.from({ length: Math.floor(15_000 / (size + 4)) }, (_, index) => `${'x'.repeat(size)}${index}`).join('&'),
    )
    for (const lines of [[], ['prefer: handling=strict'], ['accept: text/csv']])
      await assertAllCheap(
        combine(operations, [...repeatedPairs, ...distinctNames, ...longQueryValues]).map(
          ([{ method, path }, query]) => ({
            service: plainService,
            title: `${method} ${path} ${lines} ${abbreviate(query)}`,
            bytes: requestBytes(method, `${path.replace('{item_id}', '1')}?${query}`, lines),
          }),
        ),
      )
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in unknown parameter names under strict handling, even if they resemble known names`, async () => {
    const operationsWithQuery = operations.filter(({ query }) => query.length > 0)
    const cases = operationsWithQuery.flatMap(({ method, path, query }) => {
      const similarNames = query.flatMap((name) => [`${name}xxxx`, `xxxx${name}`, name.split('').join('x')])
      const longNames = Array.from({ length: 40 }, (_, index) => `${'a_'.repeat(48)}${100 + index}`)
      return [similarNames, longNames].map((names) => ({
        service: plainService,
        title: `${method} ${path} ${names[0]}`,
        bytes: requestBytes(method, `${path.replace('{item_id}', '1')}?${names.join('&')}`, [
          'prefer: handling=strict',
        ]),
      }))
    })
    await assertAllCheap(cases)
  })

  it(`costs at most ${maxBodyCpuMs} ms of CPU time as a body of 1 MiB, and the response is not larger than the body`, async () => {
    const slowCases: string[] = []
    for (const [title, body] of largeBodies) {
      const head = [`content-length: ${Buffer.byteLength(body)}`, 'host: x', `authorization: Bearer ${token}`]
      const lines = ['POST /api/v1/leave HTTP/1.1', ...head, 'content-type: application/json', 'connection: close']
      const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
      const response = await sendRawBytes(plainService.port, bytes)
      assert.match(response, /^HTTP\/1\.1 422 /, title)
      assert.ok(response.length < bytes.length + 1_000, `${title}: ${response.length} bytes`)
      const ms = await measureExcessMs(plainService.port, bytes, maxBodyCpuMs)
      if (ms !== undefined) slowCases.push(`${title}: ${ms.toFixed(1)} ms`)
    }
    assert.deepEqual(slowCases, [])
  })

  it(`costs at most ${maxCpuMs} ms of CPU time in every header`, async () => {
    for (const [name, prefix] of headers) {
      const values = longHeaderValues.map((value) => `${prefix}${value}`)
      const isLimited = ['authorization', 'x-forwarded-for'].includes(name)
      for (const service of isFullRun ? [plainService, limitedService] : [isLimited ? limitedService : plainService])
        await assertAllCheap(
          combine(operationsFor(name), values, parsedHeaders.has(name) ? 2 : 8).map(([{ method, path }, value]) => ({
            service,
            title: `${method} ${path} ${name}: ${abbreviate(value)}`,
            bytes: requestBytes(method, path.replace('{item_id}', '1'), [`${name}: ${value}`]),
          })),
        )
    }
  })
})
