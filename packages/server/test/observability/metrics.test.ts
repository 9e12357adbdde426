import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { errorCodes, version } from '@muster/model'
import { parse } from 'yaml'
import { startCollector } from '../../../../tests/support/collector.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { InProcessServer } from '../../../../tests/support/in-process-server.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import type { Samples } from '../../../../tests/support/scrape.ts'
import { parseSamples, readMetricsUrl, scrape, sumOfSeries } from '../../../../tests/support/scrape.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import type { MetricDefinition } from '../../src/observability/metric-definitions.ts'
import { metricDefinitions } from '../../src/observability/metric-definitions.ts'
import { prometheusText } from '../../src/observability/prometheus-text.ts'
import { countersOf, mergeSnapshots, observe, Registry } from '../../src/observability/registry.ts'

const unreachableUrl = 'postgres://127.0.0.1:1/none'
const definitions: readonly MetricDefinition[] = Object.values(metricDefinitions)

/** Reads the metrics until the condition holds, because a response is counted only shortly after it is sent. */
const scrapeUntil = async (url: string, condition: (samples: Samples) => boolean): Promise<Samples> => {
  const deadline = Date.now() + 10_000
  for (;;) {
    const samples = await scrape(url)
    if (condition(samples)) return samples
    assert.ok(Date.now() < deadline, `condition never met: ${[...samples].join('\n')}`)
  }
}

/** A service that has served nothing yet, and its metrics at that time. */
let idleService: InProcessServer
let firstText: string
before(async () => {
  idleService = await startInProcess({ DATABASE_URL: unreachableUrl, MUSTER_METRICS_PORT: '0' })
  firstText = (await sendRequest(await readMetricsUrl(idleService))).text
})
after(() => idleService.stop())

