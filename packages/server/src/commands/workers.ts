import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ExitCode } from './command.ts'
import { exitCodes } from './command.ts'
import { deadlineMs, shutdownSignal } from './signals.ts'

export interface WorkersOptions {
  readonly count: number
  readonly port: number
  /** Node options of the workers. */
  readonly flags: readonly string[]
  readonly onExit: (message: string) => void
  /** Called with the signal that starts the shutdown. */
  readonly onShutdown: (signal: NodeJS.Signals) => void
}

/**
 * A worker that listened for less than this time probably failed to start. Each such exit in a row doubles the restart
 * delay.
 */
const shortLifeMs = 5_000
const firstDelayMs = 200
const maxDelayMs = 30_000
/** A worker should exit by its own deadline; if it has not exited after this time, it is killed. */
const killAfterMs = deadlineMs + 1_500

/** Starts and supervises the workers from the primary process, which serves no requests itself. */
export const runWorkers = async ({ count, port, flags, onExit, onShutdown }: WorkersOptions): Promise<ExitCode> => {
  const shutdown = new AbortController()
  const shutdownRequested = shutdownSignal(() => {
    forwardSignal('SIGKILL')
    process.exit(exitCodes.interrupted)
  })
  process.on('SIGHUP', () => forwardSignal('SIGHUP'))
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../bin/muster.js', import.meta.url)),
    args: ['serve'],
    execArgv: [...flags],
  })
  const forkWorker = () => cluster.fork({ PORT: String(port) })
  const firstListening = Promise.withResolvers<true>()
  cluster.on('message', (worker, message) => {
    if (message !== workerMessages.listening) return
    listeningSince.set(worker, performance.now())
    firstListening.resolve(true)
  })
  // The first worker starts alone: an error that prevents all of them from starting is reported once.
  const firstWorker = forkWorker()
  const isListening = await Promise.race([firstListening.promise, once(firstWorker, 'exit').then(() => false)])
  if (!isListening) return exitCodes.failure
  const supervisedWorkers = Array.from({ length: count }, (_, index) =>
    superviseWorker(index === 0 ? firstWorker : forkWorker(), forkWorker, shutdown.signal, onExit),
  )
  reportAllStopped(shutdown.signal)
  onShutdown(await shutdownRequested)
  shutdown.abort()
  forwardSignal('SIGTERM')
  const killTimer = setTimeout(() => forwardSignal('SIGKILL'), killAfterMs)
  const results = await Promise.all(supervisedWorkers)
  clearTimeout(killTimer)
  return results.every((graceful) => graceful) ? exitCodes.success : exitCodes.failure
}

/** A worker sends `listening` and `stopped`, and receives `allStopped` when every worker has stopped listening. */
const workerMessages = {
  listening: 'muster: listening',
  stopped: 'muster: stopped listening',
  allStopped: 'muster: none listens',
} as const
const maxStopWaitMs = 1_000

/** For a worker: Node's own `listening` event reaches the primary only for sockets that the primary shares. */
export const reportListening = (): void => {
  process.send?.(workerMessages.listening)
}

/**
 * Called in a worker: resolves when no worker is listening any more. A client that is disconnected earlier could
 * reconnect to a worker that is about to stop, and lose that connection too.
 */
export const allWorkersStoppedListening = async (): Promise<void> => {
  const allStopped = new Promise<void>((resolve) => {
    process.on('message', (message) => message === workerMessages.allStopped && resolve())
  })
  process.send?.(workerMessages.stopped)
  await Promise.race([allStopped, pause(maxStopWaitMs, undefined, { ref: false })])
}

const reportAllStopped = (shutdown: AbortSignal): void => {
  const stoppedWorkerIds = new Set<number>()
  const reportIfAllStopped = () => {
    const runningWorkers = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker?.isConnected() === true,
    ) as Worker[]
    if (!runningWorkers.every(({ id }) => stoppedWorkerIds.has(id))) return
    for (const worker of runningWorkers) worker.send(workerMessages.allStopped)
  }
  cluster.on('exit', reportIfAllStopped)
  cluster.on('message', (worker, message) => {
    if (message !== workerMessages.stopped) return
    stoppedWorkerIds.add(worker.id)
    // If only this worker stops, its clients can reconnect to the others at once.
    if (shutdown.aborted) reportIfAllStopped()
    else worker.send(workerMessages.allStopped)
  })
}

const forwardSignal = (signal: NodeJS.Signals): void => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
}

const listeningSince = new WeakMap<Worker, number>()

/** Replaces a worker each time it exits, until the shutdown. Resolves with whether the last one exited gracefully. */
const superviseWorker = async (
  firstWorker: Worker,
  fork: () => Worker,
  shutdown: AbortSignal,
  onExit: WorkersOptions['onExit'],
): Promise<boolean> => {
  let worker = firstWorker
  let shortLifeCount = 0
  for (;;) {
    const [code, signal] = (await once(worker, 'exit')) as [number | null, NodeJS.Signals | null]
    // SIGTERM kills a worker only if the worker has not installed its signal handlers yet.
    if (shutdown.aborted) return code === 0 || signal === 'SIGTERM'
    const servedMs = performance.now() - (listeningSince.get(worker) ?? performance.now())
    shortLifeCount = servedMs < shortLifeMs ? shortLifeCount + 1 : 0
    const delayMs = shortLifeCount === 0 ? 0 : Math.min(firstDelayMs * 2 ** (shortLifeCount - 1), maxDelayMs)
    onExit(`Worker ${worker.process.pid} exited (${signal ?? `exit code ${code}`}); a new one starts in ${delayMs} ms.`)
    await pause(delayMs, undefined, { signal: shutdown }).catch(() => {})
    if (shutdown.aborted) return true
    worker = fork()
  }
}
