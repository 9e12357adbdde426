/** A client that reads the change feed and records which changes it received. */
import { setTimeout as pause } from 'node:timers/promises'
import { changesAfterHeader } from '@muster/model'
import type { Client, ClientResponse } from './client.ts'

export interface FeedFollower {
  /** How often the feed responded 410, after which the client has copied all records again. */
  readonly copyCount: number
  hasSeen(route: string, id: number): boolean
  stop(): Promise<void>
}

const pauseMs = 100

export const followFeed = (client: Client, cursor: string, routes: readonly string[]): FeedFollower => {
  const seen = new Set<string>()
  let copyCount = 0
  let isStopping = false

  /** Undefined if the service cannot respond at the moment. */
  const get = async (path: string): Promise<ClientResponse | undefined> => {
    const response = await client.send(`/api/v1/${path}`).catch(() => undefined)
    return response === undefined || response.status === 503 ? undefined : response
  }
  /** Copies the ids of all records. Returns the cursor of the first export, undefined if one of them failed. */
  const copyAll = async (): Promise<string | undefined> => {
    let firstCursor: string | undefined
    for (const route of routes) {
      const file = await get(`${route}?format=ndjson&fields=id`)
      if (file?.status !== 200) return undefined
      firstCursor ??= String(file.headers[changesAfterHeader.toLowerCase()])
      for (const line of file.text.split('\n')) if (line !== '') seen.add(`${route} ${JSON.parse(line).id}`)
    }
    return firstCursor
  }
  const follow = async (): Promise<void> => {
    let next: string | undefined = cursor
    while (!isStopping) {
      const response = next === undefined ? undefined : await get(`changes?after=${next}`)
      if (next === undefined) next = await copyAll()
      else if (response?.status === 410) {
        copyCount += 1
        next = undefined
      } else if (response !== undefined) {
        if (response.status !== 200) throw new Error(`the feed responded ${response.status} ${response.text}`)
        const { data, meta } = JSON.parse(response.text) as {
          data: { resource: string; id: number }[]
          meta: { next: string }
        }
        for (const { resource, id } of data) seen.add(`${resource} ${id}`)
        next = meta.next
      }
      await pause(pauseMs)
    }
  }
  const finished = follow()
  // The error is reported by `stop`.
  finished.catch(() => {})
  return {
    get copyCount() {
      return copyCount
    },
    hasSeen: (route, id) => seen.has(`${route} ${id}`),
    async stop() {
      isStopping = true
      await finished
    },
  }
}