describe('metrics', () => {
  it('are not served unless MUSTER_METRICS_PORT is set', async () => {
    const service = await startInProcess({ DATABASE_URL: unreachableUrl })
    await service.stop()
    assert.doesNotMatch(service.output, /Metrics at/)
  })

  it('count requests, errors, rows, cache outcomes, statements and pool waits', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B'), ('C')`)
    const settings = { MUSTER_API_TOKEN: token, MUSTER_METRICS_PORT: '0', MUSTER_POOL_SIZE: '3' }
    const service = await startInProcess({ ...database.env, ...settings })
    const base = `${service.origin}/api/v1`
    const url = await readMetricsUrl(service)
    await service.ready
    for (let round = 0; round < 3; round += 1) await sendRequest(`${base}/departments`)
    const { headers } = await sendRequest(`${base}/departments?limit=1`)
    await sendRequest(`${base}/departments?limit=1`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    await sendRequest(`${base}/departments/9`)
    await sendRequest(`${base}/departments/2`, { method: 'HEAD' })
    await sendRequest(`${base}/nowhere`)
    const keyHeader = { 'idempotency-key': 'one-key-for-two-creates' }
    assert.equal((await post(`${base}/leave`, { leave_type: 'annual' }, keyHeader)).status, 201)
    assert.equal((await post(`${base}/leave`, { leave_type: 'annual' }, keyHeader)).status, 201)
    assert.equal((await post(`${base}/leave`, {})).status, 422)
    const samples = await scrapeUntil(url, (current) => sumOfSeries(current, 'muster_http_requests_total') === 11)
    const sum = (name: string, ...labels: string[]) => sumOfSeries(samples, name, ...labels)
    const listLabel = 'route="/api/v1/departments"'
    assert.equal(sum('muster_http_requests_total', listLabel, 'method="GET"', 'status="200"'), 4)
    assert.equal(sum('muster_http_requests_total', listLabel, 'status="304"'), 1)
    assert.equal(sum('muster_http_requests_total', 'route="/api/v1/departments/:item_id"', 'status="404"'), 1)
    assert.equal(sum('muster_http_requests_total', 'route="none"', 'status="404"'), 1)
    assert.equal(sum('muster_http_requests_total', 'method="HEAD"'), 1)
    assert.equal(sum('muster_http_request_duration_seconds_count', listLabel, 'method="GET"'), 5)
    assert.equal(sum('muster_http_request_duration_seconds_count'), 11)
    assert.ok(sum('muster_http_request_duration_seconds_sum') > 0)
    assert.equal(sum('muster_errors_total', 'code="not_found"'), 2)
    assert.equal(sum('muster_errors_total', 'code="validation_error"'), 1)
    // The second of the three lists is a miss, unless the first took so long that its response was cached at once.
    const misses = sum('muster_cache_outcomes_total', 'miss')
    assert.ok(misses === 4 || misses === 3, `${misses} misses`)
    assert.deepEqual(
      ['hit', 'not_modified', 'none'].map((outcome) => sum('muster_cache_outcomes_total', outcome)),
      [5 - misses, 1, 5],
    )
    assert.equal(sum('muster_rows_answered_total'), 3 + 3 + 3 + 1 + 1 + 1 + 1)
    assert.equal(sum('muster_rows_created_total', 'route="/api/v1/leave"'), 1)
    assert.equal(sum('muster_query_duration_seconds_count', 'statement="list departments"'), misses - 1)
    assert.equal(sum('muster_query_duration_seconds_count', 'statement="get departments"'), 2)
    assert.ok(sum('muster_query_duration_seconds_count', 'statement="versions"') >= 2)
    assert.equal(sum('muster_pool_wait_seconds_count', 'pool="read"'), misses + 1)
    assert.equal(sum('muster_pool_size', 'pool="read"'), 3)
    assert.equal(sum('muster_pool_busy', 'pool="read"'), 0)
    assert.ok(sum('muster_pool_connections', 'pool="read"') >= 1)
    assert.ok(sum('muster_cache_bytes') > 1_000 && sum('muster_cache_bytes') < sum('muster_cache_max_bytes'))
    assert.deepEqual([sum('muster_ready'), sum('muster_workers'), sum('muster_worker_deaths_total')], [1, 1, 0])
    assert.equal(sum('muster_build_info', `version="${version}"`, `node="${process.version}"`), 1)
    assert.ok(sum('muster_event_loop_delay_seconds_count') > 0 && sum('muster_event_loop_busy_seconds_total') > 0)
    assert.ok(sum('process_resident_memory_bytes') > sum('process_heap_bytes') && sum('process_cpu_seconds_total') > 0)
    const startedAt = Date.now() / 1_000 - process.uptime()
    assert.ok(Math.abs(sum('process_start_time_seconds') - startedAt) < 5)
    await service.stop()
    await assert.rejects(sendRequest(url))
    await database.drop()
  })

  it('contain every error code from the start, so that Prometheus sees the first occurrence as an increase', () => {
    const samples = parseSamples(firstText)
    for (const code of Object.keys(errorCodes)) assert.equal(samples.get(`muster_errors_total{code="${code}"}`), 0)
    assert.equal(sumOfSeries(samples, 'muster_ready'), 0)
  })

  it('are served only at /metrics, for GET and HEAD, with the content type of the Prometheus text format', async () => {
    const url = await readMetricsUrl(idleService)
    const { status, headers } = await sendRequest(url)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8'])
    assert.equal((await sendRequest(url, { method: 'HEAD' })).status, 200)
    assert.equal((await sendRequest(url, { method: 'POST' })).status, 405)
    assert.equal((await sendRequest(url.replace('metrics', 'livez'))).status, 404)
    assert.equal((await sendRequest(`${idleService.origin}/metrics`)).status, 404)
  })

  it('prevent the service from starting if their port is in use', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as { port: number }
    await assert.rejects(
      startInProcess({ DATABASE_URL: unreachableUrl, MUSTER_METRICS_PORT: String(port) }),
      /is already in use: stop the other process, or set MUSTER_METRICS_PORT\./,
    )
    portHolder.close()
  })

  it('are merged across all workers, agree with their spans, and keep the counts of a worker that dies', async () => {
    const collector = await startCollector()
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, MUSTER_METRICS_PORT: '0' }
    const service = serve({ DATABASE_URL: unreachableUrl, ...settings }, { args: ['--workers', '2'] })
    const origin = await serviceOrigin(service)
    const url = await readMetricsUrl(service)
    await service.waitForOutput(/(Server listening.*){2}/s)
    const sendLivez = async (times: number): Promise<void> => {
      for (let requestNumber = 0; requestNumber < times; requestNumber += 1)
        await sendRequest(`${origin}/livez`, { headers: { connection: 'close' } })
    }
    const livezRequests = (samples: Samples) => sumOfSeries(samples, 'muster_http_requests_total', 'route="/livez"')
    await sendLivez(20)
    const beforeDeath = await scrapeUntil(url, (samples) => livezRequests(samples) === 20)
    assert.equal(sumOfSeries(beforeDeath, 'muster_workers'), 2)
    await collector.waitForSpans((spans) => spans.filter(({ name }) => name === 'GET /livez').length === 20)
    const [, workerPid] = await service.waitForOutput(/"pid":(\d+),[^\n]*"route":"\/livez"/)
    process.kill(Number(workerPid), 'SIGKILL')
    await service.waitForOutput(/a new one starts in/)
    const afterDeath = await scrapeUntil(url, (samples) => sumOfSeries(samples, 'muster_worker_deaths_total') === 1)
    for (const [series, value] of beforeDeath) {
      const isCounter = definitions.some(({ name, kind }) => kind !== 'gauge' && series.startsWith(name))
      if (isCounter) assert.ok((afterDeath.get(series) ?? 0) >= value, `${series} decreased from ${value}`)
    }
    await service.waitForOutput(/(Server listening.*){3}/s)
    await waitForStatus(`${origin}/livez`, 200)
    await sendLivez(20)
    const afterRestart = await scrapeUntil(url, (samples) => livezRequests(samples) === 41)
    assert.equal(sumOfSeries(afterRestart, 'muster_workers'), 2)
    await stopService(service)
    collector.close()
  })
})

