/** Merges the metrics of all workers in the primary, including the counters of workers that have exited. */
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import type { Metrics } from '../observability/metrics.ts'
import type { Snapshot } from '../observability/registry.ts'
import { countersOf, mergeSnapshots } from '../observability/registry.ts'

const metricsRequest = 'muster: metrics?'
interface MetricsMessage {
  readonly metrics: Snapshot
}
/** A worker that does not reply in time contributes its last known counters, but no gauges. */
const replyTimeoutMs = 1_000

/** Called in the primary: returns a function that reads the metrics of the primary and its workers. */
export const collectWorkerMetrics = (ownMetrics: Metrics): (() => Promise<Snapshot>) => {
  const lastSnapshots = new Map<number, Snapshot>()
  let exitedCounters: Snapshot = {}
  let repliedIds = new Set<number>()
  let checkComplete = () => {}
  cluster.on('message', (worker, message: unknown) => {
    if (!isMetricsMessage(message) || worker.isDead()) return
    lastSnapshots.set(worker.id, message.metrics)
    repliedIds.add(worker.id)
    checkComplete()
  })
  cluster.on('exit', (worker) => {
    exitedCounters = mergeSnapshots([exitedCounters, countersOf(lastSnapshots.get(worker.id) ?? {})])
    lastSnapshots.delete(worker.id)
    checkComplete()
  })

  const collect = async (): Promise<Snapshot> => {
    repliedIds = new Set()
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[]
    const { promise, resolve } = Promise.withResolvers<void>()
    checkComplete = () => {
      if (workers.every((worker) => repliedIds.has(worker.id) || worker.isDead())) resolve()
    }
    const timeout = setTimeout(resolve, replyTimeoutMs)
    for (const worker of workers) worker.send(metricsRequest, () => {})
    checkComplete()
    await promise
    clearTimeout(timeout)
    const workerSnapshots = [...lastSnapshots].map(([id, snapshot]) =>
      repliedIds.has(id) ? snapshot : countersOf(snapshot),
    )
    return mergeSnapshots([ownMetrics.snapshot(), exitedCounters, ...workerSnapshots])
  }
  // Concurrent callers share one collection.
  let runningCollection: Promise<Snapshot> | undefined
  return () => {
    runningCollection ??= collect().finally(() => {
      runningCollection = undefined
    })
    return runningCollection
  }
}

/**
 * Called in a worker: replies when the primary asks for metrics. Returns a function that sends a last snapshot, to be
 * called before the worker exits.
 */
export const reportWorkerMetrics = (metrics: Metrics): (() => void) => {
  const sendSnapshot = () => {
    if (process.connected) process.send?.({ metrics: metrics.snapshot() } satisfies MetricsMessage)
  }
  process.on('message', (message) => message === metricsRequest && sendSnapshot())
  return sendSnapshot
}

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message
