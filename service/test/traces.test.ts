/** What a collector of traces is told: the spans of a request and its statements in the caller's trace, and nothing of its values. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { version } from '@muster/model'
import { servingFlags } from '../src/commands/rights.ts'
import { readTraceparent } from '../src/observe/trace-context.ts'
import type { Collector, ReceivedSpan } from './support/collector.ts'
import { startCollector, traceText } from './support/collector.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { Command } from './support/process.ts'
import { metricsAddress, scrape, sumOf } from './support/scrape.ts'
import { end, listening, serve } from './support/served.ts'
import { token } from './support/service.ts'

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

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
    service = serve(env, { flags: servingFlags(env) })
    base = `${await listening(service)}/api/v1`
    await service.says(/The database answers/)
  })
  after(async () => {
    await end(service)
    collector.close()
    await database.drop()
  })

  /** The spans of the trace that the answer names, once the one of the request is there. */
  const traceOf = async (headers: Headers): Promise<readonly ReceivedSpan[]> => {
    const [, traceId, spanId] = (headers.get('traceresponse') ?? '').split('-')
    const spans = await collector.received((all) => all.some((span) => span.spanId === spanId))
    return spans.filter((span) => span.traceId === traceId)
  }

  it('of a list hold the request and its statement, the rows and where they came from, as the documents show', async () => {
    const url = `${base}/departments?limit=2`
    const first = traceText(await traceOf((await ask(url)).headers))
    // Kept when it is asked for again, and answered from memory from then on.
    await ask(url)
    const third = traceText(await traceOf((await ask(url)).headers))
    assert.match(first, /muster\.cache: miss/)
    assert.match(third, /muster\.cache: hit/)
    const document = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8')
    for (const text of [first, third]) assert.ok(document.includes(`\n${text}\n`), text)
  })

  it('go on in the trace of the caller, who is told of the span', async () => {
    const { headers } = await ask(`${base}/departments/1`, { headers: { traceparent: parent } })
    assert.match(headers.get('traceresponse') ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    const spans = await traceOf(headers)
    const [request] = spans.filter(({ kind }) => kind === 2)
    assert.equal(request?.parentSpanId, 'b7ad6b7169203331')
    assert.deepEqual(
      spans.filter(({ kind }) => kind === 3).map(({ name, parentSpanId }) => [name, parentSpanId]),
      [['get departments', request?.spanId]],
    )
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
      assert.ok(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now()) < 60_000)
    }
  })

  it('of several requests at once are told apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => ask(`${base}/departments?offset=${number}&limit=3`)),
    )
    for (const { headers } of answers) {
      const spans = await traceOf(headers)
      assert.ok(spans.filter(({ kind }) => kind === 2).length === 1, traceText(spans))
      assert.ok(
        spans.some(({ name }) => name === 'list departments'),
        traceText(spans),
      )
    }
    assert.equal(new Set(answers.map(({ headers }) => headers.get('traceresponse')?.split('-')[1])).size, 20)
  })

  it('are not recorded where the caller wants none', async () => {
    const { status, headers } = await ask(`${base}/departments?limit=3`, {
      headers: { traceparent: '00-11111111111111111111111111111111-b7ad6b7169203331-00' },
    })
    assert.deepEqual([status, headers.get('traceresponse')], [200, null])
    await traceOf((await ask(`${base}/departments?limit=3`)).headers)
    assert.ok(!collector.spans.some(({ traceId }) => traceId.startsWith('1111')))
  })

  it('hold nothing of what was asked for or sent, whether it is answered or refused', async () => {
    const person = 'somebody@example.test'
    const answers = [
      await ask(`${base}/candidates?q=${person}`),
      await ask(`${base}/candidates/${person}`),
      await post(`${base}/candidates`, { name: person, email: person }),
      await post(`${base}/candidates`, { name: person, email: person }),
      await post(`${base}/leave`, { leave_type: 'annual', employee_id: 77777 }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status >= 500),
      [],
    )
    for (const { headers } of answers) await traceOf(headers)
    assert.doesNotMatch(collector.bodies.join('\n'), /somebody|77777|select |insert /)
  })

  it('name the service, its release and the process', async () => {
    await traceOf((await ask(`${base}/health`)).headers)
    const { attributes } = JSON.parse(collector.bodies[0] as string).resourceSpans[0].resource
    const values = new Map(attributes.map((each: { key: string; value: object }) => [each.key, each.value]))
    assert.deepEqual(values.get('service.name'), { stringValue: 'muster' })
    assert.deepEqual(values.get('service.version'), { stringValue: version })
    assert.ok(values.has('service.instance.id'))
  })
})

