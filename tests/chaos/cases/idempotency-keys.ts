/**
 * One of 50 concurrent create requests with the same idempotency key has a different body: exactly one record is
 * stored.
 */

import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client, ClientResponse } from '../client.ts'
import { openClient } from '../client.ts'
import { markerOf, readStoredRecords } from '../creates.ts'
import type { Environment } from '../environment.ts'

const requestsPerKey = 50
const concurrentKeys = 4

interface SentCreate {
  readonly marker: string
  readonly response: ClientResponse
}

/** Sends a create request and repeats it as long as the response is 503. */
const sendUntilHandled = async (
  client: Client,
  marker: string,
  headers: Record<string, string>,
): Promise<SentCreate> => {
  for (;;) {
    const response = await client.send('/api/v1/organization-teams', {
      method: 'POST',
      body: { organization_id: 1, name: marker },
      headers,
    })
    if (response.status !== 503) return { marker, response }
  }
}

const sendConcurrently = async (environment: Environment, keyCount: number, withKeys: boolean): Promise<Outcome> => {
  const { url } = await environment.cluster()
  const { origin } = await environment.service({ databaseUrl: url })
  const client = openClient(origin, requestsPerKey * concurrentKeys)
  const createsByKey = new Map<string, SentCreate[]>()
  let nextKeyIndex = 0
  const sendKeys = async (): Promise<void> => {
    while (nextKeyIndex < keyCount) {
      const key = markerOf(`${nextKeyIndex++}`)
      const headers: Record<string, string> = withKeys ? { 'idempotency-key': key } : {}
      // The request with the different body is among the first three, so that its record is sometimes the one stored.
      const differentBodyIndex = nextKeyIndex % 3
      const createPromises = Array.from({ length: requestsPerKey }, (_, requestIndex) =>
        sendUntilHandled(client, requestIndex === differentBodyIndex ? `${key}-odd` : `${key}-same`, headers),
      )
      createsByKey.set(key, await Promise.all(createPromises))
    }
  }
  await Promise.all(Array.from({ length: concurrentKeys }, sendKeys))
  client.close()

  const storedByKey = Map.groupBy(await readStoredRecords(url), ({ marker }) => marker.replace(/-(odd|same)$/, ''))
  let duplicatedCount = 0
  let lostCount = 0
  const wrongResponses: string[] = []
  const counts = { created: 0, replayed: 0, rejected: 0, odd: 0 }
  for (const [key, responses] of createsByKey) {
    const [row, ...duplicates] = storedByKey.get(key) ?? []
    duplicatedCount += duplicates.length
    if (row === undefined) lostCount += 1
    if (row?.marker.endsWith('-odd')) counts.odd += 1
    for (const { marker, response } of responses) {
      const { status, text, headers } = response
      if (status === 201 && headers['idempotent-replayed'] === 'true') counts.replayed += 1
      else if (status === 201) counts.created += 1
      else if (status === 422) counts.rejected += 1
      const isExpected =
        marker === row?.marker
          ? status === 201 && JSON.parse(text).id === row.id
          : status === 422 && JSON.parse(text).error.code === 'idempotency_key_reused'
      if (!isExpected) wrongResponses.push(`${marker}: ${status} ${text.slice(0, 80)}`)
    }
  }
  return {
    ...emptyOutcome,
    faultCount: createsByKey.size,
    acknowledgedCount: counts.created + counts.replayed,
    lostCount,
    duplicatedCount,
    slowestMs: Math.max(...[...createsByKey.values()].flat().map(({ response }) => response.ms)),
    violations: failedChecks(
      [lostCount === 0, 'no lost records', `${lostCount} keys have no record`],
      [duplicatedCount === 0, 'no duplicates', `${duplicatedCount} more records than keys`],
      [
        wrongResponses.length === 0,
        'expected responses',
        `${wrongResponses.length} wrong responses, such as ${wrongResponses[0]}`,
      ],
    ),
    notes: [
      `${createsByKey.size} keys × ${requestsPerKey}: ${counts.created} created, ${counts.replayed} replayed, ${counts.rejected} rejected; the different body was stored ${counts.odd} times`,
    ],
  }
}

export const idempotencyKeys: ChaosCase = {
  name: 'idempotency-keys',
  run: (environment) => sendConcurrently(environment, environment.size(200, 20), true),
  control: {
    description: 'without keys',
    brokenGuarantee: 'no duplicates',
    run: (environment) => sendConcurrently(environment, 2, false),
  },
}
