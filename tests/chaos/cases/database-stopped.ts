/**
 * All processes of the database server are stopped with SIGSTOP: the service still responds to every request in time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { failedChecks } from '../chaos-case.ts'
import { openClient } from '../client.ts'
import { createsWithoutUniqueField, markerOf } from '../creates.ts'
import type { Environment } from '../environment.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import { mutations } from '../mutations.ts'
import { startWriters } from '../writers.ts'

const writerCount = 32

const runWithStoppedDatabase = async (environment: Environment, mutation?: Mutation): Promise<Outcome> => {
  // A run with --short may share the machine with other programs, so it gets more time.
  const maxResponseMs = environment.size(8_500, 11_000)
  const maxRecoveryMs = environment.size(2_000, 6_000)
  const cluster = await environment.cluster()
  const { origin } = await environment.service({ databaseUrl: cluster.url, mutation })
  const client = openClient(origin, writerCount)
  const reader = openClient(origin)
  const history = openHistory()
  const writers = startWriters({ client, history, count: writerCount, withKeys: true })
  environment.addCleanup(() => writers.stop())
  await waitUntil('the writers have started', async () => writers.createsStarted > 2 * writerCount)
  await cluster.signal('SIGSTOP')
  let slowestReadMs = 0
  const readers = Array.from({ length: 8 }, async (_, readerIndex) => {
    const { ms } = await reader.send(`/api/v1/leave?limit=1&offset=${readerIndex}`)
    slowestReadMs = Math.max(slowestReadMs, ms)
  })
  await pause(environment.size(12_000, 13_500))
  await cluster.signal('SIGCONT')
  // Without a unique field, a create whose response was lost is not rejected when it is repeated.
  const [create] = createsWithoutUniqueField
  const recoveryMs = await waitUntil('a create is acknowledged again', async () => {
    const response = await reader.send(`/api/v1/${create?.route}`, {
      method: 'POST',
      body: create?.body(markerOf('again')),
    })
    if (response.status !== 201) return false
    history.addAttempt({
      route: create?.route ?? '',
      marker: markerOf('again'),
      startMs: 0,
      endMs: 0,
      status: 201,
      id: JSON.parse(response.text).id,
    })
    return true
  })
  await Promise.all(readers)
  await writers.stop()
  client.close()
  reader.close()
  const outcome = await checkHistory(history, cluster.url, { faultCount: 1, allowedStatuses: ['503'] })
  const slowestMs = Math.max(outcome.slowestMs, slowestReadMs)
  return {
    ...outcome,
    slowestMs,
    // Proves that the database was stopped: at least one request had to wait for it.
    faultCount: outcome.slowestMs > 400 ? 1 : 0,
    violations: [
      ...outcome.violations,
      ...failedChecks(
        [slowestMs <= maxResponseMs, 'in time', `a response took ${Math.round(slowestMs)} ms`],
        [recoveryMs <= maxRecoveryMs, 'in time', `the first create took ${Math.round(recoveryMs)} ms`],
      ),
    ],
    notes: [...outcome.notes, `first create acknowledged ${Math.round(recoveryMs)} ms after it continued`],
  }
}

export const databaseStopped: ChaosCase = {
  name: 'database-stopped',
  runsBesideControl: true,
  run: (environment) => runWithStoppedDatabase(environment),
  control: {
    description: 'no statement timeout',
    brokenGuarantee: 'in time',
    run: (environment) => runWithStoppedDatabase(environment, mutations.noStatementLimit),
  },
}
