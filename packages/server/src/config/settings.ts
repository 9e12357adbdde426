export interface Setting {
  readonly name: string
  readonly default?: string
  readonly about: string
}

/** All settings. docs/operations.md and the suggestions for unknown names are taken from this table. */
export const settings = [
  { name: 'DATABASE_URL', about: 'URL of the PostgreSQL database, as the role that reads and inserts.' },
  { name: 'DATABASE_URL_FILE', about: 'File that contains the value of DATABASE_URL.' },
  {
    name: 'DATABASE_MIGRATE_URL',
    about:
      'URL of the same database as its owner, for migrate, seed, import, sync, export --all and erase. Default: DATABASE_URL.',
  },
  { name: 'DATABASE_MIGRATE_URL_FILE', about: 'File that contains the value of DATABASE_MIGRATE_URL.' },
  {
    name: 'DATABASE_READ_URL',
    about: 'URL of the same database as a read-only role, for reads. Default: DATABASE_URL.',
  },
  { name: 'DATABASE_READ_URL_FILE', about: 'File that contains the value of DATABASE_READ_URL.' },
  {
    name: 'DATABASE_REPLICA_URLS',
    about: 'URLs of physical standbys that may serve reads, as a read-only role, separated by commas.',
  },
  { name: 'DATABASE_REPLICA_URLS_FILE', about: 'File that contains the value of DATABASE_REPLICA_URLS.' },
  {
    name: 'DATABASE_ANALYST_URL',
    about: 'URL of the same database as a role that reads only the views for BI tools, for roles and doctor.',
  },
  { name: 'DATABASE_ANALYST_URL_FILE', about: 'File that contains the value of DATABASE_ANALYST_URL.' },
  {
    name: 'DATABASE_POOLER',
    default: 'none',
    about: 'Connection pooler in front of the database: none, or transaction for PgBouncer in transaction mode.',
  },
  { name: 'HOST', default: '127.0.0.1', about: 'Address to listen on.' },
  { name: 'PORT', default: '8080', about: 'Port to listen on.' },
  { name: 'MUSTER_API_TOKEN', about: 'Token required for creates. If it is not set, creates are disabled.' },
  { name: 'MUSTER_API_TOKEN_FILE', about: 'File that contains the value of MUSTER_API_TOKEN; reloaded on SIGHUP.' },
  { name: 'MUSTER_API_TOKEN_PREVIOUS', about: 'A second accepted token, for rotation.' },
  {
    name: 'MUSTER_API_TOKEN_PREVIOUS_FILE',
    about: 'File that contains the value of MUSTER_API_TOKEN_PREVIOUS; reloaded on SIGHUP.',
  },
  {
    name: 'MUSTER_READS',
    default: 'public',
    about:
      'Who may read: public (everyone), redacted (personal fields only with a token) or token (only with a token).',
  },
  { name: 'MUSTER_READ_TOKEN', about: 'Token that is accepted for reads only.' },
  { name: 'MUSTER_READ_TOKEN_FILE', about: 'File that contains the value of MUSTER_READ_TOKEN; reloaded on SIGHUP.' },
  {
    name: 'MUSTER_ACCESS_FILE',
    about:
      'JSON file with named tokens, each with the resources that it may read and create; reloaded when it changes and on SIGHUP. See access.md.',
  },
  { name: 'MUSTER_RATE_LIMIT_READS', about: 'Maximum reads per minute and client address. Default: no limit.' },
  { name: 'MUSTER_RATE_LIMIT_WRITES', about: 'Maximum creates per minute and token. Default: no limit.' },
  {
    name: 'MUSTER_RATE_LIMIT_AUTH_FAILURES',
    about: 'Maximum requests with a wrong token per minute and client address. Default: no limit.',
  },
  { name: 'REDIS_URL', about: 'Redis server in which several processes share the counters of the rate limits.' },
  { name: 'REDIS_URL_FILE', about: 'File that contains the value of REDIS_URL.' },
  {
    name: 'MUSTER_TRUST_PROXY',
    about: 'IP addresses or networks of reverse proxies whose X-Forwarded-For is trusted, separated by commas.',
  },
  {
    name: 'MUSTER_CORS_ORIGINS',
    about:
      'Origins whose pages may create, such as https://hr.example.com, separated by commas. Every origin may read.',
  },
  {
    name: 'MUSTER_CHANGES_DAYS',
    default: '30',
    about: 'How many days the change feed keeps changes. A client with an older cursor has to copy everything again.',
  },
  {
    name: 'MUSTER_WEBHOOKS_FILE',
    about: 'JSON file with the endpoints to which "muster webhooks" sends changes; see webhooks.md.',
  },
  { name: 'MUSTER_CONSOLE', default: 'on', about: 'Whether the web console is served at /console/: on or off.' },
  {
    name: 'MUSTER_CAREER_SITES',
    default: 'off',
    about: 'Whether career sites with the published job openings are served at /careers/, to everyone: on or off.',
  },
  {
    name: 'MUSTER_PUBLIC_URL',
    about:
      'URL at which the public reaches the service, such as https://jobs.example.com. Feeds and sitemaps of career sites without a domain of their own begin with it; without it, they begin with the host of the request and are not cached.',
  },
  {
    name: 'MUSTER_MCP',
    default: 'off',
    about: 'Whether AI agents can connect to /mcp, over the Model Context Protocol: on or off.',
  },
  {
    name: 'MUSTER_MCP_WRITES',
    default: 'off',
    about: 'Whether agents with the write token may create records, at /mcp or with muster mcp: on or off.',
  },
  {
    name: 'MUSTER_MCP_URL',
    default: 'http://127.0.0.1:8080/api',
    about: 'Only for muster mcp: URL of the API to which it connects.',
  },
  { name: 'MUSTER_MCP_TOKEN', about: 'Only for muster mcp: token that it sends to the API. Default: none.' },
  { name: 'MUSTER_MCP_TOKEN_FILE', about: 'File that contains the value of MUSTER_MCP_TOKEN.' },
  {
    name: 'MUSTER_WORKERS',
    default: '1',
    about: 'Number of processes that share the port, each with its own connections and memory.',
  },
  {
    name: 'MUSTER_POOL_SIZE',
    default: '10',
    about:
      'Size of the connection pool for simple reads, and of the one for creates. A process opens at most three times as many connections plus ten.',
  },
  {
    name: 'MUSTER_CACHE_MB',
    default: '64',
    about:
      'Maximum memory for cached responses, searches and postings of career sites, in megabytes; 0 disables caching.',
  },
  {
    name: 'MUSTER_METRICS_PORT',
    about: 'Port of the Prometheus metrics, for all workers together. Default: no metrics.',
  },
  { name: 'MUSTER_METRICS_HOST', default: '127.0.0.1', about: 'Address to listen on for metrics.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about:
      'URL of an OpenTelemetry collector that accepts traces over HTTP, such as http://127.0.0.1:4318. Default: no traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    about:
      'URL to which traces are posted, used as it is, instead of OTEL_EXPORTER_OTLP_ENDPOINT followed by /v1/traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    about: 'Headers of requests to the collector, such as api-key=secret,x-tenant=7, with percent-encoded values.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    about: 'Headers of requests with traces, instead of all of OTEL_EXPORTER_OTLP_HEADERS.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    about: 'Name of the service in traces. Default: service.name in OTEL_RESOURCE_ATTRIBUTES, otherwise muster.',
  },
  {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    about:
      'Attributes of the process in traces, such as deployment.environment.name=test,team=hr, percent-encoded where necessary.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    about:
      'Which traces are recorded: always_on, always_off, traceidratio, or one of these with the prefix parentbased_.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    about: 'Share of the traces that traceidratio and parentbased_traceidratio record, from 0 to 1. Default: 1.',
  },
  { name: 'OTEL_SDK_DISABLED', default: 'false', about: 'If true, no traces are exported.' },
  {
    name: 'MUSTER_LOG_LEVEL',
    default: 'info',
    about: 'Lowest severity that is logged: trace, debug, info, warn, error, silent.',
  },
] as const satisfies readonly Setting[]

export type SettingName = (typeof settings)[number]['name']
