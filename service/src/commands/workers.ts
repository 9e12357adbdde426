/** In charge of several processes on one port: forks them, replaces those that die, and passes signals on. Serves nothing itself. */
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ExitCode } from './command.ts'
import { exitCodes } from './command.ts'
import { askedToEnd, deadlineMs } from './signals.ts'

export interface WorkersOptions {
  readonly count: number
  readonly port: number
  /** What Node is told before it runs a worker. */
  readonly flags: readonly string[]
  readonly onDeath: (sentence: string) => void
  /** Called with the signal that starts the shutdown. */
  readonly onShutdown: (signal: NodeJS.Signals) => void
}

/** Who has not served for so long died of its start, and the next one may do the same: pauses grow. */
const shortLifeMs = 5_000
const firstPauseMs = 200
const longestPauseMs = 30_000
/** A worker ends by its own deadline; one that cannot is ended. */
const patienceMs = deadlineMs + 1_500

export const runWorkers = async ({ count, port, flags, onDeath, onShutdown }: WorkersOptions): Promise<ExitCode> => {
  const end = new AbortController()
  const asked = askedToEnd(() => {
    passOn('SIGKILL')
    process.exit(exitCodes.interrupted)
  })
  process.on('SIGHUP', () => passOn('SIGHUP'))
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../bin/muster.js', import.meta.url)),
    args: ['serve'],
    execArgv: [...flags],
  })
  const fork = () => cluster.fork({ PORT: String(port) })
  const firstListens = Promise.withResolvers<true>()
  cluster.on('message', (worker, message) => {
    if (message !== messages.listening) return
    listensSince.set(worker, performance.now())
    firstListens.resolve(true)
  })
  // The first one alone: what keeps it from starting keeps all of them, and is said once.
  const first = fork()
  const started = await Promise.race([firstListens.promise, once(first, 'exit').then(() => false)])
  if (!started) return exitCodes.refused
  const seats = Array.from({ length: count }, (_, index) =>
    keepSeat(index === 0 ? first : fork(), fork, end.signal, onDeath),
  )
  tellWhenNoneListens(end.signal)
  onShutdown(await asked)
  end.abort()
  passOn('SIGTERM')
  const impatience = setTimeout(() => passOn('SIGKILL'), patienceMs)
  const ends = await Promise.all(seats)
  clearTimeout(impatience)
  return ends.every((orderly) => orderly) ? exitCodes.done : exitCodes.refused
}

/** What a worker sends once it listens and once it has stopped, and what it receives when all have stopped. */
const messages = {
  listening: 'muster: listening',
  stopped: 'muster: stopped listening',
  all: 'muster: none listens',
} as const
const longestWaitMs = 1_000

/** For a worker: Node's own `listening` event reaches the primary only for sockets that the primary shares. */
export const reportListening = (): void => {
  process.send?.(messages.listening)
}

/**
 * For a worker: resolves once none of them listens. A client let go any sooner would come back to one that is about to stop,
 * and find its connection cut.
 */
export const noWorkerListens = async (): Promise<void> => {
  const told = new Promise<void>((resolve) => {
    process.on('message', (message) => message === messages.all && resolve())
  })
  process.send?.(messages.stopped)
  await Promise.race([told, pause(longestWaitMs, undefined, { ref: false })])
}

const tellWhenNoneListens = (end: AbortSignal): void => {
  const stopped = new Set<number>()
  const tell = () => {
    const living = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[]
    if (!living.every(({ id }) => stopped.has(id))) return
    for (const worker of living) worker.send(messages.all)
  }
  cluster.on('exit', tell)
  cluster.on('message', (worker, message) => {
    if (message !== messages.stopped) return
    stopped.add(worker.id)
    // One that ends by itself leaves its clients to the others.
    if (end.aborted) tell()
    else worker.send(messages.all)
  })
}

const passOn = (signal: NodeJS.Signals): void => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
}

const listensSince = new WeakMap<Worker, number>()

/** One worker at a time until the end; resolves with whether the last one's was orderly. */
const keepSeat = async (
  first: Worker,
  fork: () => Worker,
  end: AbortSignal,
  onDeath: WorkersOptions['onDeath'],
): Promise<boolean> => {
  let worker = first
  let shortLives = 0
  for (;;) {
    const [code, signal] = (await once(worker, 'exit')) as [number | null, NodeJS.Signals | null]
    // By the signal itself only who had not begun to serve.
    if (end.aborted) return code === 0 || signal === 'SIGTERM'
    const servedMs = performance.now() - (listensSince.get(worker) ?? performance.now())
    shortLives = servedMs < shortLifeMs ? shortLives + 1 : 0
    const pauseMs = shortLives === 0 ? 0 : Math.min(firstPauseMs * 2 ** (shortLives - 1), longestPauseMs)
    onDeath(`Worker ${worker.process.pid} ended (${signal ?? `exit code ${code}`}); another starts in ${pauseMs} ms.`)
    await pause(pauseMs, undefined, { signal: end }).catch(() => {})
    if (end.aborted) return true
    worker = fork()
  }
}
