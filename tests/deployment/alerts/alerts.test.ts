/** Alerts are evaluated on metrics captured from a real service: each fires on its condition, none on normal load. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { sendRequest } from '../../support/http.ts'
import type { Cluster, Template } from '../../support/postgres-cluster.ts'
import { cloneCluster, makeTemplate } from '../../support/postgres-cluster.ts'
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

describe('alerts', () => {
  let template: Template
  let cluster: Cluster
  before(async () => {
    template = await makeTemplate()
    cluster = await cloneCluster(template)
  })
  after(async () => {
    await cluster.remove()
    await template.remove()
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
  const stopService = async ({ service }: TestSetup): Promise<void> => {
    service.signal('SIGTERM')
    await service.exitPromise
  }

  it('are all raised by at least one of the tested conditions', () => {
    const alertNames = [...readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g)].map((match) => match[1])
    const allRaisedAlerts = Object.values(conditions).flatMap(({ raisedAlerts }) => raisedAlerts)
    assert.deepEqual([...new Set(allRaisedAlerts)].sort(), alertNames.sort())
  })

  it('do not fire under normal load', async () => {
    const setup = await startService()
    const scrapes = await captureScrapes(setup.metricsUrl, normalSteps * 2, (step) => sendNormalLoad(setup, step))
    await stopService(setup)
    const { passed, output } = testRules(scrapes, [{ step: scrapes.length - 1, expectedAlert: undefined }])
    assert.ok(passed, output)
  })

  for (const [name, { raisedAlerts, settings, args, prepare, act, restore }] of Object.entries(conditions)) {
    it(`fire when ${name}: ${raisedAlerts.join(', ')}`, async () => {
      const setup = await startService(settings, args)
      try {
        const normalScrapes = await captureScrapes(setup.metricsUrl, normalSteps, (step) => sendNormalLoad(setup, step))
        await prepare?.(setup)
        const troubleScrapes = await captureScrapes(setup.metricsUrl, troubleSteps, (step) => act(setup, step))
        const scrapes = [...normalScrapes, ...troubleScrapes]
        const { passed, output } = testRules(scrapes, [
          { step: normalSteps - 1, expectedAlert: undefined },
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
