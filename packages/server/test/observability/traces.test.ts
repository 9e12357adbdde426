import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { version } from '@muster/model'
import type { Collector, ReceivedSpan } from '../../../../tests/support/collector.ts'
import { formatTrace, startCollector } from '../../../../tests/support/collector.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { readMetricsUrl, scrape, sumOfSeries } from '../../../../tests/support/scrape.ts'
import { serve, serviceOrigin, stopService } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { permissionFlags } from '../../src/commands/permission-flags.ts'
import { readTraceparent } from '../../src/observability/trace-context.ts'

const sampledTraceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('traces', () => {
  let database: TestDatabase
  let collector: Collector
  let service: Command
  let base: string
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B'), ('C')`)
    collector = await startCollector()
    const env = { ...database.env, MUSTER_API_TOKEN: token, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
    service = serve(env, { flags: permissionFlags(env) })
    base = `${await serviceOrigin(service)}/api/v1`
    await service.waitForOutput(/The database is available/)
  })
  after(async () => {
    await stopService(service)
    collector.close()
    await database.drop()
  })

  /** Waits for the span that the response header `traceresponse` names, and returns all spans of its trace. */
  const traceOf = async (headers: Headers): Promise<readonly ReceivedSpan[]> => {
    const [, traceId, spanId] = (headers.get('traceresponse') ?? '').split('-')
    const spans = await collector.waitForSpans((all) => all.some((span) => span.spanId === spanId))
    return spans.filter((span) => span.traceId === traceId)
  }

  it('of a list contain the request, its SQL statement, the number of rows and the cache outcome, as documented', async () => {
    const url = `${base}/departments?limit=2`
    const firstTrace = formatTrace(await traceOf((await sendRequest(url)).headers))
    // A response is cached when it is requested for the second time.
    await sendRequest(url)
    const thirdTrace = formatTrace(await traceOf((await sendRequest(url)).headers))
    assert.match(firstTrace, /muster\.cache: miss/)
    assert.match(thirdTrace, /muster\.cache: hit/)
    const document = readFileSync(new URL('../../../../docs/observability.md', import.meta.url), 'utf8')
    for (const text of [firstTrace, thirdTrace]) assert.ok(document.includes(`\n${text}\n`), text)
  })

  it('name the token of a request, and never the token itself', async () => {
    const response = await sendRequest(`${base}/departments`, { headers: { authorization: `Bearer ${token}` } })
    const trace = formatTrace(await traceOf(response.headers))
    assert.match(trace, new RegExp(`muster\\.token: ${hash('sha256', token).slice(0, 8)}$`, 'm'))
    assert.ok(!trace.includes(token))
  })

  it('continue the trace in the traceparent header, and traceresponse names the span of the request', async () => {
    const { headers } = await sendRequest(`${base}/departments/1`, { headers: { traceparent: sampledTraceparent } })
    assert.match(headers.get('traceresponse') ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    const spans = await traceOf(headers)
    const [requestSpan] = spans.filter(({ kind }) => kind === 2)
    assert.equal(requestSpan?.parentSpanId, 'b7ad6b7169203331')
    assert.deepEqual(
      spans.filter(({ kind }) => kind === 3).map(({ name, parentSpanId }) => [name, parentSpanId]),
      [['get departments', requestSpan?.spanId]],
    )
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
      assert.ok(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now()) < 60_000)
    }
  })

  it('of concurrent requests are separate', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, number) => sendRequest(`${base}/departments?offset=${number}&limit=3`)),
    )
    for (const { headers } of responses) {
      const spans = await traceOf(headers)
      assert.ok(spans.filter(({ kind }) => kind === 2).length === 1, formatTrace(spans))
      assert.ok(
        spans.some(({ name }) => name === 'list departments'),
        formatTrace(spans),
      )
    }
    assert.equal(new Set(responses.map(({ headers }) => headers.get('traceresponse')?.split('-')[1])).size, 20)
  })

  it('are not recorded if the traceparent header says that the trace is not sampled', async () => {
    const { status, headers } = await sendRequest(`${base}/departments?limit=3`, {
      headers: { traceparent: `00-${'1'.repeat(32)}-b7ad6b7169203331-00` },
    })
    assert.deepEqual([status, headers.get('traceresponse')], [200, null])
    await traceOf((await sendRequest(`${base}/departments?limit=3`)).headers)
    assert.ok(!collector.spans.some(({ traceId }) => traceId === '1'.repeat(32)))
  })

  it('contain no values from requests, whether the requests succeed or fail', async () => {
    const personalEmail = 'somebody@example.test'
    const responses = [
      await sendRequest(`${base}/candidates?q=${personalEmail}`),
      await sendRequest(`${base}/candidates/${personalEmail}`),
      await post(`${base}/candidates`, { name: personalEmail, email: personalEmail }),
      await post(`${base}/candidates`, { name: personalEmail, email: personalEmail }),
      await post(`${base}/leave`, { leave_type: 'annual', employee_id: 1987654321 }),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status).filter((status) => status >= 500),
      [],
    )
    for (const { headers } of responses) await traceOf(headers)
    assert.doesNotMatch(collector.bodies.join('\n'), /somebody|1987654321|select |insert /)
  })

  it('contain the name, version and instance id of the service', async () => {
    await traceOf((await sendRequest(`${base}/health`)).headers)
    const { 'service.instance.id': instanceId, ...attributes } = collector.resource
    assert.deepEqual(attributes, { 'service.name': 'muster', 'service.version': version })
    assert.match(instanceId ?? '', /^[0-9a-f-]{36}$/)
  })
})

