/** Delivers the change feed to one endpoint: one message after the other, each until it is delivered. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Log } from '../observability/log.ts'
import type { Runner } from '../postgres/connection/database.ts'
import type { ChangeCursor } from '../queries/change-cursor.ts'
import type { Change, ChangesPage } from '../queries/changes.ts'
import { readChanges } from '../queries/changes.ts'
import type { EndpointState } from './endpoint-state.ts'
import { afterAttempt, withMessage } from './endpoint-state.ts'
import type { Endpoint } from './endpoints.ts'
import { changesMessage, isAuthentic, maxChanges, resyncMessage } from './messages.ts'
import type { WebhookMetrics } from './metrics.ts'
import type { PostOptions } from './post.ts'
import { postMessage } from './post.ts'
import { maxAttempts } from './retries.ts'
import type { StoredState } from './store.ts'
import { loadState, recordServerStart, updateState } from './store.ts'

export interface DeliveryOptions extends Pick<PostOptions, 'timeoutMs' | 'resolve'> {
  readonly logger: Log['logger']
  readonly metrics: WebhookMetrics
  /** The clock of retries and timestamps. */
  readonly now: () => Date
  /** Pause between two reads of the endpoint's state if there is nothing to send. */
  readonly pollMs: number
}

export interface DeliveryContext extends DeliveryOptions {
  readonly database: Runner
  /** Aborted when no further message is to be sent. */
  readonly signal: AbortSignal
  /** Aborted when the attempt in progress is to be given up. */
  readonly cutSignal: AbortSignal
  /**
   * How far each endpoint may have got the feed, as far as this process knows. It outlives the session: after a failover
   * or a restore, the state in the database may be older than what was sent.
   */
  readonly sentCursors: Map<string, ChangeCursor>
}

/** How many changes are read at once to find those of the requested kinds. */
const scanSize = 1_000

/** Runs until the signal is aborted, or the session is lost. */
export const deliver = async (endpoint: Endpoint, context: DeliveryContext): Promise<void> => {
  await resyncAfterLoss(endpoint, context)
  while (!context.signal.aborted) {
    const hasMore = await deliverNext(endpoint, context)
    if (!hasMore) await pause(context.pollMs, undefined, { signal: context.signal }).catch(() => {})
  }
}

/** Every row exists: the session inserts the rows of new endpoints before it delivers. */
const load = async ({ database }: DeliveryContext, { name }: Endpoint): Promise<StoredState> =>
  (await loadState(database, name)) as StoredState

/**
 * If the server may have lost changes that were sent, the receiver's copy may contain them, so it has to copy again. The
 * feed rejects a cursor that is beyond what was lost. A process that has just started does not know what was sent: it
 * assumes a loss after every promotion and every restore.
 */
const resyncAfterLoss = async (endpoint: Endpoint, context: DeliveryContext): Promise<void> => {
  const { database, sentCursors } = context
  const { name } = endpoint
  for (let isDone = false; !isDone; ) {
    const stored = await load(context, endpoint)
    const cursor = sentCursors.get(name) ?? stored.message?.cursor ?? stored.cursor
    const isKnown = sentCursors.has(name) || stored.isSameTimeline
    const isComplete = isKnown && (await readPage(database, endpoint, cursor)) !== undefined
    if (isComplete) sentCursors.set(name, cursor)
    isDone = isComplete || (await startResync(endpoint, stored, context))
  }
  await recordServerStart(database, name)
}

/** Returns whether to continue at once. */
const deliverNext = async (endpoint: Endpoint, context: DeliveryContext): Promise<boolean> => {
  const stored = await load(context, endpoint)
  context.metrics.showState(endpoint.name, stored, context.now())
  if (stored.status !== 'active') return false
  if (stored.message === undefined) return prepareMessage(endpoint, stored, context)
  if (!isAuthentic(endpoint, stored.message)) {
    context.logger.error(
      `Webhook "${endpoint.name}": the message in the database was changed, or its secret is not in use any more. It is not sent.`,
    )
    await startResync(endpoint, stored, context)
    return true
  }
  if (stored.nextAttemptAt !== undefined && stored.nextAttemptAt > context.now()) return false
  return sendMessage(endpoint, stored, context)
}

