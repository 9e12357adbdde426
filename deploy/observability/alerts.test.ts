/** Every alert fires on series captured from a service in trouble, and none on those of one that is not. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Cluster, Template } from '../../faults/cluster.ts'
import { cloneCluster, makeTemplate } from '../../faults/cluster.ts'
import { ask } from '../../service/test/support/http.ts'
import { metricsAddress } from '../../service/test/support/scrape.ts'
import { listening, serve, until } from '../../service/test/support/served.ts'
import { capture } from './capture.ts'
import type { Subject } from './conditions.ts'
import { calm, conditions } from './conditions.ts'
import { checkMetrics, rulesFile, testRules } from './promtool.ts'

/** As steps of 15 seconds: longer than any rule waits. */
const calmSteps = 12
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

  const start = async (settings: Record<string, string> = {}, args: readonly string[] = []): Promise<Subject> => {
    const service = serve({ DATABASE_URL: cluster.url, MUSTER_METRICS_PORT: '0', ...settings }, { args })
    const host = await listening(service)
    const subject = { service, cluster, host, metrics: await metricsAddress(service) }
    await until(`${host}/readyz`, 200)
    await calm(subject, 0)
    return subject
  }
  const stop = async ({ service }: Subject): Promise<void> => {
    service.signal('SIGTERM')
    await service.ended
  }

  it('are all of them raised by a condition below', () => {
    const rules = [...readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g)].map((match) => match[1])
    const raised = Object.values(conditions).flatMap(({ raises }) => raises)
    assert.deepEqual([...new Set(raised)].sort(), rules.sort())
  })

  it('keep silent while all is well', async () => {
    const subject = await start()
    const scrapes = await capture(subject.metrics, calmSteps * 2, (step) => calm(subject, step))
    await stop(subject)
    const { passed, said } = testRules(scrapes, [{ step: scrapes.length - 1, fires: undefined }])
    assert.ok(passed, said)
  })

  for (const [name, { raises, settings, args, begin, act, mend }] of Object.entries(conditions)) {
    it(`fire when ${name}: ${raises.join(', ')}`, async () => {
      const subject = await start(settings, args)
      try {
        const before = await capture(subject.metrics, calmSteps, (step) => calm(subject, step))
        await begin?.(subject)
        const during = await capture(subject.metrics, troubleSteps, (step) => act(subject, step))
        const scrapes = [...before, ...during]
        const { passed, said } = testRules(scrapes, [
          { step: calmSteps - 1, fires: undefined },
          ...raises.map((fires) => ({ step: scrapes.length - 1, fires })),
        ])
        assert.ok(passed, said)
      } finally {
        await stop(subject)
        await mend?.(subject)
      }
    })
  }

  it('are judged by a promtool that can say no', async () => {
    const subject = await start()
    const scrapes = await capture(subject.metrics, calmSteps, (step) => calm(subject, step))
    await stop(subject)
    assert.equal(testRules(scrapes, [{ step: calmSteps - 1, fires: 'MusterDown' }]).passed, false)
  })
})

describe('the exposition', () => {
  it('is what promtool takes for good', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_METRICS_PORT: '0' })
    const host = await listening(service)
    await ask(`${host}/api/v1/departments`)
    const { text } = await ask(await metricsAddress(service))
    service.signal('SIGTERM')
    await service.ended
    assert.deepEqual(checkMetrics(text), { passed: true, said: '' })
    assert.equal(checkMetrics(text.replaceAll('_total', '_sum')).passed, false)
  })
})
