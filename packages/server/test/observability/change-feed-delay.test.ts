import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest, waitForStatus200 } from '../../../../tests/support/http.ts'
import type { InProcessServer } from '../../../../tests/support/in-process-server.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { readMetricsUrl, scrape, sumOfSeries } from '../../../../tests/support/scrape.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

describe('a change feed that an open transaction holds back', () => {
  let database: TestDatabase
  let service: InProcessServer
  let metricsUrl: string
  before(async () => {
    database = await createTestDatabase()
    service = await startInProcess({ ...database.env, MUSTER_METRICS_PORT: '0' })
    metricsUrl = await readMetricsUrl(service)
    await service.ready
    // Until the service has recorded the start of the server, it deletes the changes before it.
    await waitForStatus200(`${service.origin}/api/v1/changes`)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const waitForDelay = (title: string, isExpected: (seconds: number) => boolean) =>
    waitUntil(title, async () => isExpected(sumOfSeries(await scrape(metricsUrl), 'muster_changes_behind_seconds')))

  it('is shown by a metric, and the log names the session once', async () => {
    const writer = new pg.Client({ connectionString: database.url, application_name: 'nightly import' })
    await writer.connect()
    const { rows } = await writer.query(
      'select pg_backend_pid() as pid, current_user as role, current_database() as name',
    )
    await writer.query("begin; insert into departments (name) values ('open')")
    await database.execute(
      "insert into departments (name) values ('held back'); update muster_changes set at = now() - interval '10 minutes'",
    )
    await waitForDelay('the metric shows the delay', (seconds) => seconds > 590 && seconds < 700)
    const [{ pid, role, name }] = rows
    const sentence = new RegExp(
      `"level":40,[^\\n]*The change feed is 6\\d\\d s behind, because of the transaction of session ${pid} \\(application_name \\\\"nightly import\\\\"\\) of the role \\\\"${role}\\\\" in the database \\\\"${name}\\\\": later changes are shown when it ends\\.`,
    )
    await service.waitForOutput(sentence)
    await writer.query('commit')
    await writer.end()
    await waitForDelay('the metric is low again', (seconds) => seconds < 30)
    await service.waitForOutput(/"level":30,[^\n]*The change feed is up to date again\./)
    assert.equal(service.output.match(/The change feed is \d+ s behind/g)?.length, 1)
  })

  it('delays neither health checks nor cached responses while its delay is read', async () => {
    const list = `${service.origin}/api/v1/departments`
    for (let request = 0; request < 3; request += 1) await waitForStatus200(list)
    const isWaiting = async (): Promise<boolean> => {
      const rows = await database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%pg_prepared_xacts%'`,
      )
      return rows.length > 0
    }
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    await locker.query('begin; lock table muster_changes in access exclusive mode')
    const statuses = new Map<string, number>()
    try {
      await waitUntil('the statement waits', isWaiting)
      while (await isWaiting())
        for (const url of [list, `${service.origin}/readyz`]) {
          const { status } = await sendRequest(url)
          statuses.set(`${url} ${status}`, 1 + (statuses.get(`${url} ${status}`) ?? 0))
        }
    } finally {
      await locker.query('rollback')
      await locker.end()
    }
    assert.deepEqual([...statuses.keys()], [`${list} 200`, `${service.origin}/readyz 200`])
    assert.doesNotMatch(service.output, /The database does not respond/)
  })

  it('is reported in the log if its delay cannot be read, and the metric has no value then', async () => {
    const hasMetric = async (): Promise<boolean> => (await scrape(metricsUrl)).has('muster_changes_behind_seconds')
    await waitUntil('the delay is known', hasMetric)
    await database.execute('alter table muster_changes rename column at to renamed')
    await service.waitForOutput(
      /"level":40,[^\n]*The delay of the change feed is unknown: column \\"at\\" does not exist/,
    )
    assert.equal(await hasMetric(), false)
    const reported = service.output.length
    await database.execute('alter table muster_changes rename column renamed to at')
    await waitUntil('the feed is read again', async () =>
      /"level":30,[^\n]*The change feed is up to date again\./.test(service.output.slice(reported)),
    )
    assert.equal(await hasMetric(), true)
  })
})

it('a change feed whose delay is not read because all connections are busy is reported in the log', async () => {
  const database = await createTestDatabase()
  const service = await startInProcess({ ...database.env, MUSTER_POOL_SIZE: '1', MUSTER_CACHE_MB: '0' })
  await service.ready
  const locker = new pg.Client({ connectionString: database.url })
  await locker.connect()
  try {
    await locker.query('begin; lock table departments in access exclusive mode')
    const reported = service.waitForOutput(/"level":40,[^\n]*The delay of the change feed is unknown: /)
    let isWaiting = true
    const end = () => {
      isWaiting = false
    }
    void reported.then(end, end)
    while (isWaiting)
      await Promise.all(
        ['?limit=1', '?limit=2', '?limit=3'].map((query) =>
          sendRequest(`${service.origin}/api/v1/departments${query}`),
        ),
      )
    await reported
  } finally {
    await locker.query('rollback')
    await locker.end()
  }
  await service.waitForOutput(/"level":30,[^\n]*The change feed is up to date again\./)
  await service.stop()
  await database.drop()
})
