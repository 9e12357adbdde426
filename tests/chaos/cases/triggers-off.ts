/**
 * Rows change while triggers are off: services become not ready, and after a repair they use no older cached response.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Mutation } from '../../mutations/mutation.ts'
import { mutationEnv } from '../../mutations/mutation.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import { isReady, openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { mutations } from '../mutations.ts'
import type { ClientCache } from '../pages.ts'
import { compareAllServices, pages, pollAllServices } from '../pages.ts'

/**
 * Statements that update rows while triggers are off. An update changes no row count, so only the table version could
 * reveal it. The last statement leaves the triggers as they were, so no check can detect that they were off.
 */
const updateStatements = [
  'alter table organizations disable trigger all; update organizations set name = $name; alter table organizations enable trigger all',
  'drop trigger muster_counts_update on organizations; update organizations set name = $name',
  'alter table organizations disable trigger muster_counts_update; update organizations set name = $name; alter table organizations enable always trigger muster_counts_update',
]

const repairDatabase = (url: string, mutation: Mutation | undefined) =>
  promisify(execFile)(process.execPath, ['packages/server/bin/muster.js', 'doctor', '--repair'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, ...mutationEnv(mutation) },
  })

const changeWithTriggersOff = async (
  environment: Environment,
  rounds: number,
  mutation?: Mutation,
): Promise<Outcome> => {
  const { url } = await environment.cluster()
  const startService = () => environment.service({ databaseUrl: url })
  const services = [await startService(), await startService()]
  const clients = services.map(({ origin }) => openClient(origin))
  const caches = clients.map((): ClientCache => new Map())
  const differences: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await pollAllServices(clients, caches)
    const statement = updateStatements[round % updateStatements.length] as string
    await withClient(url, (client) => client.query(statement.replace('$name', `'unseen ${round}'`)))
    if (!statement.includes('always'))
      for (const client of clients) await waitUntil('the service is not ready', async () => !(await isReady(client)))
    await repairDatabase(url, mutation)
    for (const client of clients) await waitUntil('the service is ready again', () => isReady(client))
    differences.push(...(await compareAllServices(clients, caches, url)))
  }
  for (const client of clients) client.close()
  return {
    ...emptyOutcome,
    faultCount: rounds,
    staleCount: differences.length,
    violations: failedChecks([differences.length === 0, 'no stale reads', differences.slice(0, 3).join('; ')]),
    notes: [`${rounds} times, ${pages.length} pages compared through two services after each repair`],
  }
}

export const triggersOff: ChaosCase = {
  name: 'triggers-off',
  run: (environment) => changeWithTriggersOff(environment, environment.size(12, 3)),
  control: {
    description: 'a repair that keeps the epoch',
    brokenGuarantee: 'no stale reads',
    run: (environment) => changeWithTriggersOff(environment, 1, mutations.epochKept),
  },
}
