import cluster from 'node:cluster'
import { lookup } from 'node:dns/promises'
import type { AddressInfo, ListenOptions } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyListenOptions } from 'fastify'
import type { Config } from '../config/config.ts'
import { openDependencies } from '../dependencies.ts'
import type { TokenLists } from '../http/access/callers.ts'
import type { ConnectionLimits } from '../http/connection/shutdown-and-slow-clients.ts'
import { trackConnections } from '../http/connection/shutdown-and-slow-clients.ts'
import type { RequestTimeLimits } from '../http/server.ts'
import { buildApp } from '../http/server.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { combineObservers, observedLog } from '../observability/observer.ts'
import type { Traces } from '../observability/traces.ts'
import { explainListenError } from './listen-error.ts'
import { deadlineMs } from './signals.ts'

export interface RunningServer {
  readonly port: number
  replaceTokens(tokens: TokenLists): void
  /** Resolves when the database is ready for the first time. */
  readonly ready: Promise<void>
  /**
   * Shuts down gracefully: /readyz responds 503, the server stops listening, `beforeDisconnect` is awaited, and all
   * connections are closed.
   */
  close(beforeDisconnect?: () => Promise<void>): Promise<void>
}

/** Replacements for time limits, so that tests do not wait for them. */
export interface ServerLimits {
  readonly request?: Partial<RequestTimeLimits>
  readonly connection?: Partial<ConnectionLimits>
  readonly shutdown?: { readonly noticeMs?: number; readonly deadlineMs?: number }
}

/** Time for load balancers to notice that /readyz fails. Load balancers that check less often find the port closed. */
export const noticeMs = 500
/** How long a worker waits for the database before it listens anyway. */
const workerStartMs = 2_000

const realEmailWarning =
  'Everyone who can reach this port can read all records, and some e-mail addresses may belong to real people: set MUSTER_READS to redacted or token.'

/** Where the package @opentelemetry/api stores what an SDK has registered, such as one that `node --import` loaded. */
const sdkKey = Symbol.for('opentelemetry.js.api.1')
const isSdkLoaded = (): boolean =>
  (globalThis as { [sdkKey]?: { readonly trace?: unknown } })[sdkKey]?.trace !== undefined

/** The tracing code is loaded only if traces are enabled. */
const loadTraces = async ({ traces }: Config, logger: Log['logger']): Promise<Traces | undefined> => {
  if (traces === undefined) return undefined
  if (isSdkLoaded()) {
    // The SDK reads the same settings, so every request would be exported twice.
    logger.info('An OpenTelemetry SDK is loaded, so Muster exports no spans of its own.')
    return undefined
  }
  const { openTraces } = await import('../observability/traces.ts')
  return openTraces(traces, (message) => logger.warn(message))
}

export const startServer = async (
  config: Config,
  tokens: TokenLists,
  log: Log,
  metrics?: Metrics,
  limits: ServerLimits = {},
): Promise<RunningServer> => {
  const { logger } = log
  const traces = await loadTraces(config, logger)
  const observer = combineObservers([metrics, traces].filter((each) => each !== undefined))
  const dependencies = openDependencies({ ...config, tokens, observer })
  const app = buildApp(dependencies, observedLog(log, observer), observer?.wrapListener, limits.request)
  metrics?.watch(dependencies)
  const connections = trackConnections(app.server, dependencies.admission, limits.connection)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (connections.closing) reply.header('connection', 'close')
    done(null, payload)
  })
  const firstReady = Promise.withResolvers<void>()
  dependencies.watch(
    ({ ready, sentence }) => {
      if (ready) firstReady.resolve()
      if (ready) logger.info(sentence)
      else logger.error(sentence)
    },
    (err) => logger.error({ err }, 'database maintenance failed'),
    ({ isLate, sentence }) => (isLate ? logger.warn(sentence) : logger.info(sentence)),
  )
  const warnAboutRealEmails = async (): Promise<void> => {
    await firstReady.promise
    if (config.reads === 'public' && (await dependencies.checkEmailDomains())) log.logger.warn(realEmailWarning)
  }
  warnAboutRealEmails().catch((err) => log.logger.warn({ err }, 'the check for real e-mail addresses failed'))
  const closeAll = async (): Promise<void> => {
    await app.close()
    await dependencies.close()
    await traces?.close()
  }
  const close = async (beforeDisconnect = async () => {}): Promise<void> => {
    const deadline = performance.now() + (limits.shutdown?.deadlineMs ?? deadlineMs)
    dependencies.drain()
    await pause(limits.shutdown?.noticeMs ?? noticeMs)
    await connections.stopListening()
    await beforeDisconnect()
    const destroyedCount = await connections.closeConnections(deadline - performance.now())
    if (destroyedCount > 0)
      logger.warn(`${destroyedCount} connections were cut because their requests did not finish in time.`)
    await closeAll()
  }
  try {
    // For a host name with two addresses, Fastify would open a second server, which would not be drained.
    const { address } = await lookup(config.host)
    // Every worker has its own listening socket: a connection belongs to one process from the start, and the kernel
    // closes it when that process is killed. On macOS the workers share one socket instead.
    // A worker gets connections as soon as it listens, so it waits up to `workerStartMs` for its database first.
    if (cluster.isWorker) await Promise.race([firstReady.promise, pause(workerStartMs, undefined, { ref: false })])
    const reusePort = cluster.isWorker && process.platform !== 'darwin'
    const options: FastifyListenOptions & ListenOptions = { host: address, port: config.port, reusePort }
    await app.listen(options)
  } catch (error) {
    await closeAll()
    throw explainListenError(error, config) ?? error
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    replaceTokens: dependencies.replaceTokens,
    ready: firstReady.promise,
    close,
  }
}
