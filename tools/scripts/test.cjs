/**
 * Runs one test suite and provides what it needs: programs of the operating system, a PostgreSQL server, a service.
 * This file is CommonJS, so that an old Node can still run the version check. Usage:
 * node tools/scripts/test.cjs SUITE [arguments]
 */
require('../../packages/server/bin/check-node.js')

const { spawn } = require('node:child_process')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')

const postgres = ['node', 'tools/scripts/with-postgres.ts']
const service = [...postgres, 'node', 'tools/scripts/with-service.ts']
const programs = (...names) => ['tools/scripts/with-programs', ...names, '--']
// At most four files at a time: each may start services, and PostgreSQL allows 100 connections by default.
const concurrency = Math.max(1, Math.min(4, availableParallelism()))
const testFiles = (...files) => ['node', '--test', `--test-concurrency=${concurrency}`, ...files]
const databaseTests = (...files) => [
  ...postgres,
  ...testFiles('--test-global-setup=tests/support/global-setup.ts', ...files),
]
const acceptance = testFiles('tests/acceptance/**/*.test.ts')

/** The command line of each suite. */
const suites = {
  unit: databaseTests(
    'packages/*/test/**/*.test.ts',
    'tests/repository/*.test.ts',
    'tests/{fuzz,chaos,mutations}/test/**/*.test.ts',
    'tools/supply-chain/test/**/*.test.ts',
    'tools/{bench,capacity}/*.test.ts',
  ),
  // Tests the service at BASE_URL, or starts its own.
  acceptance: process.env.BASE_URL ? acceptance : [...service, ...acceptance],
  fuzz: [...service, 'node', 'tests/fuzz/run.ts'],
  'fuzz-mutations': [...postgres, 'node', 'tests/fuzz/mutation-run.ts'],
  mutations: [...postgres, 'node', 'tests/mutations/run.ts'],
  chaos: [...programs('pg_basebackup', 'nginx'), 'node', 'tests/chaos/run.ts'],
  failover: [
    ...programs('patroni', 'etcd', 'haproxy', 'pgbackrest', 'pg_basebackup'),
    ...['node', 'tests/chaos/run.ts', '--only', 'automatic-failover'],
  ],
  browser: [
    'tools/scripts/with-chromium',
    ...programs('nginx'),
    ...postgres,
    ...['node_modules/.bin/playwright', 'test', '--config', 'tests/browser/playwright.config.ts'],
  ],
  'reverse-proxies': [
    ...programs('nginx', 'haproxy', 'redis-server'),
    ...databaseTests('tests/reverse-proxies/**/*.test.ts'),
  ],
  pgbouncer: [...programs('pgbouncer'), ...databaseTests('tests/pgbouncer/**/*.test.ts')],
  alerts: [...programs('promtool'), ...testFiles('tests/deployment/alerts/*.test.ts')],
  deployment: [
    ...programs(
      'systemd-analyze',
      'ps',
      'nginx',
      'haproxy',
      'redis-server',
      'pgbouncer',
      'pg_basebackup',
      'pgbackrest',
    ),
    ...testFiles(
      'tests/deployment/{container-files,kubernetes,patroni-files,systemd,packages,cluster,standby,backup}.test.ts',
    ),
  ],
  containers: [
    ...programs('podman', 'runc', 'iptables', '/usr/lib/podman/netavark', 'podman-compose', 'mmdebstrap'),
    // All files at a time: podman-compose sleeps a second after each command.
    ...['node', '--test', '--test-concurrency=3', '--test-global-setup=tests/deployment/containers/global-setup.ts'],
    'tests/deployment/containers/*.test.ts',
  ],
  // Most time goes into waiting for the programs in the documents, so both files run at a time.
  documents: [...programs('curl', 'jq'), ...databaseTests('tests/documents/*.test.ts')],
  upgrade: databaseTests('tests/deployment/upgrade.test.ts'),
  'list-reference': databaseTests('packages/server/test/queries/list-reference.test.ts'),
  reports: databaseTests('packages/server/test/reports/*.test.ts'),
  'sync-kills': databaseTests('packages/server/test/commands/sync-companies.test.ts'),
  probes: databaseTests(
    'packages/server/test/http/{redaction-probes,career-site-probes,read-access,freshness,expanded-freshness,relation-filters}.test.ts',
    'packages/server/test/mcp/privacy.test.ts',
    'packages/server/test/postgres/bi-views.test.ts',
  ),
  'input-cost': databaseTests('packages/server/test/http/input-cost.test.ts'),
}

const [name, ...args] = process.argv.slice(2)
const command = suites[name]
if (command === undefined) {
  console.error(`Name a test suite: ${Object.keys(suites).join(', ')}.`)
  process.exit(2)
}
// Every test file is a process. With a compile cache, it needs half the CPU time to load its modules.
const NODE_COMPILE_CACHE = join(__dirname, '../../node_modules/.cache/tests')
const env = { ...process.env, NODE_COMPILE_CACHE }
const child = spawn(command[0], [...command.slice(1), ...args], { stdio: 'inherit', env })
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// On Ctrl+C the terminal also signals the child, so this process only waits for it to exit.
process.on('SIGINT', () => {})
child.on('exit', (code) => {
  console.log(`The suite ${name} took ${Math.round(performance.now() / 1_000)} s.`)
  process.exit(code ?? 1)
})