const prepareMessage = async (endpoint: Endpoint, stored: StoredState, context: DeliveryContext): Promise<boolean> => {
  const { database } = context
  const page = await readPage(database, endpoint, stored.cursor)
  if (page === undefined) {
    await startResync(endpoint, stored, context)
    return true
  }
  const matching = page.changes.filter(({ kind }) => endpoint.kinds?.includes(kind) ?? true)
  const [first, ...others] = matching.slice(0, maxChanges)
  if (first === undefined) {
    // Without this, the cursor of an endpoint that rarely gets a message would become older than the feed.
    if (page.next !== stored.cursor) await updateState(database, stored, { ...stored, cursor: page.next })
    return page.more
  }
  const isCut = matching.length > maxChanges
  const last: Change = others.at(-1) ?? first
  const next = isCut ? { ...page.next, ...last.position } : page.next
  const message = changesMessage(endpoint, [first, ...others], next)
  await updateState(database, stored, withMessage(stored, message))
  return true
}

/** Undefined if the cursor is not valid any more. */
const readPage = async (
  database: Runner,
  { resources, kinds }: Endpoint,
  after: ChangeCursor,
): Promise<ChangesPage | undefined> => {
  try {
    return await readChanges(database, { after, resources, limit: kinds === undefined ? maxChanges : scanSize })
  } catch (error) {
    if (error instanceof Problem && error.code === 'cursor_gone') return undefined
    throw error
  }
}

/** Returns false if another process has changed the state meanwhile. */
const startResync = async (
  endpoint: Endpoint,
  stored: StoredState,
  { database, logger, now, sentCursors }: DeliveryContext,
): Promise<boolean> => {
  const { next } = await readChanges(database, { after: undefined, resources: undefined, limit: 1 })
  const isStored = await updateState(database, stored, withMessage(stored, resyncMessage(endpoint, now(), next)))
  if (isStored) {
    sentCursors.set(endpoint.name, next)
    logger.warn(
      `Webhook "${endpoint.name}": changes may be missing, so the receiver is told to copy all records again.`,
    )
  }
  return isStored
}

const sendMessage = async (endpoint: Endpoint, stored: StoredState, context: DeliveryContext): Promise<boolean> => {
  const { database, metrics, now, cutSignal, timeoutMs, resolve, sentCursors } = context
  const { message } = stored
  if (message === undefined) return false
  sentCursors.set(endpoint.name, message.cursor)
  const attempt = await postMessage(endpoint, message, {
    now: now(),
    signal: cutSignal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(resolve === undefined ? {} : { resolve }),
  })
  metrics.countAttempt(endpoint.name, attempt.outcome)
  const state = afterAttempt(stored, attempt, now())
  if (await updateState(database, stored, state)) logAttempt(endpoint, stored, state, context)
  return attempt.outcome === 'delivered'
}

const logAttempt = (
  { name }: Endpoint,
  { attempts: failedBefore }: EndpointState,
  { status, attempts, nextAttemptAt, lastError }: EndpointState,
  { logger }: DeliveryContext,
): void => {
  if (status === 'disabled') logger.error(`Webhook "${name}": the endpoint responded 410 and gets no more messages.`)
  else if (status === 'failed')
    logger.error(
      `Webhook "${name}": attempt ${attempts} of ${maxAttempts} failed (${lastError}). No more messages are sent until "muster webhooks --resume ${name}".`,
    )
  else if (nextAttemptAt !== undefined)
    logger.warn(
      `Webhook "${name}": attempt ${attempts} of ${maxAttempts} failed (${lastError}). Next attempt at ${nextAttemptAt.toISOString()}.`,
    )
  else if (failedBefore > 0) logger.info(`Webhook "${name}": delivered after ${failedBefore} failed attempts.`)
}
