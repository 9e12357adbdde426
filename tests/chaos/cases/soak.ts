/** After a long steady load memory has not grown, and there are no more file descriptors and sessions than before. */
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client, ClientResponse } from '../client.ts'
import { openClient } from '../client.ts'
import { createKinds, markerOf } from '../creates.ts'
import type { Environment } from '../environment.ts'
import { measureRate, percentile, sendAtRate } from '../load.ts'
import { mutations } from '../mutations.ts'

const loadShareOfPeak = 0.6
/** Garbage collection alone can make memory differ this much between the second and the last quarter of the run. */
const maxGrowthMb = 24
const samplesPerMinute = 60

let requestCount = 0

/** Of ten requests nine are reads of all kinds and one is a create. Two of three reads accept compressed responses. */
const sendMixedRequest = (client: Client): Promise<ClientResponse> => {
  requestCount += 1
  const { route, body } = createKinds[requestCount % createKinds.length] as (typeof createKinds)[number]
  const headers = { 'accept-encoding': ['br', 'gzip', 'identity'][requestCount % 3] as string }
  switch (requestCount % 10) {
    case 0:
      return client.send(`/api/v1/${route}`, { method: 'POST', body: body(markerOf(`soak-${requestCount}`)) })
    case 1:
    case 2:
      return client.send(`/api/v1/${route}?q=${requestCount}`, { headers })
    case 3:
    case 4:
      return client.send(`/api/v1/${route}?limit=20&offset=${requestCount % 1_000}`, { headers })
    case 5:
      return client.send(`/api/v1/${route}/${1 + (requestCount % 20)}`, { headers })
    default:
      return client.send(`/api/v1/${route}?limit=20`, { headers })
  }
}

/** Least-squares slope per hour. */
const slopePerHour = (samples: readonly number[]): number => {
  const middleIndex = (samples.length - 1) / 2
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  const covariance = samples.reduce((sum, sample, index) => sum + (index - middleIndex) * (sample - mean), 0)
  const variance = samples.reduce((sum, _, index) => sum + (index - middleIndex) ** 2, 0)
  return (covariance / variance) * samplesPerMinute * 60
}

const meanBetween = (samples: readonly number[], from: number, to: number): number => {
  const slice = samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
  return slice.reduce((sum, sample) => sum + sample, 0) / slice.length
}

const meansByTenth = (samples: readonly number[]): string =>
  Array.from({ length: 10 }, (_, tenthIndex) =>
    meanBetween(samples, tenthIndex / 10, (tenthIndex + 1) / 10).toFixed(0),
  ).join(', ')

const runSoak = async (environment: Environment, minutes: number, mutation?: Mutation): Promise<Outcome> => {
  const { url } = await environment.cluster()
  // A small response cache fills up quickly, so its growth is not mistaken for a leak.
  const service = await environment.service({ databaseUrl: url, mutation, env: { MUSTER_CACHE_MB: '8' } })
  const client = openClient(service.origin)
  const countSessions = () =>
    withClient(url, async (database) => {
      const { rows } = await database.query(
        `select count(*)::int as sessions from pg_stat_activity where application_name like 'muster%'`,
      )
      return rows[0].sessions as number
    })
  const countDescriptors = async () => (await readdir(`/proc/${service.pid}/fd`)).length
  // This measurement also makes the service open all of its database connections.
  const peakPerSecond = await measureRate(64, 5, () => sendMixedRequest(client))
  client.close()
  await pause(1_000)
  const countsBefore = { sessions: await countSessions(), files: await countDescriptors() }

  const loadClient = openClient(service.origin)
  const memorySamples: number[] = []
  let isLoadOver = false
  const samplingPromise = (async () => {
    while (!isLoadOver) {
      memorySamples.push(await service.memory())
      await pause(60_000 / samplesPerMinute)
    }
  })()
  const responseCounts = { done: 0, other: 0, slowestMs: 0 }
  // The run is split into slices of 5 seconds, so that not all of its responses are in memory at once.
  for (let sliceIndex = 0; sliceIndex < minutes * 12; sliceIndex += 1) {
    const responses = await sendAtRate(peakPerSecond * loadShareOfPeak, 5, () => sendMixedRequest(loadClient))
    for (const { status } of responses) {
      if (status === 200 || status === 201) responseCounts.done += 1
      else responseCounts.other += 1
    }
    responseCounts.slowestMs = Math.max(responseCounts.slowestMs, percentile(responses, 1))
  }
  isLoadOver = true
  await samplingPromise
  loadClient.close()
  const areCountsBackToInitial = async () =>
    (await countDescriptors()) <= countsBefore.files && (await countSessions()) <= countsBefore.sessions
  const hasReturnedToInitial = await waitUntil(
    'descriptors and sessions are back at their initial number',
    areCountsBackToInitial,
    120_000,
  ).then(
    () => true,
    () => false,
  )
  const countsAfter = { sessions: await countSessions(), files: await countDescriptors() }
  const growthMb = meanBetween(memorySamples, 0.75, 1) - meanBetween(memorySamples, 0.25, 0.5)
  return {
    ...emptyOutcome,
    faultCount: responseCounts.done + responseCounts.other,
    acknowledgedCount: responseCounts.done,
    slowestMs: responseCounts.slowestMs,
    violations: failedChecks(
      [
        hasReturnedToInitial,
        'bounded resources',
        `before ${JSON.stringify(countsBefore)}, after ${JSON.stringify(countsAfter)}`,
      ],
      [
        growthMb < maxGrowthMb,
        'bounded resources',
        `memory grew by ${growthMb.toFixed(1)} MB from the second quarter to the last`,
      ],
      [responseCounts.other === 0, 'expected responses', `${responseCounts.other} responses were neither 200 nor 201`],
    ),
    notes: [
      `${minutes} minutes at ${Math.round(peakPerSecond * loadShareOfPeak)} requests per second, ${Math.round(loadShareOfPeak * 100)} % of the peak`,
      `memory ${meanBetween(memorySamples, 0.25, 0.5).toFixed(0)} MB, then ${meanBetween(memorySamples, 0.75, 1).toFixed(0)} MB; slope of the last three quarters ${slopePerHour(memorySamples.slice(memorySamples.length / 4)).toFixed(1)} MB per hour`,
      `memory in MB by tenths of the time: ${meansByTenth(memorySamples)}`,
      `before ${JSON.stringify(countsBefore)}, after ${JSON.stringify(countsAfter)}`,
    ],
  }
}

export const soak: ChaosCase = {
  name: 'soak',
  onlyByName: true,
  run: (environment) => runSoak(environment, environment.minutes),
  control: {
    description: 'a leak of 5,000 bytes per request',
    brokenGuarantee: 'bounded resources',
    run: (environment) => runSoak(environment, 1, mutations.leak),
  },
}
