/**
 * Clients send three times as many searches as the service can handle. The service completes searches near its peak
 * rate, rejects the other searches quickly and still serves plain lists and health checks.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client, ClientResponse } from '../client.ts'
import { openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { measureRate, percentile, sendAtRate } from '../load.ts'
import { mutations } from '../mutations.ts'

/** A response that takes longer than this is not useful, because the client would have given up. */
const maxUsefulMs = 1_000
const maxRejectionMs = 600
const maxPlainListMs = 500

let searchCount = 0

/**
 * Every search has different terms, which are too short for the trigram index. So each search scans the whole table.
 */
const sendSearch = (client: Client): Promise<ClientResponse> => {
  searchCount += 1
  const terms = [searchCount % 16, (searchCount >> 4) % 16, (searchCount >> 8) % 16].map(
    (digit) => `${digit.toString(16)}e`,
  )
  return client.send(`/api/v1/candidates?limit=1&q=${terms.join('+')}+${(searchCount >> 12).toString(16)}`)
}

const isUseful = ({ status, ms }: ClientResponse): boolean => status === 200 && ms <= maxUsefulMs

const overloadService = async (environment: Environment, mutation?: Mutation): Promise<Outcome> => {
  const { url } = await environment.cluster()
  await withClient(url, (client) =>
    client.query(
      `insert into candidates (status, first_name, notes)
       select 'active', md5(n::text), md5(random()::text) || md5(random()::text) from generate_series(1, 60000) n`,
    ),
  )
  const { origin } = await environment.service({ databaseUrl: url, mutation })
  const client = openClient(origin, Number.POSITIVE_INFINITY)
  const seconds = environment.size(30, 10)
  await measureRate(8, 2, () => sendSearch(client))
  const peakPerSecond = await measureRate(8, environment.size(8, 4), () => sendSearch(client), isUseful)

  const listResponses: ClientResponse[] = []
  const healthResponses: ClientResponse[] = []
  let isLoadOver = false
  const probe = async (path: string, responses: ClientResponse[]): Promise<void> => {
    while (!isLoadOver) {
      responses.push(await client.send(path))
      await pause(50)
    }
  }
  const probePromises = [probe('/api/v1/leave?limit=20', listResponses), probe('/api/v1/health', healthResponses)]
  const responses = await sendAtRate(3 * peakPerSecond, seconds, () => sendSearch(client))
  isLoadOver = true
  await Promise.all(probePromises)
  const usefulPerSecond = responses.filter(isUseful).length / seconds
  const rejections = responses.filter(({ status }) => status === 503)
  const unexpectedResponses = responses.filter(({ status }) => status !== 200 && status !== 503)
  const slowestRejectionMs = percentile(rejections, 1)

  const clientWith200Connections = openClient(origin, 200)
  let listCount = 0
  let rejectedLists = 0
  await measureRate(200, environment.size(10, 4), async () => {
    const response = await clientWith200Connections.send('/api/v1/leave?limit=20')
    listCount += 1
    if (response.status !== 200) rejectedLists += 1
    return response
  })
  clientWith200Connections.close()
  client.close()
  const slowOrFailedCount = [...listResponses, ...healthResponses].filter(
    ({ status, ms }) => status !== 200 || ms > maxPlainListMs,
  ).length
  return {
    ...emptyOutcome,
    faultCount:
      rejections.length + responses.filter((response) => response.status === 200 && !isUseful(response)).length,
    acknowledgedCount: Math.round(usefulPerSecond * seconds),
    slowestMs: percentile(responses, 1),
    violations: failedChecks(
      [
        usefulPerSecond >= 0.8 * peakPerSecond,
        'in time',
        `${usefulPerSecond.toFixed(1)} useful responses per second, ${peakPerSecond.toFixed(1)} at the peak`,
      ],
      [
        slowestRejectionMs <= maxRejectionMs,
        'expected responses',
        `a rejection took ${Math.round(slowestRejectionMs)} ms`,
      ],
      [
        unexpectedResponses.length === 0,
        'expected responses',
        `${unexpectedResponses.length} responses were neither 200 nor 503`,
      ],
      [
        slowOrFailedCount === 0,
        'expected responses',
        `${slowOrFailedCount} plain lists and health checks failed or took over ${maxPlainListMs} ms`,
      ],
      [
        rejectedLists === 0,
        'expected responses',
        `${rejectedLists} of ${listCount} plain lists of 200 clients were rejected`,
      ],
    ),
    notes: [
      `peak ${peakPerSecond.toFixed(1)}/s, offered ${(responses.length / seconds).toFixed(1)}/s, useful ${usefulPerSecond.toFixed(1)}/s (${Math.round((100 * usefulPerSecond) / peakPerSecond)} %)`,
      `rejected ${rejections.length}: p50 ${Math.round(percentile(rejections, 0.5))} ms, p99 ${Math.round(percentile(rejections, 0.99))} ms, slowest ${Math.round(slowestRejectionMs)} ms`,
      `plain lists p99 ${Math.round(percentile(listResponses, 0.99))} ms, health p99 ${Math.round(percentile(healthResponses, 0.99))} ms; 200 clients: ${rejectedLists} of ${listCount} rejected`,
    ],
  }
}

export const overload: ChaosCase = {
  name: 'overload',
  onlyLong: true,
  run: (environment) => overloadService(environment),
  control: {
    description: 'no limit on the wait for a connection',
    brokenGuarantee: 'in time',
    run: (environment) => overloadService(environment, mutations.unlimitedWait),
  },
}
