/** Sends the change feed as server-sent events. One poller reads the feed for all streams of the process. */
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '@muster/model'
import { resources as defaultResources, listedResources } from '@muster/model'
import { overloaded, Problem } from '../../errors.ts'
import type { Runner, RunnerFactory } from '../../postgres/connection/database.ts'
import type { ChangeCursor } from '../../queries/change-cursor.ts'
import { encodeCursor, isAfter } from '../../queries/change-cursor.ts'
import type { ChangesPage } from '../../queries/changes.ts'
import { readChanges } from '../../queries/changes.ts'
import type { Visibility } from '../access/callers.ts'
import { visibleChangeJson } from './changes-response.ts'

export interface ChangeStreams {
  /** Rejects with `overloaded` if too many streams are open. */
  open(options: StreamOptions): Promise<Readable>
  readonly size: number
  /** Ends all streams. Their clients connect again, and continue after the last event. */
  endAll(): void
  /** Ends all streams, and rejects new ones. */
  close(): void
}

export interface StreamOptions {
  /** Undefined: from now. */
  readonly after: ChangeCursor | undefined
  readonly resources: readonly Resource[] | undefined
  readonly visibility: Visibility
  /** When the token of the client becomes invalid, which ends the stream. */
  readonly expiresAt: number
  /** The address of the client. */
  readonly client: string | undefined
}

const maxStreams = 100
/** One client cannot take all streams. */
const maxStreamsPerClient = 50
/** A change is sent at most one poll and one statement after it becomes visible. */
const pollMs = 400
const keepAliveMs = 5_000
const pageSize = 1_000

export const openChangeStreams = (database: RunnerFactory): ChangeStreams => {
  const streams = new Set<ChangeStream>()
  const clients: (string | undefined)[] = []
  let isClosed = false
  let isPolling = false
  let keepAliveTimer: NodeJS.Timeout | undefined
  /** Where the poller is in the feed. It begins at the end of the feed. Undefined before its first page. */
  let head: ChangeCursor | undefined

  const readPage = (runner: Runner, after: ChangeCursor | undefined, resources?: readonly Resource[]) =>
    readChanges(runner, { after, resources, limit: pageSize })

  /** Reads the feed until the stream has caught up with the poller, or its client reads too slowly. */
  const catchUp = async (stream: ChangeStream): Promise<void> => {
    if (stream.isLive || stream.isReading) return
    stream.isReading = true
    const { client, resources } = stream.options
    try {
      for (let more = true; more && !stream.isBlocked && !stream.isFinished; ) {
        const page = await readPage(database.forClient(client), stream.cursor, resources)
        stream.deliver(page)
        ;({ more } = page)
      }
      // If the poller has delivered later changes meanwhile, the stream reads them after the next poll.
      stream.isLive = !stream.isBlocked && head !== undefined && !isAfter(head, stream.cursor)
    } catch (error) {
      stream.fail(error)
    } finally {
      stream.isReading = false
    }
  }
  const poll = async (): Promise<void> => {
    for (let more = true; more; ) {
      // With the history, for the streams that name it.
      const page = await readPage(database, head, listedResources)
      head = page.next
      for (const stream of streams) {
        if (stream.isLive) stream.deliver(page)
        void catchUp(stream)
      }
      ;({ more } = page)
    }
  }
  const runPoller = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    while (streams.size > 0) {
      await poll().catch((error: unknown) => {
        for (const stream of streams) stream.fail(error)
        if (isCursorGone(error)) head = undefined
      })
      await pause(pollMs, undefined, { ref: false })
    }
    isPolling = false
    head = undefined
  }
  const endAll = (): void => {
    for (const stream of streams) stream.finish()
  }
  const remove = (stream: ChangeStream): void => {
    if (!streams.delete(stream)) return
    clients.splice(clients.indexOf(stream.options.client), 1)
    if (streams.size === 0) clearInterval(keepAliveTimer)
  }
  const requireFreeStream = (client: string | undefined): void => {
    const ofClient = client === undefined ? 0 : clients.filter((other) => other === client).length
    if (isClosed || clients.length >= maxStreams || ofClient >= maxStreamsPerClient) throw overloaded()
  }

  return {
    get size() {
      return streams.size
    },
    async open(options) {
      requireFreeStream(options.client)
      clients.push(options.client)
      try {
        const firstPage = await readPage(database.forClient(options.client), options.after, options.resources)
        if (isClosed) throw overloaded()
        const stream = new ChangeStream(options, options.after ?? firstPage.next, (drained) => void catchUp(drained))
        if (streams.size === 0)
          keepAliveTimer = setInterval(() => {
            for (const each of streams) each.sendKeepAlive()
          }, keepAliveMs).unref()
        stream.sendKeepAlive()
        stream.deliver(firstPage)
        streams.add(stream)
        stream.once('close', () => remove(stream))
        void catchUp(stream)
        void runPoller()
        return stream
      } catch (error) {
        clients.splice(clients.indexOf(options.client), 1)
        throw error
      }
    },
    endAll,
    close() {
      isClosed = true
      endAll()
    },
  }
}