describe('traces and metrics together', () => {
  it('both tell of the same requests, from workers that have only their rights', async () => {
    const database = await createTestDatabase()
    const collector = await startCollector()
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, MUSTER_METRICS_PORT: '0' }
    const service = serve({ ...database.env, ...settings }, { args: ['--workers', '2'] })
    const host = await listening(service)
    const metrics = await metricsAddress(service)
    await service.says(/(The database answers.*){2}/s)
    for (let count = 0; count < 10; count += 1)
      assert.equal((await ask(`${host}/api/v1/jobs`, { headers: { connection: 'close' } })).status, 200)
    const requests = (spans: readonly ReceivedSpan[]) => spans.filter(({ name }) => name === 'GET /api/v1/jobs')
    await collector.received((spans) => requests(spans).length === 10)
    const samples = await scrape(metrics)
    assert.equal(sumOf(samples, 'muster_http_requests_total', 'route="/api/v1/jobs"'), 10)
    const statements = collector.spans.filter(({ name }) => name === 'list jobs').length
    assert.equal(sumOf(samples, 'muster_query_duration_seconds_count', 'statement="list jobs"'), statements)
    await end(service)
    collector.close()
    await database.drop()
  })

  it('what was answered last before the end is delivered', async () => {
    const collector = await startCollector()
    const service = serve({
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    })
    const { headers } = await ask(`${await listening(service)}/livez`)
    await end(service)
    assert.ok(collector.spans.some(({ spanId }) => headers.get('traceresponse')?.includes(spanId)))
    collector.close()
  })
})

describe('a collector that fails', () => {
  const away = 'postgres://127.0.0.1:1/none'

  it('fails no request, is told of once, and holds up no end', async () => {
    const service = serve({ DATABASE_URL: away, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    const host = await listening(service)
    assert.equal((await ask(`${host}/livez`)).status, 200)
    await service.says(/Spans cannot be delivered to http:\/\/127\.0\.0\.1:1: it does not answer\./)
    assert.equal((await ask(`${host}/livez`)).status, 200)
    await end(service)
    assert.equal(service.said.match(/Spans cannot be delivered/g)?.length, 1)
  })

  it('that never answers keeps nobody waiting', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const service = serve({ DATABASE_URL: away, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const host = await listening(service)
    for (let count = 0; count < 600; count += 1) assert.equal((await ask(`${host}/livez`)).status, 200)
    const start = performance.now()
    await end(service)
    assert.ok(performance.now() - start < 4_000, `the end took ${performance.now() - start} ms`)
    silent.closeAllConnections()
    silent.close()
  })

  it('is refused at the start where its address is none', async () => {
    const service = serve({ DATABASE_URL: away, OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' })
    assert.equal(await service.ended, 1)
    assert.match(service.said, /^OTEL_EXPORTER_OTLP_ENDPOINT should start with http:\/\/ or https:\/\/\.\n$/)
  })
})

describe('without a setting', () => {
  it('neither traces nor metrics are loaded', async () => {
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { console.log('loads ' + url); return next(url, context) } })`
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, { flags })
    await listening(service)
    await end(service)
    assert.match(service.said, /loads \S+\/http\/short-way\.ts/)
    const loaded = [...service.said.matchAll(/loads \S+\/src\/observe\/(\S+)/g)].map((match) => match[1])
    assert.deepEqual(loaded, ['observer.ts'])
  })
})

describe('the trace context', () => {
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const cases: [header: string | undefined, read: object | undefined][] = [
    [parent, { ...ids, sampled: true }],
    [parent.replace(/01$/, '00'), { ...ids, sampled: false }],
    [parent.replace(/01$/, '03'), { ...ids, sampled: true }],
    [`cc${parent.slice(2)}-what-the-future-brings`, { ...ids, sampled: true }],
    [`${parent}-more`, undefined],
    [`ff${parent.slice(2)}`, undefined],
    [parent.toUpperCase(), undefined],
    [parent.replace(ids.traceId, '0'.repeat(32)), undefined],
    [parent.replace(ids.spanId, '0'.repeat(16)), undefined],
    [`${parent}, ${parent}`, undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [header, read] of cases)
    it(`${header === undefined ? 'left out' : `"${header}"`} is ${read === undefined ? 'none' : 'read'}`, () => {
      assert.deepEqual(readTraceparent(header), read)
    })
})
