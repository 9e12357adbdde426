/** Every test suite: what it checks, which programs it needs and how it is started. */
import { availableParallelism } from 'node:os'

export interface Suite {
  readonly about: string
  /** Runs the files, given as arguments, or everything if the suite has no files. */
  readonly command: readonly string[]
  /** Patterns of test files. A suite without files is one program, of which no part can be repeated. */
  readonly files?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const postgres = ['node', 'tools/scripts/with-postgres.ts']
const service = [...postgres, 'node', 'tools/scripts/with-service.ts']
const programs = (...names: string[]) => ['tools/scripts/with-programs', ...names, '--']

/** Test files that wait for processes leave a core idle, so more files run than there are cores. */
const concurrency = Math.min(4, availableParallelism() + 2)
export const reporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./tools/test/node-reporter.ts', '--test-reporter-destination=stderr'],
]
const nodeTests = (processes = concurrency): string[] => [
  ...['node', 'tools/test/run-groups.ts', `--test-concurrency=${processes}`],
  // A test that waits for ever must not block the run.
  '--test-timeout=600000',
  ...reporters,
]
const createDatabases = '--test-global-setup=tests/support/global-setup.ts'
const databaseTests = [...postgres, ...nodeTests(), createDatabases]
const playwright = [
  'tools/scripts/with-chromium',
  ...programs('nginx'),
  ...postgres,
  ...['node_modules/.bin/playwright', 'test', '--config', 'tests/browser/playwright.config.ts'],
]
const chaos = [...programs('pg_basebackup', 'nginx'), 'node', 'tests/chaos/run.ts']
const containers = [
  ...programs('podman', 'runc', 'iptables', '/usr/lib/podman/netavark', 'podman-compose', 'mmdebstrap'),
  // All files at a time: podman-compose sleeps a second after each command.
  ...nodeTests(3),
  '--test-global-setup=tests/deployment/containers/global-setup.ts',
]
const containerFiles = ['tests/deployment/containers/*.test.ts']
const documents = [...programs('curl', 'jq'), ...databaseTests]
const documentFiles = ['tests/documents/*.test.ts']

