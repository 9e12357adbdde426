/** A read that starts after a write has finished shows that write, whichever service process handles the read. */

import type { Mutation } from '../../mutations/mutation.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { mutations } from '../mutations.ts'

interface ListBody {
  readonly meta: { readonly total: number }
}

const getJson = async <T>(client: Client, path: string): Promise<T> => {
  const { status, text } = await client.send(`/api/v1/${path}`)
  if (status !== 200) throw new Error(`${path} responded ${status}`)
  return JSON.parse(text) as T
}

const checkFreshness = async (environment: Environment, rounds: number, mutation?: Mutation): Promise<Outcome> => {
  const { url } = await environment.cluster()
  const processes = await Promise.all([1, 2].map(() => environment.service({ databaseUrl: url, mutation })))
  const clients = processes.map(({ origin }) => openClient(origin))
  const comparisonCounts = { id: 0, list: 0, filter: 0, q: 0 }
  const staleReads: string[] = []
  const countComparison = (kind: keyof typeof comparisonCounts, isShown: boolean, marker: string): void => {
    comparisonCounts[kind] += 1
    if (!isShown) staleReads.push(`${kind} of ${marker}`)
  }
  let roundsStarted = 0
  const startedAt = performance.now()
  const runRounds = async (): Promise<void> =>
    withClient(url, async (database) => {
      while (roundsStarted < rounds) {
        roundsStarted += 1
        const marker = `mark-${roundsStarted}-x`
        // The two processes swap the roles of writer and reader in each round.
        const [writer, reader] = (roundsStarted % 2 === 0 ? clients : clients.toReversed()) as [Client, Client]
        const listBefore = await getJson<ListBody>(reader, 'organizations?limit=1')
        // Each filtered list is requested twice, so that its response is in the cache when the write makes it stale.
        for (const filter of [`slug=${marker}`, `q=${marker}`, `slug=${marker}`, `q=${marker}`])
          await getJson(reader, `organizations?${filter}`)
        const createResponse = await writer.send('/api/v1/organizations', {
          method: 'POST',
          body: { name: 'Fresh', slug: marker },
        })
        if (createResponse.status !== 201) throw new Error(`a create responded ${createResponse.status}`)
        const { id } = JSON.parse(createResponse.text) as { id: number }
        countComparison(
          'list',
          (await getJson<ListBody>(reader, 'organizations?limit=1')).meta.total > listBefore.meta.total,
          marker,
        )
        countComparison(
          'filter',
          (await getJson<ListBody>(reader, `organizations?slug=${marker}`)).meta.total === 1,
          marker,
        )
        countComparison('q', (await getJson<ListBody>(reader, `organizations?q=${marker}`)).meta.total === 1, marker)
        for (const client of [...clients, ...clients]) await getJson(client, `organizations/${id}`)
        await database.query('update organizations set name = $1 where id = $2', [marker, id])
        for (const client of clients)
          countComparison(
            'id',
            (await getJson<{ name: string }>(client, `organizations/${id}`)).name === marker,
            marker,
          )
      }
    })
  await Promise.all([1, 2, 3, 4].map(runRounds))
  for (const client of clients) client.close()
  const figures = Object.entries(comparisonCounts).map(([kind, count]) => `${count} by ${kind}`)
  return {
    ...emptyOutcome,
    faultCount: Object.values(comparisonCounts).reduce((sum, count) => sum + count, 0),
    acknowledgedCount: roundsStarted,
    staleCount: staleReads.length,
    violations: failedChecks([staleReads.length === 0, 'no stale reads', staleReads.slice(0, 3).join(', ')]),
    notes: [`${figures.join(', ')} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`],
  }
}

export const freshAcrossProcesses: ChaosCase = {
  name: 'fresh',
  run: (environment) => checkFreshness(environment, environment.size(2_000, 250)),
  control: {
    description: 'cached responses sent unchecked',
    brokenGuarantee: 'no stale reads',
    run: (environment) => checkFreshness(environment, 50, mutations.uncheckedResponses),
  },
}
