/** What Prometheus is told: every number counts what happened, one port speaks for all workers, and no sum goes backwards. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { errorCodes, version } from '@muster/model'
import { exposition } from '../src/observe/exposition.ts'
import type { Family } from '../src/observe/families.ts'
import { families } from '../src/observe/families.ts'
import { lasting, merged, observe, Registry } from '../src/observe/registry.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { Samples } from './support/scrape.ts'
import { metricsAddress, readSamples, scrape, sumOf } from './support/scrape.ts'
import { end, listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

const all: readonly Family[] = Object.values(families)

/** Asks until the numbers are as wanted: an answer is counted a moment after it has been sent. */
const untilTold = async (address: string, told: (samples: Samples) => boolean): Promise<Samples> => {
  const deadline = Date.now() + 10_000
  for (;;) {
    const samples = await scrape(address)
    if (told(samples)) return samples
    assert.ok(Date.now() < deadline, `never told: ${[...samples].join('\n')}`)
  }
}

describe('metrics', () => {
  it('are not there unless their port is set', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
    await listening(service)
    await end(service)
    assert.doesNotMatch(service.said, /Metrics at/)
  })

  it('count requests, errors, rows, outcomes, statements and turns as they happen', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B'), ('C')`)
    const service = serve({ ...database.env, MUSTER_API_TOKEN: token, MUSTER_METRICS_PORT: '0', MUSTER_POOL_SIZE: '3' })
    const base = `${await listening(service)}/api/v1`
    const address = await metricsAddress(service)
    await service.says(/The database answers/)
    for (let times = 0; times < 3; times += 1) await ask(`${base}/departments`)
    const { headers } = await ask(`${base}/departments?limit=1`)
    await ask(`${base}/departments?limit=1`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    await ask(`${base}/departments/9`)
    await ask(`${base}/departments/2`, { method: 'HEAD' })
    await ask(`${base}/nowhere`)
    const key = { 'idempotency-key': 'one-key-for-two-creates' }
    assert.equal((await post(`${base}/leave`, { leave_type: 'annual' }, key)).status, 201)
    assert.equal((await post(`${base}/leave`, { leave_type: 'annual' }, key)).status, 201)
    assert.equal((await post(`${base}/leave`, {})).status, 422)
    const samples = await untilTold(address, (told) => sumOf(told, 'muster_http_requests_total') === 11)
    const sum = (name: string, ...labels: string[]) => sumOf(samples, name, ...labels)
    const list = 'route="/api/v1/departments"'
    assert.equal(sum('muster_http_requests_total', list, 'method="GET"', 'status="200"'), 4)
    assert.equal(sum('muster_http_requests_total', list, 'status="304"'), 1)
    assert.equal(sum('muster_http_requests_total', 'route="/api/v1/departments/:item_id"', 'status="404"'), 1)
    assert.equal(sum('muster_http_requests_total', 'route="none"', 'status="404"'), 1)
    assert.equal(sum('muster_http_requests_total', 'method="HEAD"'), 1)
    assert.equal(sum('muster_http_request_duration_seconds_count', list, 'method="GET"'), 5)
    assert.equal(sum('muster_http_request_duration_seconds_count'), 11)
    assert.ok(sum('muster_http_request_duration_seconds_sum') > 0)
    assert.equal(sum('muster_errors_total', 'code="not_found"'), 2)
    assert.equal(sum('muster_errors_total', 'code="validation_error"'), 1)
    assert.deepEqual(
      ['hit', 'miss', 'not_modified', 'none'].map((outcome) => sum('muster_cache_outcomes_total', outcome)),
      [1, 4, 1, 5],
    )
    assert.equal(sum('muster_rows_answered_total'), 3 + 3 + 3 + 1 + 1 + 1 + 1)
    assert.equal(sum('muster_rows_created_total', 'route="/api/v1/leave"'), 1)
    assert.equal(sum('muster_query_duration_seconds_count', 'statement="list departments"'), 3)
    assert.equal(sum('muster_query_duration_seconds_count', 'statement="get departments"'), 2)
    assert.ok(sum('muster_query_duration_seconds_count', 'statement="versions"') >= 2)
    assert.equal(sum('muster_pool_wait_seconds_count', 'pool="read"'), 5)
    assert.equal(sum('muster_pool_size', 'pool="read"'), 3)
    assert.equal(sum('muster_pool_busy', 'pool="read"'), 0)
    assert.ok(sum('muster_pool_connections', 'pool="read"') >= 1)
    assert.ok(sum('muster_cache_bytes') > 1_000 && sum('muster_cache_bytes') < sum('muster_cache_max_bytes'))
    assert.deepEqual([sum('muster_ready'), sum('muster_workers'), sum('muster_worker_deaths_total')], [1, 1, 0])
    assert.equal(sum('muster_build_info', `version="${version}"`, `node="${process.version}"`), 1)
    assert.ok(sum('muster_event_loop_delay_seconds_count') > 0 && sum('muster_event_loop_busy_seconds_total') > 0)
    assert.ok(sum('process_resident_memory_bytes') > sum('process_heap_bytes') && sum('process_cpu_seconds_total') > 0)
    assert.ok(Math.abs(sum('process_start_time_seconds') - Date.now() / 1_000) < 60)
    await end(service)
    await assert.rejects(ask(address))
    await database.drop()
  })

  it('tell of every error there is before it happens, so that a first one is an increase', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' })
    const samples = await scrape(await metricsAddress(service))
    for (const code of Object.keys(errorCodes)) assert.equal(samples.get(`muster_errors_total{code="${code}"}`), 0)
    await listening(service)
    assert.equal(sumOf(samples, 'muster_ready'), 0)
    await end(service)
  })

  it('are answered at one address, by GET and HEAD, in the type of the text format', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' })
    const address = await metricsAddress(service)
    const { status, headers } = await ask(address)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8'])
    assert.equal((await ask(address, { method: 'HEAD' })).status, 200)
    assert.equal((await ask(address, { method: 'POST' })).status, 405)
    assert.equal((await ask(address.replace('metrics', 'livez'))).status, 404)
    const host = await listening(service)
    assert.equal((await ask(`${host}/metrics`)).status, 404)
    await end(service)
  })

  it('do not start on a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: String(port) })
    assert.equal(await service.ended, 1)
    assert.match(service.said, /is taken: stop what listens there, or set MUSTER_METRICS_PORT\./)
    other.close()
  })

  it('of several workers are one, and lose nothing that was told when one dies', async () => {
    const service = serve(
      { DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' },
      { args: ['--workers', '2'] },
    )
    const host = await listening(service)
    const address = await metricsAddress(service)
    await service.says(/(Server listening.*){2}/s)
    const alive = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) await ask(`${host}/livez`, { headers: { connection: 'close' } })
    }
    const counted = (samples: Samples) => sumOf(samples, 'muster_http_requests_total', 'route="/livez"')
    await alive(20)
    const before = await untilTold(address, (samples) => counted(samples) === 20)
    assert.equal(sumOf(before, 'muster_workers'), 2)
    const [, victim] = await service.says(/"pid":(\d+),[^\n]*"route":"\/livez"/)
    process.kill(Number(victim), 'SIGKILL')
    await service.says(/another starts in/)
    const after = await untilTold(address, (samples) => sumOf(samples, 'muster_worker_deaths_total') === 1)
    for (const [series, value] of before) {
      const isCount = all.some(({ name, kind }) => kind !== 'gauge' && series.startsWith(name))
      if (isCount) assert.ok((after.get(series) ?? 0) >= value, `${series} went back from ${value}`)
    }
    await service.says(/(Server listening.*){3}/s)
    await until(`${host}/livez`, 200)
    await alive(20)
    const later = await untilTold(address, (samples) => counted(samples) === 41)
    assert.equal(sumOf(later, 'muster_workers'), 2)
    await end(service)
  })
})

