/**
 * A writer commits with synchronous_commit = off, and its backend is killed, so PostgreSQL restarts and loses the
 * commit. Afterwards no table version that clients have seen may stand for different data.
 */
import pg from 'pg'
import type { Mutation } from '../../mutations/mutation.ts'
import { crashBackend, withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import { isReady, openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { mutations } from '../mutations.ts'
import type { ClientCache } from '../pages.ts'
import { compareAllServices, pages, pollAllServices } from '../pages.ts'

const nameSql = 'select name from organizations where id = 1'

const loseCommits = async (environment: Environment, rounds: number, mutation?: Mutation): Promise<Outcome> => {
  // With these settings only synchronous commits flush the write-ahead log, so a crash loses asynchronous commits.
  const { url } = await environment.cluster(['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'])
  const startService = () => environment.service({ databaseUrl: url, mutation })
  const services = [await startService(), await startService()]
  const clients = services.map(({ origin }) => openClient(origin))
  const caches = clients.map((): ClientCache => new Map())
  const differences: string[] = []
  let lostCount = 0
  for (let round = 0; round < rounds; round += 1) {
    const writer = new pg.Client({ connectionString: url })
    writer.on('error', () => {})
    await writer.connect()
    const pid: number = (await writer.query('select pg_backend_pid() as pid')).rows[0].pid
    await writer.query('set synchronous_commit = off')
    await writer.query('update organizations set name = $1', [`lost ${round}`])
    const organizationPages = pages.filter(({ table }) => table === 'organizations')
    await pollAllServices(clients, caches, organizationPages)
    await crashBackend(url, pid)
    const nameAfterCrash = await withClient(
      url,
      async (client): Promise<string> => (await client.query(nameSql)).rows[0].name,
    )
    if (nameAfterCrash !== `lost ${round}`) lostCount += 1
    await withClient(url, (client) => client.query('update organizations set name = $1', [`kept ${round}`]))
    for (const client of clients) await waitUntil('the service is ready again', () => isReady(client))
    differences.push(...(await compareAllServices(clients, caches, url)))
  }
  for (const client of clients) client.close()
  return {
    ...emptyOutcome,
    faultCount: lostCount,
    staleCount: differences.length,
    violations: failedChecks([differences.length === 0, 'no stale reads', differences.slice(0, 3).join('; ')]),
    notes: [`${rounds} crashes, of which ${lostCount} lost a commit`],
  }
}

export const lostCommits: ChaosCase = {
  name: 'lost-commits',
  run: (environment) => loseCommits(environment, environment.size(20, 4)),
  control: {
    description: 'an epoch without the reset time of statistics',
    brokenGuarantee: 'no stale reads',
    run: (environment) => loseCommits(environment, 3, mutations.epochWithoutCrashes),
  },
}
