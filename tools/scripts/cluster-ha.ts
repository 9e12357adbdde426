/** Runs a deployment of Muster that fails over by itself on this machine until this process receives a signal. */
import { once } from 'node:events'
import { runMuster } from '../../tests/support/cluster/database.ts'
import { startHaCluster } from '../../tests/support/cluster/high-availability.ts'

const stopSignal = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
console.log('Starting. This takes about a minute.')
const cluster = await startHaCluster()
try {
  await runMuster(cluster.database, ['seed', '--size', 'small'])
  const { leader } = await cluster.patroni.waitUntilComplete()
  const entries = Object.entries({
    services: cluster.services.join(' '),
    metrics: cluster.metricsPorts.map((port) => `http://127.0.0.1:${port}/metrics`).join(' '),
    haproxy: `127.0.0.1:${cluster.patroni.primaryPort}`,
    ...Object.fromEntries(cluster.patroni.members.map(({ name, port }) => [name, `127.0.0.1:${port}`])),
    leader: leader.name,
    files: cluster.folder,
    token: await cluster.database.readSecret('api_token'),
  })
  console.log(`${entries.map(([name, value]) => `${name.padEnd(16)}${value}`).join('\n')}

patronictl -c ${cluster.folder}/db1/patroni.yml list
(set -a; . ${cluster.patroni.passwordFile}; patronictl -c ${cluster.folder}/db1/patroni.yml switchover)

Ready. Press Ctrl+C to stop.`)
  await stopSignal
} finally {
  await cluster.stop()
}