describe('the numbers', () => {
  it('of a histogram are put under the first bound that is not smaller, and told as sums', () => {
    const registry = new Registry()
    const series = registry.at('poolWaitSeconds', 'read')
    for (const value of [0, 0.001, 0.0011, 99]) observe(series, families.poolWaitSeconds.bounds, value)
    const samples = readSamples(exposition(registry.snapshot()))
    const bucket = (le: string) => samples.get(`muster_pool_wait_seconds_bucket{pool="read",le="${le}"}`)
    assert.deepEqual([bucket('0.001'), bucket('0.005'), bucket('5'), bucket('+Inf')], [2, 3, 3, 4])
    assert.equal(samples.get('muster_pool_wait_seconds_count{pool="read"}'), 4)
    assert.equal(samples.get('muster_pool_wait_seconds_sum{pool="read"}'), 99.0021)
  })

  it('of several processes are added, or the least or greatest of them; of the gone only counts are left', () => {
    const one = { requests: { a: [1] }, ready: { '': [1] }, started: { '': [7] }, build: { '': [1] } }
    const other = { requests: { a: [2], b: [3] }, ready: { '': [0] }, started: { '': [5] }, build: { '': [1] } }
    assert.deepEqual(merged([one, other]), {
      requests: { a: [3], b: [3] },
      ready: { '': [1] },
      started: { '': [5] },
      build: { '': [1] },
    })
    assert.deepEqual(lasting(one), { requests: { a: [1] } })
  })

  it('take no more memory than a thousand series each, whatever labels come', () => {
    const registry = new Registry()
    for (let name = 0; name < 2_000; name += 1) registry.at('statementSeconds', `s${name}`)[0] = 1
    assert.equal(Object.keys(registry.snapshot().statementSeconds ?? {}).length, 1_001)
  })

  it('have labels that are escaped', () => {
    const registry = new Registry()
    registry.set('build', 1, 'a"b\\c\nd', 'e')
    assert.match(exposition(registry.snapshot()), /muster_build_info\{version="a\\"b\\\\c\\nd",node="e"\} 1/)
  })
})

describe('docs/observability.md', () => {
  it('names every metric with its kind, labels and meaning, and no other', () => {
    const document = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8').replace(/ +/g, ' ')
    const rows = document.match(/^\| `(muster|process)_\w+` \|.*$/gm)
    const declared = all.map(
      ({ name, kind, labels, help }) =>
        `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    )
    assert.deepEqual(
      rows,
      declared.map((row) => row.replace(/ +/g, ' ')),
    )
  })
})

describe('deploy/observability', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../deploy/observability/${name}`, import.meta.url), 'utf8').replaceAll('\\"', '"')
  const byTarget = ['job', 'instance', 'le']

  /** The names of samples that a family has, and the labels on them. */
  const samplesOf = ({ name, kind, labels }: Family): [name: string, labels: readonly string[]][] =>
    (kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((end) => [`${name}${end}`, labels])

  for (const file of ['alerts.yaml', 'dashboard.json'])
    it(`${file} names only what the service exports, with labels that are there`, async () => {
      const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' })
      const { text } = await ask(await metricsAddress(service))
      await listening(service)
      await end(service)
      const exported = [...text.matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1])
      const known = new Map(all.filter(({ name }) => exported.includes(name)).flatMap(samplesOf))
      const used = [...read(file).matchAll(/\b((?:muster|process)_\w+)(?:\{([^}]*)\})?/g)]
      assert.ok(used.length > 9)
      for (const [, name = '', selector = ''] of used) {
        assert.ok(known.has(name), name)
        for (const [, label = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
          assert.ok(byTarget.includes(label) || known.get(name)?.includes(label), `${name} has no label ${label}`)
      }
    })

  it('alerts.yaml has an alert for every row of the document, and the document a row for every alert', () => {
    const document = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8')
    const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1])
    assert.deepEqual(names(document, /^\| `(Muster\w+)` \|/gm), names(read('alerts.yaml'), /- alert: (\w+)/g))
  })

  it('dashboard.json shows every metric there is', () => {
    const dashboard = read('dashboard.json')
    for (const { name } of all) assert.ok(dashboard.includes(name), name)
  })
})
