/** Delivers the change feed to all endpoints. Of several processes, one is active, and the others wait. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { OperatorError } from '../errors.ts'
import type { Runner } from '../postgres/connection/database.ts'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'
import type { ChangeCursor } from '../queries/change-cursor.ts'
import { monitorChangeFeed } from '../queries/change-feed-delay.ts'
import { readChanges } from '../queries/changes.ts'
import type { DeliveryContext, DeliveryOptions } from './delivery.ts'
import { deliver } from './delivery.ts'
import { resumed, stateAt } from './endpoint-state.ts'
import type { Endpoint } from './endpoints.ts'
import { insertState, loadStates, updateState } from './store.ts'

export interface WebhookOptions extends DeliveryOptions {
  readonly databaseUrl: string
  readonly endpoints: readonly Endpoint[]
  readonly signal: AbortSignal
}

/** The advisory lock of the active process. */
export const webhooksLock = '7264013, 4'

/**
 * A database server that does not respond must not block the process. A machine that is gone must not keep the lock: the
 * server notices after 30 seconds.
 */
const sessionOptions = {
  query_timeout: 10_000,
  options: ['search_path=public', 'tcp_keepalives_idle=15', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3']
    .map((setting) => `-c ${setting}`)
    .join(' '),
}

/** How long the attempts in progress may take at the end. What they do not finish is sent again by the next process. */
const graceMs = 5_000

/** Runs until the signal is aborted. */
export const runWebhooks = async ({ databaseUrl, endpoints, signal, ...options }: WebhookOptions): Promise<void> => {
  const { logger, metrics, pollMs } = options
  const sentCursors = new Map<string, ChangeCursor>()
  const cutSignal = abortedAfter(signal, graceMs)
  let lastMessage: string | undefined
  while (!signal.aborted) {
    try {
      await withWebhookSession(databaseUrl, async (client) => {
        await requireSchema(client, ['expanded'])
        await waitForLock(client, signal, pollMs, () => logger.info('Another process delivers webhooks: waiting.'))
        if (signal.aborted) return
        lastMessage = undefined
        metrics.setActive(true)
        logger.info(`Delivering webhooks to ${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}.`)
        await deliverAll(endpoints, { ...options, database: runnerOf(client), sentCursors, signal, cutSignal })
      })
    } catch (error) {
      if (signal.aborted) return
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastMessage) logger.error(error instanceof OperatorError ? {} : { err: error }, message)
      lastMessage = message
    } finally {
      metrics.setActive(false)
    }
    await pause(pollMs, undefined, { signal }).catch(() => {})
  }
}

const abortedAfter = (signal: AbortSignal, ms: number): AbortSignal => {
  const controller = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => controller.abort(), ms).unref())
  return controller.signal
}

/** The session that holds the lock also writes the states, so a process that has lost the lock cannot write. */
export const withWebhookSession = <T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> =>
  withSession(databaseUrl, 'webhooks', work, sessionOptions)

/**
 * Runs one statement at a time. The queue of `pg` is deprecated, and `query_timeout` would include the time in it. After a
 * statement has failed, all others fail, because a server that does not respond would hold up each of them.
 */
export const runnerOf = (client: Client): Runner => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run({ name, text, values }) {
      const result = last.then(async () => {
        const { rows } = await client.query({ name, text, values: [...values], rowMode: 'array' })
        return rows
      })
      last = result
      return result
    },
  }
}

/** Polls, because a statement that waits for a lock would be cancelled by `lock_timeout`. */
const waitForLock = async (
  client: Client,
  signal: AbortSignal,
  pollMs: number,
  onWaiting: () => void,
): Promise<void> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const { rows } = await client.query<{ standby: boolean; taken: boolean | null }>(
      `select pg_is_in_recovery() as standby, case when not pg_is_in_recovery() then pg_try_advisory_lock(${webhooksLock}) end as taken`,
    )
    if (rows[0]?.standby) throw new OperatorError('DATABASE_URL points to a standby: set it to the URL of the primary.')
    if (rows[0]?.taken) return
    if (attempt === 0) onWaiting()
    await pause(pollMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Also watches how far the feed is behind: `muster serve` need not run. If one endpoint loses the session, all stop. The
 * session ends only when none of them runs any more.
 */
const deliverAll = async (endpoints: readonly Endpoint[], context: DeliveryContext): Promise<void> => {
  await registerEndpoints(endpoints, context)
  const failure = new AbortController()
  const signal = AbortSignal.any([context.signal, failure.signal])
  const cutSignal = AbortSignal.any([context.cutSignal, failure.signal])
  const runs = endpoints.map((endpoint) =>
    deliver(endpoint, { ...context, signal, cutSignal }).catch((error: unknown) => {
      if (!cutSignal.aborted) failure.abort(error)
    }),
  )
  const { database, metrics, logger } = context
  const monitor = monitorChangeFeed({
    database,
    onRead: (delay) => metrics.setChangesBehind(delay?.behindSeconds),
    onChange: ({ isLate, sentence }) => (isLate ? logger.warn(sentence) : logger.info(sentence)),
    signal,
  })
  await Promise.all([...runs, monitor])
  if (failure.signal.aborted) throw failure.signal.reason
}

/**
 * New endpoints begin at the end of the feed. An endpoint that is in the file again continues where it was, or is told to
 * copy all records if that is too long ago.
 */
const registerEndpoints = async (endpoints: readonly Endpoint[], { database }: DeliveryContext): Promise<void> => {
  const { next } = await readChanges(database, { after: undefined, resources: undefined, limit: 1 })
  const states = new Map((await loadStates(database)).map((state) => [state.name, state]))
  for (const { name } of endpoints) {
    const state = states.get(name)
    if (state === undefined) await insertState(database, name, stateAt(next))
    else if (state.status === 'removed') await updateState(database, state, resumed(state))
    states.delete(name)
  }
  for (const state of states.values()) await updateState(database, state, { ...state, status: 'removed' })
}
