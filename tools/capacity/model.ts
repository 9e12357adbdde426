/** Computes the number of machines needed for a request rate from measured unit costs and assumptions. */

export const requestKinds = ['unchanged', 'hotList', 'hotGet', 'page', 'search', 'create'] as const
export type RequestKind = (typeof requestKinds)[number]

export interface UnitCost {
  /** CPU microseconds that the service spends on one request. */
  readonly service: number
  readonly database: number
  /** Requests per second of one service process that shares the machine with load generator and database. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Bytes {
  readonly plain: number
  readonly gzip: number
}

/** Values measured by measure.ts. */
export interface UnitCosts {
  readonly rows: number
  readonly seconds: number
  readonly costs: Readonly<Record<RequestKind, UnitCost>>
  readonly listBytes: Bytes
  readonly getBytes: Bytes
  /** CPU microseconds that the database spends on a table version query if the query serves only one request. */
  readonly unsharedVersionQuery: number
  readonly memoryMb: { readonly idle: number; readonly loaded: number }
  /** Database connections that one process had open after requests of all kinds. */
  readonly connections: number
}

/** Inputs of the capacity model that were not measured. */
export interface Assumptions {
  /** Number of requests of each kind among 1,000 requests. */
  readonly mix: Readonly<Record<RequestKind, number>>
  /** CPU utilization in the busiest minute. */
  readonly utilization: number
  readonly serviceMachineCores: number
  readonly databaseMachineCores: number
  /** CPU microseconds of a reverse proxy per request, including TLS. */
  readonly proxyMicros: number
  /** Dollars per hour of one core with its memory. */
  readonly dollarsPerCoreHour: number
  /** A database server with more sessions than this needs a connection pooler. */
  readonly sessionsPerServer: number
}

export interface CapacityPlan {
  readonly rate: number
  readonly serviceProcesses: number
  readonly serviceMachines: number
  readonly proxyCores: number
  /** Cores for work that only a primary can do: creates, and the table version query that every read needs. */
  readonly primaryCores: number
  /** What `primaryCores` would be if every read needed its own table version query. */
  readonly primaryCoresAtWorst: number
  /** Cores for work that replicas can do: pages and searches that are read from tables. */
  readonly replicaCores: number
  readonly shards: number
  /** Number of database machines: primaries, a standby for each primary, and replicas. */
  readonly databaseMachines: number
  readonly sessionsPerPrimary: number
  readonly needsPooler: boolean
  readonly gigabits: number
  readonly cores: number
  readonly dollarsPerMillion: number
}

const readKinds = ['unchanged', 'hotList', 'hotGet', 'page', 'search'] as const

/**
 * Cost per request of a table version query that several requests share. It is the cost of a cached response, which
 * needs nothing else from the database.
 */
const versionQueryMicros = ({ costs }: UnitCosts): number =>
  (costs.unchanged.database + costs.hotList.database + costs.hotGet.database) / 3

export const planCapacity = (rate: number, units: UnitCosts, assumed: Assumptions): CapacityPlan => {
  const share = (kind: RequestKind) => assumed.mix[kind] / 1_000
  const weightedSum = (kinds: readonly RequestKind[], costOf: (kind: RequestKind) => number) =>
    kinds.reduce((sum, kind) => sum + share(kind) * costOf(kind), 0)
  /** Cores needed if each request takes this many microseconds on average. */
  const coresFor = (micros: number) => (rate * micros) / 1e6 / assumed.utilization

  const serviceProcesses = Math.max(
    2,
    Math.ceil(coresFor(weightedSum(requestKinds, (kind) => units.costs[kind].service))),
  )
  const serviceMachines = Math.max(2, Math.ceil(serviceProcesses / assumed.serviceMachineCores))
  const proxyCores = Math.max(2, Math.ceil(coresFor(assumed.proxyMicros)))

  const replicaCores = coresFor(weightedSum(['page', 'search'], (kind) => units.costs[kind].database))
  const createMicros = share('create') * units.costs.create.database
  const primaryCores = coresFor(weightedSum(readKinds, () => versionQueryMicros(units)) + createMicros)
  const isOneServerEnough = primaryCores + replicaCores <= assumed.databaseMachineCores
  const shards = Math.ceil(primaryCores / assumed.databaseMachineCores)
  // If one database server is enough, there are no replicas, and its standby is used only for failover.
  const replicaMachines = isOneServerEnough ? 0 : Math.ceil(replicaCores / assumed.databaseMachineCores)
  const databaseMachines = 2 * shards + replicaMachines
  const databaseCores = isOneServerEnough
    ? 2 * Math.ceil(primaryCores + replicaCores)
    : databaseMachines * assumed.databaseMachineCores

  const sessionsPerPrimary = serviceProcesses * units.connections
  const bytesPerRequest =
    weightedSum(['hotList', 'page', 'search'], () => units.listBytes.gzip) +
    weightedSum(['hotGet'], () => units.getBytes.gzip)
  const allCores = serviceProcesses + proxyCores + databaseCores
  return {
    rate,
    serviceProcesses,
    serviceMachines,
    proxyCores,
    primaryCores,
    primaryCoresAtWorst: coresFor(weightedSum(readKinds, () => units.unsharedVersionQuery) + createMicros),
    replicaCores,
    shards,
    databaseMachines,
    sessionsPerPrimary,
    needsPooler: sessionsPerPrimary > assumed.sessionsPerServer,
    gigabits: (rate * bytesPerRequest * 8) / 1e9,
    cores: allCores,
    dollarsPerMillion: (allCores * assumed.dollarsPerCoreHour) / ((rate * 3_600) / 1e6),
  }
}
