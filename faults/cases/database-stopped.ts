/** A database that hangs: every process of it stands still, and every answer comes in time all the same. */
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '../client.ts'
import { creates, markOf } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { unless } from '../fault.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { until } from '../wait.ts'
import { startWriters } from '../writers.ts'

const longestAnswerMs = 8_500
const longestRecoveryMs = 2_000
const writerCount = 32

const whileStopped = async (house: House, plant?: Plant): Promise<Outcome> => {
  const cluster = await house.cluster()
  const { origin } = await house.service({ databaseUrl: cluster.url, plant })
  const client = openClient(origin, writerCount)
  const reader = openClient(origin)
  const history = openHistory()
  const writers = startWriters({ client, history, count: writerCount, keys: true })
  house.afterwards(() => writers.stop())
  await until('something was written', async () => writers.begun > 2 * writerCount)
  await cluster.signal('SIGSTOP')
  let slowestReadMs = 0
  const reads = Array.from({ length: 8 }, async (_, number) => {
    const { ms } = await reader.ask(`/api/v1/leave?limit=1&offset=${number}`)
    slowestReadMs = Math.max(slowestReadMs, ms)
  })
  await pause(house.size(12_000, 9_500))
  await cluster.signal('SIGCONT')
  const [create] = creates
  const recoveryMs = await until('a create is acknowledged again', async () => {
    const answer = await reader.ask(`/api/v1/${create?.route}`, { method: 'POST', body: create?.body(markOf('again')) })
    if (answer.status !== 201) return false
    history.attempted({
      route: create?.route ?? '',
      mark: markOf('again'),
      start: 0,
      end: 0,
      status: 201,
      id: JSON.parse(answer.text).id,
    })
    return true
  })
  await Promise.all(reads)
  await writers.stop()
  client.close()
  reader.close()
  const outcome = await judgeHistory(history, cluster.url, { fired: 1, besides: ['503'] })
  const slowestMs = Math.max(outcome.slowestMs, slowestReadMs)
  return {
    ...outcome,
    slowestMs,
    // Answers that waited for the database prove that it stood still.
    fired: outcome.slowestMs > 400 ? 1 : 0,
    broken: [
      ...outcome.broken,
      ...unless(
        [slowestMs <= longestAnswerMs, 'in time', `an answer took ${Math.round(slowestMs)} ms`],
        [recoveryMs <= longestRecoveryMs, 'in time', `the first create took ${Math.round(recoveryMs)} ms`],
      ),
    ],
    notes: [...outcome.notes, `first create acknowledged ${Math.round(recoveryMs)} ms after it went on`],
  }
}

export const databaseStopped: Fault = {
  name: 'database-stopped',
  mostlyWaits: true,
  run: (house) => whileStopped(house),
  control: {
    about: 'no limit on a statement',
    breaks: 'in time',
    run: (house) => whileStopped(house, plants.noStatementLimit),
  },
}
