/** In charge of counting for Prometheus where that is wanted: nothing is loaded and no port is opened where it is not. */
import cluster from 'node:cluster'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { listenFault } from './listen-fault.ts'

export interface CountedMetrics {
  readonly counted: Metrics
  /** Tells what is left to tell, and closes the port. */
  end(): void
}

export const countMetrics = async (
  { metrics: place, workers }: Pick<Config, 'metrics' | 'workers'>,
  { logger }: Pick<Log, 'logger'>,
): Promise<CountedMetrics | undefined> => {
  if (place === undefined) return undefined
  const { openMetrics } = await import('../observe/metrics.ts')
  const counted = openMetrics()
  if (cluster.isWorker) {
    const { answerForMetrics } = await import('./worker-metrics.ts')
    return { counted, end: answerForMetrics(counted) }
  }
  const { serveMetrics } = await import('../observe/metrics-server.ts')
  const { gatherMetrics } = await import('./worker-metrics.ts')
  const take = workers > 1 ? gatherMetrics(counted) : () => counted.snapshot()
  const server = await serveMetrics(place, take).catch((error: unknown) => {
    throw listenFault(error, place, { host: 'MUSTER_METRICS_HOST', port: 'MUSTER_METRICS_PORT' }) ?? error
  })
  logger.info(`Metrics at http://${place.host}:${server.port}/metrics`)
  return { counted, end: () => server.close() }
}
