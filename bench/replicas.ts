/** In charge of measuring what a replica takes off the primary: the same reads without and with one, by turns in one run. */
import { parseArgs } from 'node:util'
import { familyTime } from '../deploy/capacity/processor-time.ts'
import type { Cluster } from '../faults/cluster.ts'
import { cloneCluster, cloneStandby, makeTemplate } from '../faults/cluster.ts'
import { until } from '../faults/wait.ts'
import { freePort } from '../scripts/free-port.ts'
import { freshItem, freshListAt, search } from './addresses.ts'
import type { ServerProcess } from './child-server.ts'
import { Databases, singleWord } from './data.ts'
import { api, fewConnections, manyConnections } from './measurement.ts'
import { startService } from './service-process.ts'
import type { Load } from './wrk.ts'
import { load } from './wrk.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
  },
})
const [rows, seconds] = [Number(values.rows), Number(values.seconds)]

/** Every address is new, so that none is answered from memory. */
const kinds: Readonly<Record<string, Pick<Load, 'path' | 'connections'>>> = {
  'one record': { path: api + freshItem('candidates', rows), connections: manyConnections },
  'a page': { path: api + freshListAt('candidates', 0, rows - 100), connections: manyConnections },
  'a search': { path: api + search('candidates', singleWord), connections: fewConnections },
}

interface Measured {
  readonly rate: number
  /** Microseconds of processor time for each answer. */
  readonly primary: number
  readonly standby: number
}

const measure = async (
  service: ServerProcess,
  request: Pick<Load, 'path' | 'connections'>,
  servers: readonly Cluster[],
): Promise<Measured> => {
  await load(service.origin, { ...request, warmUp: 0, seconds: 2 })
  const clock = () => Promise.all(servers.map(({ pid }) => familyTime(pid as number)))
  const before = await clock()
  const { rate, requests, failed } = await load(service.origin, { ...request, warmUp: 0, seconds })
  const after = await clock()
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`)
  const [primary = 0, standby = 0] = after.map((time, server) => ((time - (before[server] as number)) * 1e6) / requests)
  return { rate, primary, standby }
}

const metricsOf = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

const template = await makeTemplate()
const primary = await cloneCluster(template, ['shared_buffers=256MB'])
const metricsPort = await freePort()
const services: ServerProcess[] = []
let standby: Cluster | undefined
try {
  const url = await new Databases(primary.url).people(rows)
  standby = await cloneStandby(primary, primary.port)
  const replica = Object.assign(new URL(url), { port: String(standby.port) }).href
  const alone = await startService(url)
  services.push(alone)
  const helped = await startService(url, undefined, {
    DATABASE_REPLICA_URLS: replica,
    MUSTER_METRICS_PORT: String(metricsPort),
  })
  services.push(helped)
  await until('the replica is asked', async () => /^muster_replica_fit\{.*\} 1$/m.test(await metricsOf(metricsPort)))
  console.log(`${rows} candidates, ${seconds} s each\n`)
  console.log(
    '| Reads | without: a second | µs of the primary | with one replica: a second | µs of the primary | µs of the replica | work left on the primary |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, request] of Object.entries(kinds)) {
    const without = await measure(alone, request, [primary, standby])
    const together = await measure(helped, request, [primary, standby])
    const cells = [without.rate, without.primary, together.rate, together.primary, together.standby].map((n) =>
      Math.round(n),
    )
    console.log(`| ${[name, ...cells, `${Math.round((100 * together.primary) / without.primary)} %`].join(' | ')} |`)
  }
  const told = (await metricsOf(metricsPort)).match(/^muster_replica_reads_total.*$/gm) ?? []
  console.log(`\n${told.join('\n')}`)
} finally {
  for (const service of services) await service.stop()
  await standby?.remove()
  await primary.remove()
  await template.remove()
}
