/** A whole deployment on loopback: what is created through one front and process is seen through every other. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../../faults/wait.ts'
import { ask, post } from '../../service/test/support/http.ts'
import type { LocalCluster } from '../cluster/cluster.ts'
import { startCluster } from '../cluster/cluster.ts'

describe('the cluster', () => {
  let cluster: LocalCluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  const fronts = ['nginx', 'haproxy'] as const

  for (const front of fronts) {
    it(`lists through ${front}, from both processes the same`, async () => {
      // Twice as many as there are processes: both are asked.
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => ask(`${cluster.addresses[front]}/api/v1/employees?limit=3`)),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assert.equal(answers[0]?.json.data.length, 3)
    })

    it(`shows what was created through ${front} at once, everywhere`, async () => {
      const { addresses, token } = cluster
      const everywhere = [addresses.nginx, addresses.haproxy, ...addresses.services]
      const list = (place: string) => ask(`${place}/api/v1/organizations?limit=1`)
      for (let round = 0; round < 10; round += 1) {
        // Asked before, and twice, so that every process has an answer in memory that is about to be old.
        for (const place of addresses.services) await list(place)
        const before = (await Promise.all(everywhere.map(list))).map(({ json }) => json.meta.total)
        const created = await post(
          `${addresses[front]}/api/v1/organizations`,
          { name: 'Cluster', slug: `cluster-${front}-${round}` },
          { authorization: `Bearer ${token}` },
        )
        assert.equal(created.status, 201, created.text)
        const now = (await Promise.all(everywhere.map(list))).map(({ json }) => json.meta.total)
        assert.deepEqual(
          now,
          before.map((total) => total + 1),
        )
        for (const place of everywhere)
          assert.equal((await ask(`${place}/api/v1/organizations/${created.json.id}`)).text, created.text)
      }
    })
  }

  it('sends requests to both processes, through each front', async () => {
    for (const front of fronts) {
      const url = `${cluster.addresses[front]}/api/v1/jobs?limit=2&offset=${fronts.indexOf(front)}`
      for (let count = 0; count < 8; count += 1) assert.equal((await ask(url)).status, 200)
    }
    // Lines of the log are written in blocks.
    for (const name of ['direct', 'pooled'])
      await until(`${name} was asked`, async () =>
        (await readFile(join(cluster.folder, `${name}.log`), 'utf8')).includes('"route":"/api/v1/jobs"'),
      )
  })

  it('reads from the standby, through both processes', async () => {
    const { addresses } = cluster
    const readsOf = async (metrics: string): Promise<number> => {
      const { text } = await ask(metrics)
      return Number(/^muster_replica_reads_total\{[^}]*outcome="fresh"[^}]*\} (\d+)$/m.exec(text)?.[1])
    }
    for (const [index, metrics] of addresses.metrics.entries()) {
      let offset = 0
      await until('the standby has answered', async () => {
        offset += 1
        assert.equal((await ask(`${addresses.services[index]}/api/v1/candidates?limit=1&offset=${offset}`)).status, 200)
        return (await readsOf(metrics)) > 0
      })
    }
  })
})
