/**
 * Measures how much load one replica takes off the primary: it measures the same reads without and with a replica,
 * alternately.
 */
import { parseArgs } from 'node:util'
import { freePort } from '@muster/demo-data/embedded-postgres'
import type { Cluster } from '../../tests/support/postgres-cluster.ts'
import { cloneCluster, cloneStandby, makeTemplate } from '../../tests/support/postgres-cluster.ts'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { waitUntil } from '../../tests/support/wait.ts'
import { readCpuSecondsWithChildren } from './cpu-time.ts'
import { Databases, singleWord } from './data.ts'
import { apiPath, fewConnections, manyConnections } from './measurement.ts'
import { startService } from './service-process.ts'
import { searchPath, uniqueItemPath, uniqueListPathBetween } from './urls.ts'
import type { LoadOptions } from './wrk.ts'
import { runWrk } from './wrk.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
  },
})
const [rows, seconds] = [Number(values.rows), Number(values.seconds)]

/** Kinds of measured requests. Each URL is requested only once, so that no response comes from the cache. */
const requestKinds: Readonly<Record<string, Pick<LoadOptions, 'path' | 'connections'>>> = {
  'one record': { path: apiPath + uniqueItemPath('candidates', rows), connections: manyConnections },
  'a page': { path: apiPath + uniqueListPathBetween('candidates', 0, rows - 100), connections: manyConnections },
  'a search': { path: apiPath + searchPath('candidates', singleWord), connections: fewConnections },
}

interface Measurement {
  readonly rate: number
  /** CPU microseconds of the primary database server per response. */
  readonly primaryMicros: number
  readonly standbyMicros: number
}

const measure = async (
  service: ServerProcess,
  request: Pick<LoadOptions, 'path' | 'connections'>,
  servers: readonly Cluster[],
): Promise<Measurement> => {
  await runWrk(service.origin, { ...request, warmUp: 0, seconds: 2 })
  const readCpuTimes = () => Promise.all(servers.map(({ pid }) => readCpuSecondsWithChildren(pid as number)))
  const before = await readCpuTimes()
  const { rate, requests, failed } = await runWrk(service.origin, { ...request, warmUp: 0, seconds })
  const after = await readCpuTimes()
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`)
  const [primary = 0, standby = 0] = after.map((time, server) => ((time - (before[server] as number)) * 1e6) / requests)
  return { rate, primaryMicros: primary, standbyMicros: standby }
}

const fetchMetrics = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

const template = await makeTemplate()
const primary = await cloneCluster(template, ['shared_buffers=256MB'])
const metricsPort = await freePort()
const services: ServerProcess[] = []
let standby: Cluster | undefined
try {
  const url = await new Databases(primary.url).candidates(rows)
  standby = await cloneStandby(primary, primary.port)
  const replicaUrl = Object.assign(new URL(url), { port: String(standby.port) }).href
  const serviceWithoutReplica = await startService(url)
  services.push(serviceWithoutReplica)
  const serviceWithReplica = await startService(url, undefined, {
    DATABASE_REPLICA_URLS: replicaUrl,
    MUSTER_METRICS_PORT: String(metricsPort),
  })
  services.push(serviceWithReplica)
  await waitUntil('the replica is in use', async () =>
    /^muster_replica_fit\{.*\} 1$/m.test(await fetchMetrics(metricsPort)),
  )
  console.log(`${rows} candidates, ${seconds} s each\n`)
  console.log(
    '| Request | no replica: per second | no replica: primary, µs | one replica: per second | one replica: primary, µs | one replica: replica, µs | work left on the primary |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, request] of Object.entries(requestKinds)) {
    const figuresWithoutReplica = await measure(serviceWithoutReplica, request, [primary, standby])
    const figuresWithReplica = await measure(serviceWithReplica, request, [primary, standby])
    const cells = [
      figuresWithoutReplica.rate,
      figuresWithoutReplica.primaryMicros,
      figuresWithReplica.rate,
      figuresWithReplica.primaryMicros,
      figuresWithReplica.standbyMicros,
    ].map((n) => Math.round(n))
    console.log(
      `| ${[name, ...cells, `${Math.round((100 * figuresWithReplica.primaryMicros) / figuresWithoutReplica.primaryMicros)} %`].join(' | ')} |`,
    )
  }
  const counters = (await fetchMetrics(metricsPort)).match(/^muster_replica_reads_total.*$/gm) ?? []
  console.log(`\n${counters.join('\n')}`)
} finally {
  for (const service of services) await service.stop()
  await standby?.remove()
  await primary.remove()
  await template.remove()
}