describe('exported spans', () => {
  it('agree with the metrics', async () => {
    const database = await createTestDatabase()
    const collector = await startCollector()
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, MUSTER_METRICS_PORT: '0' }
    const service = await startInProcess({ ...database.env, ...settings })
    const { origin } = service
    const metrics = await readMetricsUrl(service)
    await service.ready
    for (let round = 0; round < 10; round += 1)
      assert.equal((await sendRequest(`${origin}/api/v1/jobs`, { headers: { connection: 'close' } })).status, 200)
    const jobRequestSpansIn = (spans: readonly ReceivedSpan[]) =>
      spans.filter(({ name }) => name === 'GET /api/v1/jobs')
    await collector.waitForSpans((spans) => jobRequestSpansIn(spans).length === 10)
    const samples = await scrape(metrics)
    assert.equal(sumOfSeries(samples, 'muster_http_requests_total', 'route="/api/v1/jobs"'), 10)
    const statementCount = collector.spans.filter(({ name }) => name === 'list jobs').length
    assert.equal(sumOfSeries(samples, 'muster_query_duration_seconds_count', 'statement="list jobs"'), statementCount)
    await service.stop()
    collector.close()
    await database.drop()
  })

  it('include the spans of the last responses before the service stops', async () => {
    const collector = await startCollector()
    const service = await startInProcess({
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    })
    const { headers } = await sendRequest(`${service.origin}/livez`)
    await service.stop()
    assert.ok(collector.spans.some(({ spanId }) => headers.get('traceresponse')?.includes(spanId)))
    collector.close()
  })
})

describe('a failing trace collector', () => {
  const unreachableUrl = 'postgres://127.0.0.1:1/none'

  it('causes no failed request, is logged once, and does not delay the exit', async () => {
    const service = await startInProcess({
      DATABASE_URL: unreachableUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    })
    const { origin } = service
    assert.equal((await sendRequest(`${origin}/livez`)).status, 200)
    await service.waitForOutput(/Cannot export spans to http:\/\/127\.0\.0\.1:1: the request failed\./)
    assert.equal((await sendRequest(`${origin}/livez`)).status, 200)
    await service.stop()
    assert.equal(service.output.match(/Cannot export spans/g)?.length, 1)
  })

  it('that never responds delays neither requests nor the exit', async () => {
    const silentCollector = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silentCollector, 'listening')
    const endpoint = `http://127.0.0.1:${(silentCollector.address() as AddressInfo).port}`
    const service = await startInProcess({ DATABASE_URL: unreachableUrl, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const { origin } = service
    for (let round = 0; round < 600; round += 1) assert.equal((await sendRequest(`${origin}/livez`)).status, 200)
    const start = performance.now()
    await service.stop()
    assert.ok(performance.now() - start < 4_000, `the exit took ${performance.now() - start} ms`)
    silentCollector.closeAllConnections()
    silentCollector.close()
  })

  it('whose URL is invalid prevents the start', async () => {
    const env = { DATABASE_URL: unreachableUrl, OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }
    const { code, err } = await muster(['serve'], env)
    assert.deepEqual([code, err], [1, 'OTEL_EXPORTER_OTLP_ENDPOINT must start with http:// or https://.\n'])
  })
})

describe('without any trace or metric settings,', () => {
  it('the modules for traces and metrics are not loaded', async () => {
    const hooksModule = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { console.log('loads ' + url); return next(url, context) } })`
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(hooksModule)}`]
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, { flags })
    await serviceOrigin(service)
    await stopService(service)
    assert.match(service.output, /loads \S+\/http\/cache\/fast-path\.ts/)
    const loadedModules = [...service.output.matchAll(/loads \S+\/src\/observability\/(\S+)/g)].map((match) => match[1])
    assert.deepEqual(loadedModules.toSorted(), ['buffered-writer.ts', 'log.ts', 'observer.ts'])
  })
})

describe('the parser of traceparent headers', () => {
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const cases: [header: string | undefined, expected: object | undefined][] = [
    [sampledTraceparent, { ...ids, sampled: true }],
    [sampledTraceparent.replace(/01$/, '00'), { ...ids, sampled: false }],
    [sampledTraceparent.replace(/01$/, '03'), { ...ids, sampled: true }],
    [`cc${sampledTraceparent.slice(2)}-fields-of-a-future-version`, { ...ids, sampled: true }],
    [`${sampledTraceparent}-more`, undefined],
    [`ff${sampledTraceparent.slice(2)}`, undefined],
    [sampledTraceparent.toUpperCase(), undefined],
    [sampledTraceparent.replace(ids.traceId, '0'.repeat(32)), undefined],
    [sampledTraceparent.replace(ids.spanId, '0'.repeat(16)), undefined],
    [`${sampledTraceparent}, ${sampledTraceparent}`, undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [header, expected] of cases)
    it(`${expected === undefined ? 'ignores' : 'accepts'} ${header === undefined ? 'a missing header' : `"${header}"`}`, () => {
      assert.deepEqual(readTraceparent(header), expected)
    })
})