describe('samples', () => {
  it('of a histogram are counted in the first bucket whose bound is not below the value, and are exported cumulatively', () => {
    const registry = new Registry()
    const series = registry.at('poolWaitSeconds', 'read')
    for (const value of [0, 0.001, 0.0011, 99]) observe(series, metricDefinitions.poolWaitSeconds.bounds, value)
    const samples = parseSamples(prometheusText(registry.snapshot()))
    const bucketValue = (le: string) => samples.get(`muster_pool_wait_seconds_bucket{pool="read",le="${le}"}`)
    assert.deepEqual([bucketValue('0.001'), bucketValue('0.005'), bucketValue('5'), bucketValue('+Inf')], [2, 3, 3, 4])
    assert.equal(samples.get('muster_pool_wait_seconds_count{pool="read"}'), 4)
    assert.equal(samples.get('muster_pool_wait_seconds_sum{pool="read"}'), 99.0021)
  })

  it('of several processes are merged by sum, minimum or maximum, and of a dead process only the counters are kept', () => {
    const firstWorker = { requests: { a: [1] }, ready: { '': [1] }, started: { '': [7] }, build: { '': [1] } }
    const secondWorker = { requests: { a: [2], b: [3] }, ready: { '': [0] }, started: { '': [5] }, build: { '': [1] } }
    assert.deepEqual(mergeSnapshots([firstWorker, secondWorker]), {
      requests: { a: [3], b: [3] },
      ready: { '': [1] },
      started: { '': [5] },
      build: { '': [1] },
    })
    assert.deepEqual(countersOf(firstWorker), { requests: { a: [1] } })
  })

  it('are limited to a thousand combinations of labels for each metric', () => {
    const registry = new Registry()
    for (let name = 0; name < 2_000; name += 1) registry.at('statementSeconds', `s${name}`)[0] = 1
    assert.equal(Object.keys(registry.snapshot().statementSeconds ?? {}).length, 1_001)
  })

  it('have escaped label values', () => {
    const registry = new Registry()
    registry.set('build', 1, 'a"b\\c\nd', 'e')
    assert.match(prometheusText(registry.snapshot()), /muster_build_info\{version="a\\"b\\\\c\\nd",node="e"\} 1/)
  })
})

describe('docs/observability.md', () => {
  it('lists exactly the exported metrics, with their kind, labels and meaning', () => {
    const document = readFileSync(new URL('../../../../docs/observability.md', import.meta.url), 'utf8').replace(
      / +/g,
      ' ',
    )
    const documentedRows = document.match(/^\| `(muster|process)_\w+` \|.*$/gm)
    const expectedRows = definitions.map(
      ({ name, kind, labels, help }) =>
        `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    )
    assert.deepEqual(
      documentedRows,
      expectedRows.map((row) => row.replace(/ +/g, ' ')),
    )
  })
})

describe('in deploy/observability,', () => {
  const readText = (name: string): string =>
    readFileSync(new URL(`../../../../deploy/observability/${name}`, import.meta.url), 'utf8').replaceAll('\\"', '"')
  const targetLabels = ['job', 'instance', 'le']

  /** The names of the samples that a metric consists of, each with its labels. */
  const samplesOf = ({ name, kind, labels }: MetricDefinition): [name: string, labels: readonly string[]][] =>
    (kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((suffix) => [`${name}${suffix}`, labels])

  for (const file of ['alerts.yaml', 'dashboard.json'])
    it(`${file} uses only exported metrics and existing labels`, () => {
      const exportedNames = [...firstText.matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1])
      const labelsBySample = new Map(definitions.filter(({ name }) => exportedNames.includes(name)).flatMap(samplesOf))
      const references = [...readText(file).matchAll(/\b((?:muster|process)_\w+)(?:\{([^}]*)\})?/g)]
      assert.ok(references.length > 9)
      for (const [, name = '', selector = ''] of references) {
        assert.ok(labelsBySample.has(name), name)
        for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
          assert.ok(
            targetLabels.includes(label) || labelsBySample.get(name)?.includes(label),
            `${name} has no label ${label}`,
          )
      }
    })

  it('alerts.yaml has exactly the documented alerts', () => {
    const document = readFileSync(new URL('../../../../docs/observability.md', import.meta.url), 'utf8')
    const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1])
    assert.deepEqual(
      matchesOf(document, /^\| `(Muster\w+)` \|/gm),
      matchesOf(readText('alerts.yaml'), /- alert: (\w+)/g),
    )
  })

  it('alerts.yaml names a runbook for each alert, which says what the alert means, how to see the cause and what to do', () => {
    const folder = new URL('../../../../docs/runbooks/', import.meta.url)
    const rules = parse(readText('alerts.yaml')).groups.flatMap(({ rules }: { rules: object[] }) => rules) as readonly {
      alert: string
      annotations: Record<string, string>
    }[]
    assert.ok(rules.length > 9)
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook_url, `docs/runbooks/${alert}.md`)
      const headings = readFileSync(new URL(`${alert}.md`, folder), 'utf8').match(/^#+ .+$/gm)
      assert.deepEqual(headings, [`# ${alert}`, '## What it means', '## How to see the cause', '## What to do'])
    }
    assert.deepEqual(
      readdirSync(folder).toSorted(),
      rules.map(({ alert }) => `${alert}.md`).toSorted(),
      'no runbook without an alert',
    )
  })

  it('dashboard.json shows every metric', () => {
    const dashboard = readText('dashboard.json')
    for (const { name } of definitions) assert.ok(dashboard.includes(name), name)
  })
})
