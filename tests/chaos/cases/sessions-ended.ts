/** All database sessions are terminated at once under load: the service stays up and loses no acknowledged record. */
import { withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase } from '../chaos-case.ts'
import { mutations } from '../mutations.ts'
import type { FaultTarget } from '../under-load.ts'
import { injectUnderLoad } from '../under-load.ts'

/** Waits until at least one session is active, because terminating idle sessions tests little. */
const endSessions = async ({ cluster }: FaultTarget): Promise<void> => {
  await withClient(cluster.url, (client) =>
    waitUntil('a session is active', async () => {
      const { rowCount } = await client.query(
        `with ours as (select pid, state from pg_stat_activity where application_name like 'muster%')
         select pg_terminate_backend(pid) from ours where exists (select from ours where state <> 'idle')`,
      )
      return rowCount !== 0
    }),
  )
}

export const sessionsEnded: ChaosCase = {
  name: 'sessions-ended',
  run: (environment) =>
    injectUnderLoad(environment, {
      rounds: environment.size(10, 4),
      withKeys: true,
      allowedStatuses: ['503'],
      inject: endSessions,
    }),
  control: {
    description: 'no error listeners on connections',
    brokenGuarantee: 'stays up',
    run: (environment) =>
      injectUnderLoad(environment, {
        rounds: 4,
        withKeys: true,
        allowedStatuses: ['503', 'none'],
        mutation: mutations.noErrorListeners,
        inject: endSessions,
      }),
  },
}
