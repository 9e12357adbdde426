/** All metrics. Tests compare docs/observability.md, the dashboard and the alerts with this table. */

export interface MetricDefinition {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of the buckets of a histogram, in its unit. */
  readonly bounds?: readonly number[]
  /** How the values of several processes are combined; the sum by default. */
  readonly merge?: 'min' | 'max'
}

/** Bucket bounds in seconds: from the time of a cached response to that of a request at the time limit. */
const durationBounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const waitBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const metricDefinitions = {
  requests: {
    name: 'muster_http_requests_total',
    kind: 'counter',
    help: 'Requests, by method, route pattern and status.',
    labels: ['method', 'route', 'status'],
  },
  requestSeconds: {
    name: 'muster_http_request_duration_seconds',
    kind: 'histogram',
    help: 'Time from the head of a request to its response.',
    labels: ['method', 'route'],
    bounds: durationBounds,
  },
  requestsByToken: {
    name: 'muster_requests_by_token_total',
    kind: 'counter',
    help: 'Requests, by the name of the token in the access file; other for the other tokens, none without a valid one.',
    labels: ['token'],
  },
  errors: {
    name: 'muster_errors_total',
    kind: 'counter',
    help: 'Error responses, by code; those with the code overloaded are requests that were shed.',
    labels: ['code'],
  },
  rowsAnswered: {
    name: 'muster_rows_answered_total',
    kind: 'counter',
    help: 'Records in all responses.',
    labels: [],
  },
  rowsCreated: {
    name: 'muster_rows_created_total',
    kind: 'counter',
    help: 'Records created, by route pattern; a create repeated with its idempotency key counts once.',
    labels: ['route'],
  },
  cache: {
    name: 'muster_cache_outcomes_total',
    kind: 'counter',
    help: 'Responses, by origin: hit (cache), miss (database), not_modified (304), none (not cacheable).',
    labels: ['outcome'],
  },
  cacheBytes: {
    name: 'muster_cache_bytes',
    kind: 'gauge',
    help: 'Size of the response cache.',
    labels: [],
  },
  cacheMaxBytes: {
    name: 'muster_cache_max_bytes',
    kind: 'gauge',
    help: 'Maximum size of the response cache.',
    labels: [],
  },
  cacheEvictions: {
    name: 'muster_cache_evictions_total',
    kind: 'counter',
    help: 'Responses evicted from the cache to make room for others.',
    labels: [],
  },
  statementSeconds: {
    name: 'muster_query_duration_seconds',
    kind: 'histogram',
    help: 'Execution time of database statements, by name of the statement.',
    labels: ['statement'],
    bounds: durationBounds,
  },
  statementFailures: {
    name: 'muster_query_failures_total',
    kind: 'counter',
    help: 'Statements that failed, by pool; rejected values do not count.',
    labels: ['pool'],
  },
  poolSize: {
    name: 'muster_pool_size',
    kind: 'gauge',
    help: 'Maximum number of concurrent statements, by connection pool.',
    labels: ['pool'],
  },
  poolBusy: {
    name: 'muster_pool_busy',
    kind: 'gauge',
    help: 'Statements in progress.',
    labels: ['pool'],
  },
  poolWaiting: {
    name: 'muster_pool_waiting',
    kind: 'gauge',
    help: 'Statements in the queue of the pool.',
    labels: ['pool'],
  },
  poolOpen: {
    name: 'muster_pool_connections',
    kind: 'gauge',
    help: 'Open connections to the database.',
    labels: ['pool'],
  },
  poolWaitSeconds: {
    name: 'muster_pool_wait_seconds',
    kind: 'histogram',
    help: 'Time that a statement waited in the queue of its pool, timeouts included.',
    labels: ['pool'],
    bounds: waitBounds,
  },
  replicaFit: {
    name: 'muster_replica_fit',
    kind: 'gauge',
    help: 'Processes that use a replica; the others skip it because it is unavailable or behind.',
    labels: ['replica'],
  },
  replicaLag: {
    name: 'muster_replica_lag_seconds',
    kind: 'gauge',
    help: 'Lag of a replica behind the primary at its last health check.',
    labels: ['replica'],
    merge: 'max',
  },
  replicaReads: {
    name: 'muster_replica_reads_total',
    kind: 'counter',
    help: 'Statements sent to a replica, by outcome: fresh (result used), stale or failed (sent to the primary).',
    labels: ['replica', 'outcome'],
  },
  ready: {
    name: 'muster_ready',
    kind: 'gauge',
    help: 'Processes that are ready; 0 while the database is unavailable or the service shuts down.',
    labels: [],
  },
  workers: {
    name: 'muster_workers',
    kind: 'gauge',
    help: 'Processes that serve requests and responded to this scrape.',
    labels: [],
  },
  workerDeaths: {
    name: 'muster_worker_deaths_total',
    kind: 'counter',
    help: 'Workers that exited unexpectedly.',
    labels: [],
  },
  changesBehind: {
    name: 'muster_changes_behind_seconds',
    kind: 'gauge',
    help: 'Age of the oldest open transaction that holds the change feed back; 0 if there is none, no sample if it cannot be read.',
    labels: [],
    merge: 'max',
  },
  webhooksActive: {
    name: 'muster_webhooks_active',
    kind: 'gauge',
    help: 'Whether this process delivers webhooks (1), or waits for another one to end (0).',
    labels: [],
  },
  webhookAttempts: {
    name: 'muster_webhook_attempts_total',
    kind: 'counter',
    help: 'Attempts to deliver a message, by outcome: delivered or failed.',
    labels: ['endpoint', 'outcome'],
  },
  webhookStopped: {
    name: 'muster_webhook_stopped',
    kind: 'gauge',
    help: 'Whether the endpoint gets no more messages (1), because it responded 410 or the last attempt failed.',
    labels: ['endpoint'],
  },
  webhookLag: {
    name: 'muster_webhook_lag_seconds',
    kind: 'gauge',
    help: 'Age of the first change in the message that is being delivered; 0 if there is none.',
    labels: ['endpoint'],
  },
  loopSeconds: {
    name: 'muster_event_loop_delay_seconds',
    kind: 'histogram',
    help: 'Delay of a 20 ms timer: how long a request waits for the event loop alone.',
    labels: [],
    bounds: waitBounds,
  },
  loopBusySeconds: {
    name: 'muster_event_loop_busy_seconds_total',
    kind: 'counter',
    help: 'Time that the event loops were busy; at most one second per second and process.',
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
    help: 'Memory used by JavaScript objects.',
    labels: [],
  },
  cpu: {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'CPU time used by all processes.',
    labels: [],
  },
  started: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'Start time of the oldest process, as a Unix timestamp.',
    labels: [],
    merge: 'min',
  },
  build: {
    name: 'muster_build_info',
    kind: 'gauge',
    help: 'Always 1; the labels are the release and the version of Node.js.',
    labels: ['version', 'node'],
    merge: 'max',
  },
} as const satisfies Record<string, MetricDefinition>

export type MetricKey = keyof typeof metricDefinitions
