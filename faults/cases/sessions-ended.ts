/** Sessions ended by an administrator, all at once and under load: the service stays up, and nothing is lost. */
import { withClient } from '../cluster.ts'
import type { Fault } from '../fault.ts'
import { plants } from '../plants.ts'
import type { Scene } from '../under-load.ts'
import { underLoad } from '../under-load.ts'
import { until } from '../wait.ts'

/** Idle sessions are easily ended: waits for a moment in which one is at work. */
const endSessions = async ({ cluster }: Scene): Promise<void> => {
  await withClient(cluster.url, (client) =>
    until('a session is at work', async () => {
      const { rowCount } = await client.query(
        `with ours as (select pid, state from pg_stat_activity where application_name like 'muster%')
         select pg_terminate_backend(pid) from ours where exists (select from ours where state <> 'idle')`,
      )
      return rowCount !== 0
    }),
  )
}

export const sessionsEnded: Fault = {
  name: 'sessions-ended',
  run: (house) => underLoad(house, { times: house.size(10, 4), keys: true, besides: ['503'], strike: endSessions }),
  control: {
    about: 'no listeners on connections',
    breaks: 'stays up',
    run: (house) =>
      underLoad(house, {
        times: 4,
        keys: true,
        besides: ['503', 'none'],
        plant: plants.noErrorListeners,
        strike: endSessions,
      }),
  },
}
