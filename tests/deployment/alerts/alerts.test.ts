/** Alerts are evaluated on metrics captured from a real service: each fires on its condition, none on normal load. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sendRequest } from '../../support/http.ts'
import type { Cluster, Template } from '../../support/postgres-cluster.ts'
import { cloneCluster, makeTemplate } from '../../support/postgres-cluster.ts'
import { runCommand } from '../../support/process.ts'
import { readMetricsUrl } from '../../support/scrape.ts'
import { serve, serviceOrigin, waitForStatus } from '../../support/served.ts'
import { captureScrapes } from './capture.ts'
import type { TestSetup } from './conditions.ts'
import { conditions, sendNormalLoad } from './conditions.ts'
import { checkMetrics, rulesFile, testRules } from './promtool.ts'

/**
 * A step lasts 15 seconds in promtool. The period of normal load and the period of trouble are both longer than any
 * `for` in the alert rules.
 */
const normalSteps = 12
const troubleSteps = 14

/** A busy machine blocks the event loop of a healthy service too. */
const alertOfBusyMachine = 'MusterEventLoopBlocked'
const maxAttempts = 3

describe('alerts', () => {
  let template: Template
  let cluster: Cluster
  let receiver: Server | undefined
  const folder = mkdtempSync(join(tmpdir(), 'muster-alerts-'))
  before(async () => {
    template = await makeTemplate()
    cluster = await cloneCluster(template)
  })
  after(async () => {
    await cluster.remove()
    await template.remove()
    rmSync(folder, { recursive: true })
  })

  const startService = async (
    settings: Record<string, string> = {},
    args: readonly string[] = [],
  ): Promise<TestSetup> => {
    const service = serve({ DATABASE_URL: cluster.url, MUSTER_METRICS_PORT: '0', ...settings }, { args })
    const origin = await serviceOrigin(service)
    const setup = { service, cluster, origin, metricsUrl: await readMetricsUrl(service) }
    await waitForStatus(`${origin}/readyz`, 200)
    await sendNormalLoad(setup, 0)
    return setup
  }
  /** Delivers webhooks to a receiver that responds 410 to every message. */
  const startWebhooks = async (): Promise<TestSetup> => {
    const setup = await startService()
    receiver = createServer((_request, response) => response.writeHead(410).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const file = join(folder, 'webhooks.json')
    const endpoints = [{ name: 'late', url: `http://127.0.0.1:${port}/`, secret_file: 'secret' }]
    writeFileSync(join(folder, 'secret'), `whsec_${randomBytes(32).toString('base64')}`)
    writeFileSync(file, JSON.stringify({ endpoints }))
    const env = { DATABASE_URL: cluster.url, MUSTER_METRICS_PORT: '0', MUSTER_WEBHOOKS_FILE: file }
    const webhooks = runCommand('muster.ts', ['webhooks'], env)
    await webhooks.waitForOutput(/Delivering webhooks to 1 endpoint/)
    return { ...setup, webhooks, metricsUrl: await readMetricsUrl(webhooks) }
  }
  const stopService = async ({ service, webhooks }: TestSetup): Promise<void> => {
    for (const command of [service, webhooks]) command?.signal('SIGTERM')
    await Promise.all([service.exitPromise, webhooks?.exitPromise])
    receiver?.close()
  }

  it('are all raised by at least one of the tested conditions', () => {
    const alertNames = [...readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g)].map((match) => match[1])
    const allRaisedAlerts = Object.values(conditions).flatMap(({ raisedAlerts }) => raisedAlerts)
    assert.deepEqual([...new Set(allRaisedAlerts)].sort(), alertNames.sort())
  })

  it('do not fire under normal load', async () => {
    const setup = await startService()
    let result = { passed: false, output: '' }
    try {
      for (let attempt = 1; attempt <= maxAttempts && !result.passed; attempt += 1) {
        const scrapes = await captureScrapes(setup.metricsUrl, normalSteps * 2, (step) => sendNormalLoad(setup, step))
        const step = scrapes.length - 1
        result = testRules(scrapes, [{ step, expectedAlert: undefined }])
        if (result.passed) continue
        const others = testRules(scrapes, [{ step, expectedAlert: undefined, ignoredAlert: alertOfBusyMachine }])
        assert.ok(others.passed, others.output)
      }
    } finally {
      await stopService(setup)
    }
    assert.ok(result.passed, result.output)
  })

  for (const [name, { raisedAlerts, settings, args, ofWebhooks, prepare, act, restore }] of Object.entries(
    conditions,
  )) {
    it(`fire when ${name}: ${raisedAlerts.join(', ')}`, async () => {
      const setup = ofWebhooks ? await startWebhooks() : await startService(settings, args)
      try {
        const normalScrapes = await captureScrapes(setup.metricsUrl, normalSteps, (step) => sendNormalLoad(setup, step))
        await prepare?.(setup)
        const troubleScrapes = await captureScrapes(setup.metricsUrl, troubleSteps, (step) => act(setup, step))
        const scrapes = [...normalScrapes, ...troubleScrapes]
        const { passed, output } = testRules(scrapes, [
          { step: normalSteps - 1, expectedAlert: undefined, ignoredAlert: alertOfBusyMachine },
          ...raisedAlerts.map((expectedAlert) => ({ step: scrapes.length - 1, expectedAlert })),
        ])
        assert.ok(passed, output)
      } finally {
        await stopService(setup)
        await restore?.(setup)
      }
    })
  }

  it('that are expected but do not fire make the promtool test fail', async () => {
    const setup = await startService()
    const scrapes = await captureScrapes(setup.metricsUrl, normalSteps, (step) => sendNormalLoad(setup, step))
    await stopService(setup)
    assert.equal(testRules(scrapes, [{ step: normalSteps - 1, expectedAlert: 'MusterDown' }]).passed, false)
  })
})

describe('the metrics text', () => {
  it('passes promtool check metrics', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' })
    const origin = await serviceOrigin(service)
    await sendRequest(`${origin}/api/v1/departments`)
    const { text } = await sendRequest(await readMetricsUrl(service))
    service.signal('SIGTERM')
    await service.exitPromise
    assert.deepEqual(checkMetrics(text), { passed: true, output: '' })
    assert.equal(checkMetrics(text.replaceAll('_total', '_sum')).passed, false)
  })
})
