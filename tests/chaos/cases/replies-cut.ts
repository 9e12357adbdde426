/** Connections are reset after a record is stored but before the response arrives: the retry adds no duplicate. */

import { randomNumbers } from '../../support/random.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { openClient } from '../client.ts'
import { createsWithoutUniqueField, markerOf } from '../creates.ts'
import type { Environment } from '../environment.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import { openRelay } from '../relay.ts'
import { startWriters } from '../writers.ts'

/** The relay resets the connection at one in this many acknowledgements. */
const acknowledgementsPerCut = 8
const writerCount = 16

/** Which connection is cut: between client and service, or between service and database. */
type CutConnection = 'client' | 'database'
const isAcknowledgement: Readonly<Record<CutConnection, (response: Buffer, request: Buffer) => boolean>> = {
  client: (response) => response.includes('HTTP/1.1 201'),
  // The names of prepared create statements start with "create ". PostgreSQL returns the created record only after the
  // commit.
  database: (response, request) => request.includes('create ') && response.includes(markerOf('')),
}

interface CutOptions {
  readonly connection: CutConnection
  readonly minCuts: number
  readonly withKeys: boolean
}

const runWithCuts = async (
  environment: Environment,
  { connection, minCuts, withKeys }: CutOptions,
): Promise<Outcome> => {
  const cluster = await environment.cluster()
  const random = randomNumbers(environment.seed)
  let cutCount = 0
  const insertRelay = async (url: URL): Promise<void> => {
    const relay = await openRelay({
      to: Number(url.port),
      shouldCut(response, request) {
        const isCut = isAcknowledgement[connection](response, request) && random(acknowledgementsPerCut) === 0
        if (isCut) cutCount += 1
        return isCut
      },
    })
    environment.addCleanup(() => relay.close())
    url.port = String(relay.port)
  }
  const databaseUrl = new URL(cluster.url)
  if (connection === 'database') await insertRelay(databaseUrl)
  const serviceUrl = new URL((await environment.service({ databaseUrl: databaseUrl.href })).origin)
  if (connection === 'client') await insertRelay(serviceUrl)

  const client = openClient(serviceUrl.origin, writerCount)
  const history = openHistory()
  // The writers create only resources without a unique field. For the others the database prevents duplicates even
  // without an idempotency key.
  const writers = startWriters({ client, history, count: writerCount, withKeys, kinds: createsWithoutUniqueField })
  environment.addCleanup(() => writers.stop())
  await waitUntil(`${minCuts} responses were cut`, async () => cutCount >= minCuts, 120_000)
  await writers.stop()
  client.close()
  return checkHistory(history, cluster.url, {
    faultCount: cutCount,
    allowedStatuses: connection === 'client' ? ['503', 'none'] : ['503'],
    notes: [`${cutCount} responses cut`],
  })
}

const makeCutCase = (name: string, connection: CutConnection): ChaosCase => ({
  name,
  run: (environment) => runWithCuts(environment, { connection, minCuts: environment.size(500, 60), withKeys: true }),
  control: {
    description: 'retries without keys',
    brokenGuarantee: 'no duplicates',
    run: (environment) => runWithCuts(environment, { connection, minCuts: 20, withKeys: false }),
  },
})

export const repliesCut = makeCutCase('replies-cut', 'client')
export const commitsCut = makeCutCase('commits-cut', 'database')
