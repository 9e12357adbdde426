import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { errorCodes, version } from '@muster/model'
import type { Database } from '../postgres/connection/database.ts'
import { ConstraintViolation } from '../postgres/connection/sqlstate.ts'
import type { ReplicaState } from '../postgres/replicas.ts'
import { summaryOf } from '../postgres/sql/statement.ts'
import type { CacheOutcome, RequestLogEntry } from './log.ts'
import { isDigestName } from './log.ts'
import { metricDefinitions } from './metric-definitions.ts'
import type { Observer } from './observer.ts'
import type { Series, Snapshot } from './registry.ts'
import { count, observe, Registry } from './registry.ts'

/** The state that is read for each snapshot of the metrics. Everything else is counted when it happens. */
export interface MetricSources {
  readonly database: Database
  readonly cache: {
    readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number }
  }
  readonly lifecycle: { readonly draining: boolean }
  readonly replicas: readonly ReplicaState[]
  /** Undefined while it is not known. */
  readonly changeFeed: { readonly behindSeconds: number | undefined }
}

export interface Metrics extends Observer {
  /** Called when this process starts to serve requests: from then on, snapshots include the state of `sources`. */
  watch(sources: MetricSources): void
  /** A worker exited unexpectedly. */
  countWorkerDeath(): void
  snapshot(): Snapshot
}

const cacheOutcomes: readonly CacheOutcome[] = ['hit', 'miss', 'not_modified', 'none']
const loopTimerMs = 20

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const cacheSeries = Object.fromEntries(
    cacheOutcomes.map((outcome) => [outcome, registry.at('cache', outcome)]),
  ) as Record<CacheOutcome, Series>
  const errorSeries = new Map(Object.keys(errorCodes).map((code) => [code, registry.at('errors', code)]))
  const rowsAnswered = registry.at('rowsAnswered')
  const workerDeaths = registry.at('workerDeaths')
  const seriesByRoute = new LazyMap((route: string) => routeSeries(registry, route === '' ? 'none' : route))
  const statementSeries = new LazyMap((statement: string) => registry.at('statementSeconds', statement))
  const tokenSeries = new LazyMap((name: string | undefined) => registry.at('requestsByToken', tokenLabel(name)))
  const waitSeries = new LazyMap((pool: string) => registry.at('poolWaitSeconds', pool))
  let sources: MetricSources | undefined

  return {
    onResponse(
      { method, route, status, ms, rows, cache: outcome, created, error, token }: RequestLogEntry,
      _request: IncomingMessage,
    ) {
      const series = seriesByRoute.at(route).at(method)
      count(series.byStatus.at(status))
      observe(series.seconds, metricDefinitions.requestSeconds.bounds, ms / 1_000)
      count(cacheSeries[outcome])
      count(tokenSeries.at(token))
      count(rowsAnswered, rows)
      if (created !== undefined) count(registry.at('rowsCreated', route), created)
      if (error !== undefined) count(errorSeries.get(error) as Series)
    },
    onPoolWait(pool, ms) {
      observe(waitSeries.at(pool), metricDefinitions.poolWaitSeconds.bounds, ms / 1_000)
    },
    onStatement(pool, statement) {
      const start = performance.now()
      return (rows, error) => {
        observe(
          statementSeries.at(summaryOf(statement)),
          metricDefinitions.statementSeconds.bounds,
          (performance.now() - start) / 1_000,
        )
        if (rows === undefined && !(error instanceof ConstraintViolation)) count(registry.at('statementFailures', pool))
      }
    },
    watch(newSources) {
      sources = newSources
      // The series of all pools are created now, so that those of unused pools are exported as 0.
      for (const { name } of newSources.database.pools) {
        waitSeries.at(name)
        registry.at('statementFailures', name)
      }
      measureLoopDelay(registry.at('loopSeconds'))
    },
    countWorkerDeath: () => count(workerDeaths),
    snapshot() {
      setProcessMetrics(registry)
      setSourceMetrics(registry, sources)
      return registry.snapshot()
    },
  }
}

/** A map that creates a value at the first access of its key. */
class LazyMap<K, V> {
  readonly #values = new Map<K, V>()
  readonly #create: (key: K) => V

  constructor(create: (key: K) => V) {
    this.#create = create
  }

  at(key: K): V {
    const existing = this.#values.get(key)
    if (existing !== undefined) return existing
    const value = this.#create(key)
    this.#values.set(key, value)
    return value
  }
}

/** Bounded: a token that is not in the access file has the first digits of its digest as its name. */
const tokenLabel = (name: string | undefined): string =>
  name === undefined ? 'none' : isDigestName(name) ? 'other' : name

const routeSeries = (registry: Registry, route: string) =>
  new LazyMap((method: string) => ({
    seconds: registry.at('requestSeconds', method, route),
    byStatus: new LazyMap((status: number) => registry.at('requests', method, route, String(status))),
  }))

const measureLoopDelay = (series: Series): void => {
  let dueAt = performance.now() + loopTimerMs
  setInterval(() => {
    const now = performance.now()
    observe(series, metricDefinitions.loopSeconds.bounds, Math.max(now - dueAt, 0) / 1_000)
    dueAt = now + loopTimerMs
  }, loopTimerMs).unref()
}

export const setProcessMetrics = (registry: Registry): void => {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  registry.set('memory', rss)
  registry.set('heap', heapUsed)
  registry.set('cpu', (user + system) / 1e6)
  registry.set('started', performance.timeOrigin / 1_000)
  registry.set('build', 1, version, process.version)
}

const setSourceMetrics = (registry: Registry, sources: MetricSources | undefined): void => {
  registry.set('workers', sources === undefined ? 0 : 1)
  registry.set('ready', sources?.database.ready === true && !sources.lifecycle.draining ? 1 : 0)
  if (sources === undefined) return
  const { database, cache, replicas, changeFeed } = sources
  for (const { name, size, busy, waiting, open } of database.pools) {
    registry.set('poolSize', size, name)
    registry.set('poolBusy', busy, name)
    registry.set('poolWaiting', waiting, name)
    registry.set('poolOpen', open, name)
  }
  for (const { name, usable, lagSeconds, outcomes } of replicas) {
    registry.set('replicaFit', usable ? 1 : 0, name)
    if (lagSeconds !== undefined) registry.set('replicaLag', lagSeconds, name)
    for (const [outcome, count] of Object.entries(outcomes)) registry.set('replicaReads', count, name, outcome)
  }
  registry.set('changesBehind', changeFeed.behindSeconds)
  registry.set('cacheBytes', cache.memory.bytes)
  registry.set('cacheMaxBytes', cache.memory.maxBytes)
  registry.set('cacheEvictions', cache.memory.evictions)
  registry.set('loopBusySeconds', performance.eventLoopUtilization().active / 1_000)
}