export const suites: Readonly<Record<string, Suite>> = {
  unit: {
    about: 'packages, repository and tools',
    command: databaseTests,
    files: [
      'packages/*/test/**/*.test.ts',
      'tests/repository/*.test.ts',
      ...['fuzz', 'chaos', 'mutations'].map((name) => `tests/${name}/test/**/*.test.ts`),
      'tools/supply-chain/test/**/*.test.ts',
      ...['bench', 'capacity', 'test'].map((name) => `tools/${name}/*.test.ts`),
    ],
  },
  acceptance: {
    about: 'the API over HTTP, at BASE_URL if it is set',
    // One process at a time: all files use the same service, and some create records.
    command: process.env.BASE_URL ? nodeTests(1) : [...service, ...nodeTests(1)],
    files: ['tests/acceptance/**/*.test.ts'],
  },
  fuzz: {
    about: 'the API behaves as its OpenAPI document says: 30,000 requests',
    command: [...service, 'node', 'tests/fuzz/run.ts', '--seed', '1'],
  },
  'fuzz-long': {
    about: 'the same with 330,000 generated requests and a random seed',
    command: [...service, 'node', 'tests/fuzz/run.ts', '--cases', '330000'],
  },
  'fuzz-mutations': {
    about: 'the fuzz tests detect deliberate faults',
    command: [...postgres, 'node', 'tests/fuzz/mutation-run.ts'],
  },
  mutations: {
    about: 'test files detect deliberate faults',
    command: [...postgres, 'node', 'tests/mutations/run.ts'],
  },
  chaos: {
    about: 'killed processes, restores, cut connections, floods: short form',
    command: [...chaos, '--short', '--seed', '1'],
  },
  'chaos-long': { about: 'the same at full size, with controls', command: chaos },
  failover: {
    about: 'failovers of Patroni under load',
    command: [
      ...programs('patroni', 'etcd', 'haproxy', 'pgbackrest', 'pg_basebackup'),
      ...['node', 'tests/chaos/run.ts', '--only', 'automatic-failover'],
    ],
  },
  components: {
    about: 'the parts of the console, each alone, in Chromium: axe-core, keyboard, right to left',
    command: [
      'tools/scripts/with-chromium',
      'npm',
      'run',
      '--silent',
      'components',
      '--workspace',
      'packages/console',
      '--',
    ],
    // vitest finds its files itself.
    files: [],
  },
  browser: {
    about: 'console, career sites, documentation page and client in Chromium',
    command: playwright,
    // Playwright finds its files itself.
    files: [],
  },
  'browser-long': {
    about:
      'every screen with faults and in all themes; every figure compared with SQL for three companies and three days',
    command: playwright,
    files: ['long/', 'every-screen'],
    env: { BROWSER_TESTS: 'long' },
  },
  'reverse-proxies': {
    about: 'nginx, haproxy and Varnish in front of the service',
    command: [...programs('nginx', 'haproxy', 'redis-server', 'varnishd', 'wrk'), ...databaseTests],
    files: ['tests/reverse-proxies/**/*.test.ts'],
  },
  varnish: {
    about: 'Varnish in front of the service: floods of 30 s, 10,000 reads right after a write',
    command: [...programs('varnishd', 'wrk'), ...databaseTests],
    files: ['tests/reverse-proxies/varnish.test.ts'],
    env: { FLOOD_SECONDS: '30', READS_AFTER_WRITES: '10000' },
  },
  pgbouncer: {
    about: 'the whole API through PgBouncer',
    command: [...programs('pgbouncer'), ...databaseTests],
    files: ['tests/pgbouncer/**/*.test.ts'],
  },
  alerts: {
    about: 'every alert fires for a service with the problem, and none for a healthy one',
    command: [...programs('promtool'), ...nodeTests()],
    files: ['tests/deployment/alerts/*.test.ts'],
  },
  deployment: {
    about: 'deployment files, npm packages, a cluster, backup and restore',
    command: [
      ...programs(
        ...['systemd-analyze', 'ps', 'nginx', 'haproxy', 'redis-server', 'pgbouncer', 'pg_basebackup', 'pgbackrest'],
      ),
      ...nodeTests(),
    ],
    files: [
      ...['container-files', 'kubernetes', 'patroni-files', 'read-access', 'systemd'],
      ...['packages', 'cluster', 'standby', 'backup'],
    ].map((name) => `tests/deployment/${name}.test.ts`),
  },
  publish: {
    about: 'a release is published into a local npm registry, and used from there',
    command: [...programs('jq', 'ps'), ...nodeTests()],
    files: ['tests/deployment/publish.test.ts'],
  },
  containers: { about: 'image, compose.yaml and pods, run by podman', command: containers, files: containerFiles },
  'containers-long': {
    about: 'the same, and the acceptance suite through compose.yaml',
    command: containers,
    files: containerFiles,
    env: { CONTAINER_TESTS: 'long' },
  },
  documents: { about: 'examples and links of the documents', command: documents, files: documentFiles },
  'documents-long': {
    about: 'the same, and the recipes for pandas, Polars and DuckDB',
    command: documents,
    files: documentFiles,
    env: { DOCS_CHECK: 'long' },
  },
  'new-resource': {
    about: 'a resource and a field are added to a clone in the documented steps, and pass the suites there',
    command: [...postgres, ...nodeTests(1), createDatabases],
    files: ['tests/new-resource/*.test.ts'],
  },
  upgrade: {
    about: 'the release before the newest migration on the current schema',
    command: databaseTests,
    files: ['tests/deployment/upgrade.test.ts'],
  },
  'list-reference': {
    about: 'lists, exports and counts equal those of a reference: 24,000 queries',
    command: databaseTests,
    files: ['packages/server/test/queries/list-reference.test.ts'],
    env: { LIST_REFERENCE_CASES: '24000' },
  },
  reports: {
    about: 'reports equal SQL for 201 sets of parameters',
    command: databaseTests,
    files: ['packages/server/test/reports/*.test.ts'],
    env: { REPORT_SETS: '67' },
  },
  'sync-kills': {
    about: 'sync is killed at random moments: 50 times',
    command: databaseTests,
    files: ['packages/server/test/commands/sync-companies.test.ts'],
    env: { SYNC_KILLS: '50' },
  },
  probes: {
    about: 'no response is stale, and none shows a personal value without a token',
    command: databaseTests,
    files: [
      ...[
        'redaction-probes',
        'access-probes',
        'career-site-probes',
        'read-access',
        'freshness',
        'expanded-freshness',
        'relation-filters',
      ].map((name) => `packages/server/test/http/${name}.test.ts`),
      'packages/server/test/mcp/privacy.test.ts',
      'packages/server/test/queries/ranked-search-reference.test.ts',
      'packages/server/test/postgres/bi-views.test.ts',
    ],
    env: { PROBES: 'all' },
  },
  'input-cost': {
    about: 'an input of 15 kB takes at most 20 ms of CPU time, in every parameter and header',
    command: databaseTests,
    files: ['packages/server/test/http/input-cost.test.ts'],
    env: { INPUT_COST: 'full' },
  },
  coverage: {
    about: 'the unit tests cover every branch of the core',
    command: [
      ...['node', '--disable-warning=ExperimentalWarning', 'tools/scripts/coverage.ts'],
      ...['node', 'tools/test/run.ts', 'unit'],
    ],
  },
}

/**
 * Files that are never repeated after a failure: one lost, duplicated, stale or leaked record is a bug, even if it
 * does not happen again. Suites without files are never repeated either.
 */
const neverRepeated = [
  /(?:^|\/)(?:changes|changes-since|freshness|expanded-freshness|relation-filters)\.test\./,
  /(?:^|\/)(?:cached-response|page-cache|replicas|row-counts|integrity|idempotency)\.test\./,
  /(?:^|\/)(?:read-access|canary|privacy|erase|bi-views|career-visibility|ranked-search-reference|\w+-probes)\.test\./,
  /(?:^|\/)(?:sync|truth)[\w-]*\.test\.|(?:^|\/)webhooks\/(?:delivery|kills)\.test\.|personal-values/,
]

export const mayRepeat = (file: string): boolean => neverRepeated.every((pattern) => !pattern.test(file))
