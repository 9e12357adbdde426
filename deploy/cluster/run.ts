/** In charge of the command that runs a deployment on this machine until it is asked to end. */
import { once } from 'node:events'
import { startCluster } from './cluster.ts'

const asked = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
const cluster = await startCluster()
const { services, metrics, ...others } = cluster.addresses
const lines = Object.entries({
  ...others,
  service: services[0],
  'service, pooled': services[1],
  metrics: metrics.join(' '),
  files: cluster.folder,
})
console.log(`${lines.map(([name, address]) => `${name.padEnd(16)}${address}`).join('\n')}
token           ${cluster.token}

Ready. Ctrl-C ends all of it.`)
await asked
await cluster.stop()