const isCursorGone = (error: unknown): boolean => error instanceof Problem && error.code === 'cursor_gone'

class ChangeStream extends Readable {
  /** Gets what the poller reads. Otherwise the stream reads the feed itself. */
  isLive = false
  isReading = false
  /** The client does not read what was sent. Nothing is read for it, so the stream never holds more than one page. */
  isBlocked = false
  isFinished = false
  /** Everything before this position was sent, or is not for this stream. */
  cursor: ChangeCursor
  readonly options: StreamOptions
  /** Undefined before the first message. */
  #sentCursor: ChangeCursor | undefined
  readonly #onDrain: (stream: ChangeStream) => void

  constructor(options: StreamOptions, cursor: ChangeCursor, onDrain: (stream: ChangeStream) => void) {
    super()
    this.options = options
    this.cursor = cursor
    this.#onDrain = onDrain
  }

  override _read(): void {
    if (!this.isBlocked) return
    this.isBlocked = false
    this.#onDrain(this)
  }

  /** The client has disconnected, or the stream has ended. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.isFinished = true
    done(error)
  }

  /** Sends the changes of the page that were not sent yet. */
  deliver({ changes, next }: ChangesPage): void {
    if (this.#isExpired()) return
    const { resources = defaultResources, visibility } = this.options
    const events = changes
      .filter(({ position, resource }) => isAfter(position, this.cursor) && resources.includes(resource))
      .map((change) => {
        this.#sentCursor = { ...next, ...change.position }
        return `id: ${encodeCursor(this.#sentCursor)}\ndata: ${visibleChangeJson(change, visibility)}\n\n`
      })
    if (isAfter(next, this.cursor)) this.cursor = next
    if (events.length > 0) this.#send(events.join(''))
  }

  /**
   * Keeps proxies from closing the connection. Also sends the cursor if the client does not have it: at first, and if
   * changes of other resources moved it.
   */
  sendKeepAlive(): void {
    if (this.isBlocked || this.#isExpired()) return
    const hasMoved = this.#sentCursor === undefined || isAfter(this.cursor, this.#sentCursor)
    this.#sentCursor = this.cursor
    this.#send(hasMoved ? `: \nid: ${encodeCursor(this.cursor)}\n\n` : ': \n\n')
  }

  /** While the database is unavailable, the stream waits for the next poll. */
  fail(error: unknown): void {
    if (isCursorGone(error)) this.finish()
    else if (!(error instanceof Problem)) this.destroy(error as Error)
  }

  finish(): void {
    if (this.isFinished) return
    this.isFinished = true
    this.push(null)
  }

  #isExpired(): boolean {
    if (Date.now() >= this.options.expiresAt) this.finish()
    return this.isFinished
  }

  #send(text: string): void {
    if (this.isFinished || this.push(text)) return
    this.isBlocked = true
    this.isLive = false
  }
}
