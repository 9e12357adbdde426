import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { MetricsServer } from '../observability/metrics-server.ts'
import type { Snapshot } from '../observability/registry.ts'
import { explainListenError } from './listen-error.ts'

export interface MetricsHandle {
  readonly metrics: Metrics
  /** In a worker, sends a last snapshot of the metrics to the primary process; elsewhere, closes the metrics port. */
  close(): void
}

/** Returns undefined, and loads no metrics code, if no metrics port is configured. */
export const startMetrics = async (
  { metrics: address, workers }: Pick<Config, 'metrics' | 'workers'>,
  { logger }: Pick<Log, 'logger'>,
): Promise<MetricsHandle | undefined> => {
  if (address === undefined) return undefined
  const { openMetrics } = await import('../observability/metrics.ts')
  const metrics = openMetrics()
  if (cluster.isWorker) {
    const { reportWorkerMetrics } = await import('./worker-metrics.ts')
    return { metrics, close: reportWorkerMetrics(metrics) }
  }
  const { collectWorkerMetrics } = await import('./worker-metrics.ts')
  const snapshot = workers > 1 ? collectWorkerMetrics(metrics) : () => metrics.snapshot()
  const server = await listenForMetrics(address, logger, snapshot)
  return { metrics, close: () => server?.close() }
}

/** Serves snapshots to Prometheus. Returns undefined if no metrics port is configured. */
export const listenForMetrics = async (
  address: Config['metrics'],
  logger: Log['logger'],
  snapshot: () => Snapshot | Promise<Snapshot>,
): Promise<MetricsServer | undefined> => {
  if (address === undefined) return undefined
  const { serveMetrics } = await import('../observability/metrics-server.ts')
  const server = await serveMetrics(address, snapshot).catch((error: unknown) => {
    throw explainListenError(error, address, { host: 'MUSTER_METRICS_HOST', port: 'MUSTER_METRICS_PORT' }) ?? error
  })
  logger.info(`Metrics at http://${address.host}:${server.port}/metrics`)
  return server
}
