/** Reads of records right after their create was acknowledged. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, ClientResponse } from './client.ts'
import type { CreateKind } from './creates.ts'

const readPauseMs = 100

export interface ReadResults {
  freshCount: number
  stale: string[]
  failed: string[]
  retryCount: number
}

/** Reads each new record by id, list and `q`. A read that fails is repeated for `maxSeconds`. */
export const openReader = (client: Client, maxSeconds: number) => {
  const readResults: ReadResults = { freshCount: 0, stale: [], failed: [], retryCount: 0 }
  const sendWithRetries = async (path: string): Promise<ClientResponse | undefined> => {
    const startedAt = performance.now()
    while (performance.now() - startedAt < maxSeconds * 1_000) {
      const response = await client.send(path).catch(() => undefined)
      if (response !== undefined && response.status < 500) return response
      readResults.retryCount += 1
      await pause(readPauseMs)
    }
    return undefined
  }
  const readBack = async ({ route }: CreateKind, marker: string, id: number): Promise<void> => {
    for (const path of [`${route}/${id}`, `${route}?sort=-id&limit=100`, `${route}?q=${marker}`]) {
      const response = await sendWithRetries(`/api/v1/${path}`)
      if (response === undefined) readResults.failed.push(path)
      else if (response.text.includes(`"${marker}"`)) readResults.freshCount += 1
      else readResults.stale.push(`${path} responded ${response.status} without ${marker}`)
    }
  }
  return { readResults, readBack }
}

/** The number of replica reads per outcome, summed over the metrics of all services. */
export const countReplicaReads = async (metricsPorts: readonly number[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, outcome = '', count] of text.matchAll(/^muster_replica_reads_total\{.*outcome="(\w+)".*\} (\d+)/gm))
      counts[outcome] = (counts[outcome] ?? 0) + Number(count)
  }
  return counts
}
