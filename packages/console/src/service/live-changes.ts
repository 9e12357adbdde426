/**
 * The changes of records as they happen. All tabs of a browser that read with the same token share one stream of the change
 * feed, because browsers allow about six connections to a host: the tab that holds a lock reads the stream and sends the
 * changes to the others. Without locks, which browsers offer only on secure origins, each visible tab asks every ten seconds.
 */
import type { Client, ResourcePath } from '@muster/client'
import { MusterError } from '@muster/client'
import { apiUrl } from './urls.ts'

/** The ids of changed records by resource. Undefined if changes were missed. */
export type ChangedIds = Readonly<Partial<Record<ResourcePath, readonly number[]>>> | undefined

interface Batch {
  readonly ids: ChangedIds
  readonly cursor: string | undefined
}

type Receive = (batch: Batch) => void

const batchMs = 500
const pollMs = 10_000
const minReconnectMs = 1_000
const maxReconnectMs = 30_000

/** Calls `receive` until the signal is aborted. Takes the token, because tabs with another one may read other changes. */
export const followChanges = async (
  client: Client,
  token: string | undefined,
  receive: (ids: ChangedIds) => void,
  signal: AbortSignal,
): Promise<void> => {
  if (navigator.locks === undefined || globalThis.BroadcastChannel === undefined) {
    await poll(client, ({ ids }) => receive(ids), signal)
    return
  }
  const name = `muster changes ${apiUrl.pathname} ${token === undefined ? '' : await digestOf(token)}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  // The next tab that reads the stream continues where the last one has stopped.
  let cursor: string | undefined
  const note: Receive = (batch) => {
    cursor = batch.cursor
    receive(batch.ids)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Batch>) => note(data))
  const shareAndNote: Receive = (batch) => {
    channel.postMessage(batch)
    note(batch)
  }
  await navigator.locks
    .request(name, { signal }, () => readStream(client, cursor, shareAndNote, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** The names of locks and channels can be read by other scripts of the origin, so the token is not part of them. */
const digestOf = async (token: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const readStream = async (
  client: Client,
  start: string | undefined,
  receive: Receive,
  signal: AbortSignal,
): Promise<void> => {
  let cursor = start
  let reconnectAfterMs = minReconnectMs
  const batches = openBatches(receive)
  while (!signal.aborted) {
    try {
      for await (const next of client.liveChanges({ after: cursor }, { signal })) {
        reconnectAfterMs = minReconnectMs
        cursor = next.cursor
        batches.add(next.change, cursor)
      }
    } catch (error) {
      if (isGone(error)) {
        cursor = undefined
        receive({ ids: undefined, cursor })
      }
    }
    await pause(reconnectAfterMs, signal)
    reconnectAfterMs = Math.min(2 * reconnectAfterMs, maxReconnectMs)
  }
}

const poll = async (client: Client, receive: Receive, signal: AbortSignal): Promise<void> => {
  let cursor: string | undefined
  while (!signal.aborted) {
    try {
      if (!document.hidden)
        for await (const { data, meta } of client.changes({ after: cursor, limit: 1_000 }, { signal })) {
          cursor = meta.next
          if (data.length > 0) receive({ ids: idsOf(data), cursor })
        }
    } catch (error) {
      if (isGone(error)) {
        cursor = undefined
        receive({ ids: undefined, cursor })
      }
    }
    await pause(pollMs, signal)
  }
}

interface ChangedRecord {
  readonly resource: ResourcePath
  readonly id: number
}

/** Collects changes for half a second, so that many changes are few messages. */
const openBatches = (receive: Receive) => {
  let changes: ChangedRecord[] = []
  let cursor: string | undefined
  let isWaiting = false
  const send = () => {
    isWaiting = false
    receive({ ids: idsOf(changes), cursor })
    changes = []
  }
  return {
    add(change: ChangedRecord | undefined, newCursor: string) {
      cursor = newCursor
      if (change !== undefined) changes.push(change)
      if (changes.length === 0 || isWaiting) return
      isWaiting = true
      setTimeout(send, batchMs)
    },
  }
}

const idsOf = (changes: readonly ChangedRecord[]): ChangedIds =>
  Object.fromEntries(
    Map.groupBy(changes, ({ resource }) => resource)
      .entries()
      .map(([resource, ofResource]) => [resource, [...new Set(ofResource.map(({ id }) => id))]]),
  )

const isGone = (error: unknown): boolean => error instanceof MusterError && error.code === 'cursor_gone'

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
