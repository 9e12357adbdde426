/** A whole deployment on one machine: a record created through one proxy and process is visible through all others. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { LocalCluster } from '../support/cluster/cluster.ts'
import { startCluster } from '../support/cluster/cluster.ts'
import { post, sendRequest } from '../support/http.ts'
import { waitUntil } from '../support/wait.ts'

describe('the cluster', () => {
  let cluster: LocalCluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.stop())

  const proxies = ['nginx', 'haproxy'] as const

  for (const proxy of proxies) {
    it(`returns the same list from both processes through ${proxy}`, async () => {
      // Four requests for two processes, so that the proxy uses both.
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => sendRequest(`${cluster.urls[proxy]}/api/v1/employees?limit=3`)),
      )
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
      assert.equal(responses[0]?.json.data.length, 3)
    })

    it(`shows a record created through ${proxy} immediately through every proxy and process`, async () => {
      const { urls, token } = cluster
      const allUrls = [urls.nginx, urls.haproxy, ...urls.services]
      const listOrganizations = (url: string) => sendRequest(`${url}/api/v1/organizations?limit=1`)
      for (let round = 0; round < 10; round += 1) {
        // Every process gets the request twice, so that it has a cached response when the write makes that response
        // stale.
        for (const url of urls.services) await listOrganizations(url)
        const totalsBefore = (await Promise.all(allUrls.map(listOrganizations))).map(({ json }) => json.meta.total)
        const createResponse = await post(
          `${urls[proxy]}/api/v1/organizations`,
          { name: 'Cluster', slug: `cluster-${proxy}-${round}` },
          { authorization: `Bearer ${token}` },
        )
        assert.equal(createResponse.status, 201, createResponse.text)
        const totalsAfter = (await Promise.all(allUrls.map(listOrganizations))).map(({ json }) => json.meta.total)
        assert.deepEqual(
          totalsAfter,
          totalsBefore.map((total) => total + 1),
        )
        for (const url of allUrls)
          assert.equal(
            (await sendRequest(`${url}/api/v1/organizations/${createResponse.json.id}`)).text,
            createResponse.text,
          )
      }
    })
  }

  it('has proxies that distribute requests to both processes', async () => {
    for (const proxy of proxies) {
      const url = `${cluster.urls[proxy]}/api/v1/jobs?limit=2&offset=${proxies.indexOf(proxy)}`
      for (let count = 0; count < 8; count += 1) assert.equal((await sendRequest(url)).status, 200)
    }
    // The processes buffer their logs, so a line may appear later.
    for (const name of ['direct', 'pooled'])
      await waitUntil(`the log of process "${name}" contains a request`, async () =>
        (await readFile(join(cluster.folder, `${name}.log`), 'utf8')).includes('"route":"/api/v1/jobs"'),
      )
  })

  it('reads from the standby in both processes', async () => {
    const { urls } = cluster
    const countFreshReplicaReads = async (metricsUrl: string): Promise<number> => {
      const { text } = await sendRequest(metricsUrl)
      return Number(/^muster_replica_reads_total\{[^}]*outcome="fresh"[^}]*\} (\d+)$/m.exec(text)?.[1])
    }
    for (const [index, metricsUrl] of urls.metrics.entries()) {
      let offset = 0
      await waitUntil('the standby has served a read', async () => {
        offset += 1
        assert.equal(
          (await sendRequest(`${urls.services[index]}/api/v1/candidates?limit=1&offset=${offset}`)).status,
          200,
        )
        return (await countFreshReplicaReads(metricsUrl)) > 0
      })
    }
  })
})
