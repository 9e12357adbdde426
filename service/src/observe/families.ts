/** In charge of which metrics there are: the one table that counting, exposition, documents, dashboard and alerts agree with. */

export interface Family {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in its unit. */
  readonly bounds?: readonly number[]
  /** How the values of several processes become one; the sum where nothing is said. */
  readonly merge?: 'min' | 'max'
}

/** From an answer out of memory to one that has used up its time. */
const seconds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const held = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const families = {
  requests: {
    name: 'muster_http_requests_total',
    kind: 'counter',
    help: 'Requests answered, by method, pattern of the address and status.',
    labels: ['method', 'route', 'status'],
  },
  requestSeconds: {
    name: 'muster_http_request_duration_seconds',
    kind: 'histogram',
    help: 'Time from the head of a request to its answer.',
    labels: ['method', 'route'],
    bounds: seconds,
  },
  errors: {
    name: 'muster_errors_total',
    kind: 'counter',
    help: 'Errors answered, by code; those with the code overloaded are requests that were shed.',
    labels: ['code'],
  },
  rowsAnswered: {
    name: 'muster_rows_answered_total',
    kind: 'counter',
    help: 'Records in all answers.',
    labels: [],
  },
  rowsCreated: {
    name: 'muster_rows_created_total',
    kind: 'counter',
    help: 'Records created, by pattern of the address; a create answered again from its key counts once.',
    labels: ['route'],
  },
  cache: {
    name: 'muster_cache_outcomes_total',
    kind: 'counter',
    help: 'Answers by where they came from: hit (memory), miss (database), not_modified (304), none (neither).',
    labels: ['outcome'],
  },
  cacheBytes: {
    name: 'muster_cache_bytes',
    kind: 'gauge',
    help: 'Bytes of answers kept in memory.',
    labels: [],
  },
  cacheMaxBytes: {
    name: 'muster_cache_max_bytes',
    kind: 'gauge',
    help: 'Most bytes of answers that may be kept.',
    labels: [],
  },
  cacheEvictions: {
    name: 'muster_cache_evictions_total',
    kind: 'counter',
    help: 'Answers that had to go from memory to make room for others.',
    labels: [],
  },
  statementSeconds: {
    name: 'muster_query_duration_seconds',
    kind: 'histogram',
    help: 'Time the database took over a statement, by the name of the statement.',
    labels: ['statement'],
    bounds: seconds,
  },
  statementFaults: {
    name: 'muster_query_failures_total',
    kind: 'counter',
    help: 'Statements that failed, by pool; those whose values were refused are not among them.',
    labels: ['pool'],
  },
  poolSize: {
    name: 'muster_pool_size',
    kind: 'gauge',
    help: 'Most statements at once, by pool of connections.',
    labels: ['pool'],
  },
  poolBusy: {
    name: 'muster_pool_busy',
    kind: 'gauge',
    help: 'Statements under way.',
    labels: ['pool'],
  },
  poolWaiting: {
    name: 'muster_pool_waiting',
    kind: 'gauge',
    help: 'Statements that wait for their turn.',
    labels: ['pool'],
  },
  poolOpen: {
    name: 'muster_pool_connections',
    kind: 'gauge',
    help: 'Connections to the database that are open.',
    labels: ['pool'],
  },
  poolWaitSeconds: {
    name: 'muster_pool_wait_seconds',
    kind: 'histogram',
    help: 'Time until the turn of a statement came, or was given up.',
    labels: ['pool'],
    bounds: held,
  },
  replicaFit: {
    name: 'muster_replica_fit',
    kind: 'gauge',
    help: 'Processes that ask a replica; the others have left it out, because it is away or behind.',
    labels: ['replica'],
  },
  replicaLag: {
    name: 'muster_replica_lag_seconds',
    kind: 'gauge',
    help: 'How far a replica was behind the primary when it last answered.',
    labels: ['replica'],
    merge: 'max',
  },
  replicaReads: {
    name: 'muster_replica_reads_total',
    kind: 'counter',
    help: 'Statements a replica was asked, by outcome: fresh (it answered), stale or failed (the primary did).',
    labels: ['replica', 'outcome'],
  },
  ready: {
    name: 'muster_ready',
    kind: 'gauge',
    help: 'Processes that are ready to serve; 0 while the database is away or the service is about to end.',
    labels: [],
  },
  workers: {
    name: 'muster_workers',
    kind: 'gauge',
    help: 'Processes that serve, as far as they answered when they were asked.',
    labels: [],
  },
  workerDeaths: {
    name: 'muster_worker_deaths_total',
    kind: 'counter',
    help: 'Workers that ended without being asked to.',
    labels: [],
  },
  loopSeconds: {
    name: 'muster_event_loop_delay_seconds',
    kind: 'histogram',
    help: 'How late a timer of 20 ms came: what a request waits for the process alone.',
    labels: [],
    bounds: held,
  },
  loopBusySeconds: {
    name: 'muster_event_loop_busy_seconds_total',
    kind: 'counter',
    help: 'Time the event loops were busy; a second a second is all that one process has.',
    labels: [],
  },
  memory: {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Resident memory of all processes.',
    labels: [],
  },
  heap: {
    name: 'process_heap_bytes',
    kind: 'gauge',
    help: 'Memory in use by JavaScript objects.',
    labels: [],
  },
  cpu: {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'Processor time used by all processes.',
    labels: [],
  },
  started: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'When the oldest process started, in seconds since 1970.',
    labels: [],
    merge: 'min',
  },
  build: {
    name: 'muster_build_info',
    kind: 'gauge',
    help: 'Always 1; the labels say which release runs on which Node.',
    labels: ['version', 'node'],
    merge: 'max',
  },
} as const satisfies Record<string, Family>

export type FamilyKey = keyof typeof families
