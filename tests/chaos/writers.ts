/** Concurrent writers: each creates one record after another and retries until the outcome is known. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, ClientResponse } from './client.ts'
import type { CreateKind } from './creates.ts'
import { createKinds, markerOf } from './creates.ts'
import type { History } from './history.ts'

export interface WritersOptions {
  readonly client: Client
  readonly history: History
  readonly count: number
  /** Begins every marker, if several runs use the same database. No run may begin with the name of another. */
  readonly run?: string
  /** Whether creates carry an Idempotency-Key. */
  readonly withKeys: boolean
  readonly kinds?: readonly CreateKind[]
  /** Called after each acknowledged create. By default every fourth record is read back. */
  readonly readBack?: (kind: CreateKind, marker: string, id: number) => Promise<void>
}

export interface Writers {
  /** Number of creates started, not counting retries. */
  readonly createsStarted: number
  /** Resolves when the outcome of every create is known or the final tries have failed. */
  stop(): Promise<void>
}

/** Much shorter than the Retry-After of a 503, so that more retries happen. */
const retryPauseMs = 50
/** Tries per create after `stop()`: enough time for a server to restart, and a bound if it does not. */
const maxFinalTries = 60

export const startWriters = (options: WritersOptions): Writers => {
  const { client, history, count, run = '', withKeys, kinds = createKinds } = options
  let isStopping = false
  let createsStarted = 0

  const attempt = async ({ route, body }: CreateKind, marker: string): Promise<ClientResponse | undefined> => {
    const startedAt = performance.now()
    const headers: Record<string, string> = withKeys ? { 'idempotency-key': marker } : {}
    const response = await client
      .send(`/api/v1/${route}`, { method: 'POST', body: body(marker), headers })
      .catch(() => undefined)
    const idIfCreated = response?.status === 201 ? { id: idOf(response) } : {}
    history.addAttempt({
      route,
      marker,
      startMs: startedAt,
      endMs: performance.now(),
      status: response?.status,
      ...idIfCreated,
    })
    return response
  }

  const createWithRetries = async (kind: CreateKind, marker: string): Promise<number | undefined> => {
    for (let tries = 0; tries < maxFinalTries; tries += isStopping ? 1 : 0) {
      const response = await attempt(kind, marker)
      if (response?.status === 201) return idOf(response)
      if (response !== undefined && response.status !== 503) return undefined
      await pause(retryPauseMs)
    }
    return undefined
  }

  const readBack = async ({ route }: CreateKind, marker: string, id: number): Promise<void> => {
    const recordResponse = await client.send(`/api/v1/${route}/${id}`).catch(() => undefined)
    if (recordResponse !== undefined && recordResponse.status !== 503)
      history.addRead({ marker, isShown: recordResponse.text.includes(marker) })
    const startedAt = performance.now()
    const listResponse = await client.send(`/api/v1/${route}?limit=1`).catch(() => undefined)
    if (listResponse?.status === 200)
      history.addTotal({
        route,
        startMs: startedAt,
        endMs: performance.now(),
        total: JSON.parse(listResponse.text).meta.total,
      })
  }

  const runWriter = async (writerIndex: number): Promise<void> => {
    for (let turn = 0; !isStopping; turn += 1) {
      const kind = kinds[(writerIndex + turn) % kinds.length] as CreateKind
      const marker = markerOf(`${run}${writerIndex}-${turn}`)
      createsStarted += 1
      const id = await createWithRetries(kind, marker)
      if (id === undefined) continue
      if (options.readBack !== undefined) await options.readBack(kind, marker, id)
      else if (turn % 4 === 0) await readBack(kind, marker, id)
    }
  }

  const writersPromise = Promise.all(Array.from({ length: count }, (_, writerIndex) => runWriter(writerIndex)))
  return {
    get createsStarted() {
      return createsStarted
    },
    async stop() {
      isStopping = true
      await writersPromise
    },
  }
}

const idOf = ({ text }: ClientResponse): number => (JSON.parse(text) as { id: number }).id
