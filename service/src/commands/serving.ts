/** In charge of a service that runs: its database watched, its port open, and its orderly end. */
import cluster from 'node:cluster'
import { lookup } from 'node:dns/promises'
import type { AddressInfo, ListenOptions } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyListenOptions } from 'fastify'
import { buildApp } from '../app.ts'
import type { Config, TokenLists } from '../config.ts'
import { keepConnections } from '../http/connections.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { alsoTold, joined } from '../observe/observer.ts'
import type { Traces } from '../observe/traces.ts'
import { holdsRealAddresses } from '../operations/real-addresses.ts'
import { openServices } from '../services.ts'
import { listenFault } from './listen-fault.ts'
import { deadlineMs } from './signals.ts'

export interface Serving {
  readonly port: number
  /** Takes other tokens into use, as after a change of the files that hold them. */
  replaceTokens(tokens: TokenLists): void
  /** Resolves once the database has answered for the first time that it can serve. */
  readonly ready: Promise<void>
  /** Ends without failing a request: says not ready, stops listening, waits until it may go on, and lets every client go. */
  close(mayLetGo?: () => Promise<void>): Promise<void>
}

/** Balancers that look often enough send nothing more by then; all others find the port closed and go elsewhere. */
const noticeMs = 500
/** How long a worker waits for its database before it listens. */
const workerStartMs = 2_000

const realPeopleWarning =
  'Everybody who reaches this port can read everything, and there are e-mail addresses of what may be real people: set MUSTER_READS to redacted or token.'

/** Loaded here, so that who wants no traces does not carry them. */
const trace = async (endpoint: string, logger: Log['logger']): Promise<Traces> => {
  const { openTraces } = await import('../observe/traces.ts')
  return openTraces(endpoint, (sentence) => logger.warn(sentence))
}

export const startServing = async (
  config: Config,
  tokens: TokenLists,
  log: Log,
  metrics?: Metrics,
): Promise<Serving> => {
  const { logger } = log
  const traces = config.tracesEndpoint === undefined ? undefined : await trace(config.tracesEndpoint, logger)
  const observer = joined([metrics, traces].filter((each) => each !== undefined))
  const services = openServices({ ...config, tokens, observer })
  const app = buildApp(services, alsoTold(log, observer), observer?.around)
  metrics?.watch(services)
  const connections = keepConnections(app.server, services.admission)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (connections.leaving) reply.header('connection', 'close')
    done(null, payload)
  })
  const firstReady = Promise.withResolvers<void>()
  services.watch(
    ({ ready, sentence }) => {
      if (ready) firstReady.resolve()
      if (ready) logger.info(sentence)
      else logger.error(sentence)
    },
    (err) => logger.error({ err }, 'the upkeep of the database failed'),
  )
  const warnOfRealPeople = async (): Promise<void> => {
    await firstReady.promise
    if (config.reads === 'public' && (await holdsRealAddresses(services.database))) log.logger.warn(realPeopleWarning)
  }
  warnOfRealPeople().catch((err) => log.logger.warn({ err }, 'e-mail addresses of real people were not looked for'))
  const closeAll = async (): Promise<void> => {
    await app.close()
    await services.close()
    await traces?.close()
  }
  const close = async (mayLetGo = async () => {}): Promise<void> => {
    const deadline = performance.now() + deadlineMs
    services.drain()
    await pause(noticeMs)
    await connections.stopListening()
    await mayLetGo()
    const cut = await connections.letGo(deadline - performance.now())
    if (cut > 0) logger.warn(`${cut} connections were cut: their requests were not over in time.`)
    await closeAll()
  }
  try {
    // One address: for a name with two, Fastify would open a second server that nobody drains.
    const { address } = await lookup(config.host)
    // Every worker has its own listening socket: a connection belongs to one process from the start, and the kernel
    // closes it when that process is killed. Not on macOS, where the workers share one socket.
    // A worker that listens gets connections at once, so it waits for its database first, for a while.
    if (cluster.isWorker) await Promise.race([firstReady.promise, pause(workerStartMs, undefined, { ref: false })])
    const reusePort = cluster.isWorker && process.platform !== 'darwin'
    const place: FastifyListenOptions & ListenOptions = { host: address, port: config.port, reusePort }
    await app.listen(place)
  } catch (error) {
    await closeAll()
    throw listenFault(error, config) ?? error
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    replaceTokens: services.replaceTokens,
    ready: firstReady.promise,
    close,
  }
}
