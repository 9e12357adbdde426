/** compose.yaml, brought up with podman-compose: two services behind nginx, PostgreSQL with a standby, and Redis. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Compose } from '../../support/containers/compose.ts'
import { startCompose } from '../../support/containers/compose.ts'
import { podman } from '../../support/containers/podman.ts'
import { post, sendRequest, waitForStatus200 } from '../../support/http.ts'
import { waitUntil } from '../../support/wait.ts'

const run = promisify(execFile)

/** nginx refuses these requests in its own format, and removes X-Accel-Buffering, which is meant for it. */
const testsThatNginxAnswers = [
  'an event stream sends the change of a create, and its id is the cursor after it',
  'a request with no HTTP at all is a bad request',
  'a request with a header line without a colon is a bad request',
  'a request with a length that is no number is a bad request',
  'a request with both a length and chunks is a bad request',
  'a request with two different lengths is a bad request',
  'headers beyond every measure are refused for their size',
  'TRACE on a known path is not allowed',
  'item_id "\\\\u0000" of 1 characters is not found',
  'item_id "1\\\\u0000" of 2 characters is not found',
  'a create with two Authorization headers is refused, even if both are right',
]

describe('the containers of compose.yaml', () => {
  let compose: Compose
  before(async () => {
    compose = await startCompose()
  })
  after(() => compose?.down())

  const createOrganization = (slug: string) =>
    post(
      `${compose.url}/api/v1/organizations`,
      { name: 'Compose', slug },
      { authorization: `Bearer ${compose.apiToken}`, 'idempotency-key': slug },
    )
  const readLog = (service: string, number = 1): Promise<string> => podman('logs', compose.container(service, number))
  afterEach(async (t) => {
    if ((t as TestContext).passed) return
    for (const service of ['muster', 'primary', 'standby', 'proxy'])
      t.diagnostic(`the log of ${service} ends with:\n${(await readLog(service)).split('\n').slice(-20).join('\n')}`)
  })
  const countReads = async (number: number): Promise<number> =>
    (await readLog('muster', number)).split('"route":"/api/v1/organizations"').length - 1
  const waitUntilBothServe = (): Promise<number> =>
    waitUntil('nginx uses both services', async () => {
      const before = await Promise.all([countReads(1), countReads(2)])
      for (let count = 0; count < 8; count += 1)
        await sendRequest(`${compose.url}/api/v1/organizations?offset=${count}`)
      const after = await Promise.all([countReads(1), countReads(2)])
      return after.every((reads, index) => reads > (before[index] as number))
    })

  const recreate = async (...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) {
      await podman('stop', '--time=15', compose.container('muster', number))
      await podman('rm', compose.container('muster', number))
    }
    await compose.run('up', '--detach', '--no-build', 'muster')
  }

  it('create a record, and read it through both services', async () => {
    const { status, text, json } = await createOrganization('first')
    assert.equal(status, 201, text)
    await waitUntilBothServe()
    assert.equal((await sendRequest(`${compose.url}/api/v1/organizations/${json.id}`)).json.name, 'Compose')
  })

  it('log requests without the values of their parameters', async () => {
    await sendRequest(`${compose.url}/api/v1/organizations?q=confidential`)
    assert.match(await readLog('proxy'), / "GET \/api\/v1\/organizations" 200 /)
    const logs = [await readLog('proxy'), await readLog('muster', 1), await readLog('muster', 2)]
    assert.doesNotMatch(logs.join(), /confidential/)
  })

  it('read from the standby', async () => {
    const readMetrics = () =>
      podman(
        'exec',
        compose.container('muster'),
        'node',
        '-e',
        'fetch("http://127.0.0.1:9464/metrics").then(async (response) => console.log(await response.text()))',
      )
    let offset = 0
    await waitUntil('the standby has served a read', async () => {
      offset += 1
      await sendRequest(`${compose.url}/api/v1/employees?offset=${offset}`)
      return /^muster_replica_reads_total\{[^}]*outcome="fresh"[^}]*\} [1-9]/m.test(await readMetrics())
    })
  })

  it('count wrong tokens of all services together, in Redis', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1) {
      const headers = { authorization: 'Bearer wrong' }
      statuses.push((await post(`${compose.url}/api/v1/organizations`, {}, headers)).status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 60 }, () => 401), 429, 429])
    const keys = await podman('exec', compose.container('redis'), 'redis-cli', '--raw', 'dbsize')
    assert.notEqual(keys, '0')
  })

  it('fail no request after a retry while a service is recreated, and then use the new container', async (t) => {
    const results = { sent: 0, retried: 0, failed: 0 }
    let isRecreated = false
    const sendRequests = async (client: number): Promise<void> => {
      while (!isRecreated || results.sent < 1_000) {
        const number = results.sent
        results.sent += 1
        const slug = `recreated-${client}-${number}`
        const send = () =>
          number % 10 === 0
            ? createOrganization(slug)
            : sendRequest(`${compose.url}/api/v1/organizations?limit=5&offset=${number % 50}`)
        let isServed = await succeeds(send)
        if (!isServed) results.retried += 1
        for (let attempt = 0; attempt < 5 && !isServed; attempt += 1) {
          await pause(100 * 2 ** attempt)
          isServed = await succeeds(send)
        }
        if (!isServed) results.failed += 1
      }
    }
    const recreateOne = async (): Promise<void> => {
      try {
        await recreate(2)
        await waitUntilBothServe()
      } finally {
        isRecreated = true
      }
    }
    await Promise.all([recreateOne(), ...[1, 2, 3, 4].map(sendRequests)])
    t.diagnostic(`requests: ${results.sent}, retried: ${results.retried}, failed after retries: ${results.failed}`)
    assert.equal(results.failed, 0)
    assert.ok(results.sent >= 1_000)
  })

  const passAcceptanceSuite = async (t: TestContext): Promise<void> => {
    const file = join(compose.folder, 'compose.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace('MUSTER_READS: redacted', 'MUSTER_READS: public').replace(/MUSTER_RATE_LIMIT\w+: .*/, ''),
    )
    await recreate(1, 2)
    await waitForStatus200(`${compose.url}/readyz`)
    const env = { PATH: process.env.PATH, BASE_URL: `${compose.url}/api`, MUSTER_API_TOKEN: compose.apiToken }
    const args = ['--test', '--test-reporter=tap', 'tests/acceptance/**/*.test.ts']
    const { stdout } = await run(process.execPath, args, { env, maxBuffer: 2 ** 26 }).catch((error) => error)
    const passed = Number(/^# pass (\d+)$/m.exec(stdout)?.[1])
    const failed = [...stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(([, name]) => name)
    t.diagnostic(`acceptance suite: ${passed} passed, ${failed.length} got a response of nginx itself`)
    assert.ok(passed > 1_900)
    assert.deepEqual(failed.sort(), [...testsThatNginxAnswers].sort())
  }
  // Takes minutes, so CI leaves it out.
  if (process.env.CONTAINER_TESTS === 'long')
    it('pass the acceptance suite, which needs public reads and no rate limits', passAcceptanceSuite)
})

const succeeds = (send: () => Promise<{ readonly status: number }>): Promise<boolean> =>
  send().then(
    ({ status }) => status < 300,
    () => false,
  )
