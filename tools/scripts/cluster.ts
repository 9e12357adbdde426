/** Runs a complete deployment of Muster on this machine until this process receives a signal. */
import { once } from 'node:events'
import { startCluster } from '../../tests/support/cluster/cluster.ts'

const stopSignal = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
const cluster = await startCluster()
const { services, metrics, ...otherUrls } = cluster.urls
const entries = Object.entries({
  ...otherUrls,
  service: services[0],
  'via PgBouncer': services[1],
  metrics: metrics.join(' '),
  files: cluster.folder,
})
console.log(`${entries.map(([name, value]) => `${name.padEnd(16)}${value}`).join('\n')}
token           ${cluster.token}

Ready. Press Ctrl+C to stop.`)
await stopSignal
await cluster.stop()
