/** In charge of counting: what happens is added where it happens, what is the case is looked up when somebody asks. */
import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { errorCodes, version } from '@muster/model'
import type { Database } from '../database/database.ts'
import type { ReplicaState } from '../database/replicas.ts'
import { RefusedValue } from '../database/sql-states.ts'
import { summaryOf } from '../database/statement.ts'
import type { Answered, CacheOutcome } from '../log.ts'
import { families } from './families.ts'
import type { Observer } from './observer.ts'
import type { Series, Snapshot } from './registry.ts'
import { count, observe, Registry } from './registry.ts'

/** What is looked at when somebody asks. */
export interface Watched {
  readonly database: Database
  readonly answers: {
    readonly memory: { readonly bytes: number; readonly maxBytes: number; readonly evictions: number }
  }
  readonly draining: boolean
  readonly replicas: readonly ReplicaState[]
}

export interface Metrics extends Observer {
  /** From now on this process serves, and its state is told too. */
  watch(services: Watched): void
  noteDeath(): void
  snapshot(): Snapshot
}

const outcomes: readonly CacheOutcome[] = ['hit', 'miss', 'not_modified', 'none']
const timerMs = 20

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const cache = Object.fromEntries(outcomes.map((outcome) => [outcome, registry.at('cache', outcome)])) as Record<
    CacheOutcome,
    Series
  >
  const errors = new Map(Object.keys(errorCodes).map((code) => [code, registry.at('errors', code)]))
  const rowsAnswered = registry.at('rowsAnswered')
  const deaths = registry.at('workerDeaths')
  const routes = new Kept((route: string) => routeSeries(registry, route === '' ? 'none' : route))
  const statements = new Kept((statement: string) => registry.at('statementSeconds', statement))
  const waits = new Kept((pool: string) => registry.at('poolWaitSeconds', pool))
  let services: Watched | undefined

  return {
    answered({ method, route, status, ms, rows, cache: outcome, created, error }: Answered, _request: IncomingMessage) {
      const series = routes.at(route).at(method)
      count(series.byStatus.at(status))
      observe(series.seconds, families.requestSeconds.bounds, ms / 1_000)
      count(cache[outcome])
      count(rowsAnswered, rows)
      if (created !== undefined) count(registry.at('rowsCreated', route), created)
      if (error !== undefined) count(errors.get(error) as Series)
    },
    waited(pool, ms) {
      observe(waits.at(pool), families.poolWaitSeconds.bounds, ms / 1_000)
    },
    began(pool, statement) {
      const start = performance.now()
      return (rows, error) => {
        observe(
          statements.at(summaryOf(statement)),
          families.statementSeconds.bounds,
          (performance.now() - start) / 1_000,
        )
        if (rows === undefined && !(error instanceof RefusedValue)) count(registry.at('statementFaults', pool))
      }
    },
    watch(watched) {
      services = watched
      for (const { name } of watched.database.pools) {
        waits.at(name)
        registry.at('statementFaults', name)
      }
      watchLoop(registry.at('loopSeconds'))
    },
    noteDeath: () => count(deaths),
    snapshot() {
      tellProcess(registry)
      tellServices(registry, services)
      return registry.snapshot()
    },
  }
}

/** Values by key, made when first asked for. */
class Kept<K, V> {
  readonly #values = new Map<K, V>()
  readonly #make: (key: K) => V

  constructor(make: (key: K) => V) {
    this.#make = make
  }

  at(key: K): V {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const made = this.#make(key)
    this.#values.set(key, made)
    return made
  }
}

const routeSeries = (registry: Registry, route: string) =>
  new Kept((method: string) => ({
    seconds: registry.at('requestSeconds', method, route),
    byStatus: new Kept((status: number) => registry.at('requests', method, route, String(status))),
  }))

const watchLoop = (series: Series): void => {
  let due = performance.now() + timerMs
  setInterval(() => {
    const now = performance.now()
    observe(series, families.loopSeconds.bounds, Math.max(now - due, 0) / 1_000)
    due = now + timerMs
  }, timerMs).unref()
}

const tellProcess = (registry: Registry): void => {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  registry.set('memory', rss)
  registry.set('heap', heapUsed)
  registry.set('cpu', (user + system) / 1e6)
  registry.set('started', performance.timeOrigin / 1_000)
  registry.set('build', 1, version, process.version)
}

const tellServices = (registry: Registry, services: Watched | undefined): void => {
  registry.set('workers', services === undefined ? 0 : 1)
  registry.set('ready', services?.database.ready === true && !services.draining ? 1 : 0)
  if (services === undefined) return
  const { database, answers, replicas } = services
  for (const { name, size, busy, waiting, open } of database.pools) {
    registry.set('poolSize', size, name)
    registry.set('poolBusy', busy, name)
    registry.set('poolWaiting', waiting, name)
    registry.set('poolOpen', open, name)
  }
  for (const { name, fit, lagSeconds, outcomes } of replicas) {
    registry.set('replicaFit', fit ? 1 : 0, name)
    if (lagSeconds !== undefined) registry.set('replicaLag', lagSeconds, name)
    for (const [outcome, count] of Object.entries(outcomes)) registry.set('replicaReads', count, name, outcome)
  }
  registry.set('cacheBytes', answers.memory.bytes)
  registry.set('cacheMaxBytes', answers.memory.maxBytes)
  registry.set('cacheEvictions', answers.memory.evictions)
  registry.set('loopBusySeconds', performance.eventLoopUtilization().active / 1_000)
}
