/** In charge of the model of capacity: from what one request costs and what is assumed, to the machines for a rate. */

export const requestKinds = ['unchanged', 'hotList', 'hotGet', 'page', 'search', 'create'] as const
export type RequestKind = (typeof requestKinds)[number]

export interface UnitCost {
  /** Microseconds of processor time per request. */
  readonly service: number
  readonly database: number
  /** Requests a second of one service process beside its load and its database, and how long they took. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Bytes {
  readonly plain: number
  readonly gzip: number
}

/** What was measured. */
export interface UnitCosts {
  readonly rows: number
  readonly seconds: number
  readonly costs: Readonly<Record<RequestKind, UnitCost>>
  readonly listBytes: Bytes
  readonly getBytes: Bytes
  /** What the database takes for a look at the books that serves a single request, in microseconds. */
  readonly loneLook: number
  readonly memoryMb: { readonly idle: number; readonly loaded: number }
  /** Sessions of the database that one process held after all kinds of requests. */
  readonly connections: number
}

/** What was not measured, and is to be set by whoever knows better. */
export interface Assumptions {
  /** Of a thousand requests. */
  readonly mix: Readonly<Record<RequestKind, number>>
  /** How much of a processor may be used in the busiest minute. */
  readonly utilization: number
  readonly serviceMachineCores: number
  readonly databaseMachineCores: number
  /** Microseconds of a front per request, TLS included. */
  readonly frontMicros: number
  /** Of one core with its memory, in dollars. */
  readonly coreHour: number
  /** Sessions that one server may hold before a pooler has to stand before it. */
  readonly sessionsPerServer: number
}

export interface Bill {
  readonly rate: number
  readonly serviceProcesses: number
  readonly serviceMachines: number
  readonly frontCores: number
  /** Cores of work that only a primary can do: creates, and the look at the books that every read needs. */
  readonly primaryCores: number
  /** The same if no two requests ever shared a look. */
  readonly primaryCoresAtWorst: number
  /** Cores of work that a replica can do. */
  readonly replicaCores: number
  readonly shards: number
  /** Primaries, a standby for each, and replicas. */
  readonly databaseMachines: number
  readonly sessionsPerPrimary: number
  readonly needsPooler: boolean
  readonly gigabits: number
  readonly cores: number
  readonly dollarsPerMillion: number
}

const readKinds = ['unchanged', 'hotList', 'hotGet', 'page', 'search'] as const

/** What the look at the books costs the database: answers from memory need nothing else of it. */
const lookMicros = ({ costs }: UnitCosts): number =>
  (costs.unchanged.database + costs.hotList.database + costs.hotGet.database) / 3

export const billFor = (rate: number, units: UnitCosts, assumed: Assumptions): Bill => {
  const share = (kind: RequestKind) => assumed.mix[kind] / 1_000
  const total = (kinds: readonly RequestKind[], of: (kind: RequestKind) => number) =>
    kinds.reduce((sum, kind) => sum + share(kind) * of(kind), 0)
  /** Cores for so many microseconds per request of the mix. */
  const cores = (micros: number) => (rate * micros) / 1e6 / assumed.utilization

  const serviceProcesses = Math.max(2, Math.ceil(cores(total(requestKinds, (kind) => units.costs[kind].service))))
  const serviceMachines = Math.max(2, Math.ceil(serviceProcesses / assumed.serviceMachineCores))
  const frontCores = Math.max(2, Math.ceil(cores(assumed.frontMicros)))

  const fromTables = cores(total(['page', 'search'], (kind) => units.costs[kind].database))
  const creates = share('create') * units.costs.create.database
  const onPrimary = cores(total(readKinds, () => lookMicros(units)) + creates)
  const aloneSuffices = onPrimary + fromTables <= assumed.databaseMachineCores
  const shards = Math.ceil(onPrimary / assumed.databaseMachineCores)
  // Where one server can do everything, its standby is there to take over and for nothing else.
  const replicaMachines = aloneSuffices ? 0 : Math.ceil(fromTables / assumed.databaseMachineCores)
  const databaseMachines = 2 * shards + replicaMachines
  const databaseCores = aloneSuffices
    ? 2 * Math.ceil(onPrimary + fromTables)
    : databaseMachines * assumed.databaseMachineCores

  const sessionsPerPrimary = serviceProcesses * units.connections
  const bytes =
    total(['hotList', 'page', 'search'], () => units.listBytes.gzip) + total(['hotGet'], () => units.getBytes.gzip)
  const allCores = serviceProcesses + frontCores + databaseCores
  return {
    rate,
    serviceProcesses,
    serviceMachines,
    frontCores,
    primaryCores: onPrimary,
    primaryCoresAtWorst: cores(total(readKinds, () => units.loneLook) + creates),
    replicaCores: fromTables,
    shards,
    databaseMachines,
    sessionsPerPrimary,
    needsPooler: sessionsPerPrimary > assumed.sessionsPerServer,
    gigabits: (rate * bytes * 8) / 1e9,
    cores: allCores,
    dollarsPerMillion: (allCores * assumed.coreHour) / ((rate * 3_600) / 1e6),
  }
}
