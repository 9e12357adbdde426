/** The command `npm run bench -- [NAME] [arguments]`. `npm run bench -- --list` lists the benchmarks. */
import { forwardSignals, runProgram } from '../scripts/run-program.ts'

const programs = (...names: readonly string[]) => ['tools/scripts/with-programs', ...names, '--']
const postgres = ['node', 'tools/scripts/with-postgres.ts']
const file = (name: string) => ['node', `tools/bench/${name}.ts`]

type Benchmark = readonly [about: string, ...command: string[]]

const benchmarks: Readonly<Record<string, Benchmark>> = {
  performance: ['all cases; writes docs/performance.md', ...file('run')],
  guard: [
    'ratios within one run stay within bounds; part of CI',
    ...programs('wrk', 'ps'),
    ...postgres,
    ...file('guard'),
  ],
  compare: ['this checkout against another: --before DIRECTORY', ...file('compare')],
  reports: ['first and repeated requests of every report', ...file('reports')],
  console: ['every screen of the console at MUSTER_URL', 'tools/scripts/with-chromium', ...file('console')],
  careers: ['pages of career sites', ...programs('wrk'), ...postgres, ...file('careers')],
  'large-pages': ['memory and health checks while 30 clients read large pages', ...postgres, ...file('large-pages')],
  changes: ['reads of 10,000 changes', ...file('changes')],
  creates: ['creates against plain inserts', ...programs('wrk'), ...file('creates')],
  export: ['exports against plain COPY', ...file('export')],
  sync: ['duration and memory of muster sync', ...postgres, ...file('sync')],
  'new-field': ['duration of the migration for a new field', ...file('new-field')],
  client: ['the typed client reads all attendance records', ...file('client')],
  replicas: ['load that a replica takes off the primary', ...file('replicas')],
  search: ['40 ranked searches: duration, and position of the sought record', ...file('search')],
  plans: ['the index that each filter and sort order uses', ...file('plans')],
  capacity: ['CPU time of each kind of request, and machines per request rate', 'node', 'tools/capacity/run.ts'],
}

const args = process.argv.slice(2)
// Options without a name are those of the performance benchmark.
const name = args[0] === undefined || args[0].startsWith('--') ? 'performance' : (args.shift() ?? '')
const benchmark = benchmarks[name]
if (args.includes('--list')) {
  for (const [known, [about]] of Object.entries(benchmarks)) console.log(`${known.padEnd(12)} ${about}`)
} else if (benchmark === undefined) {
  console.error(`There is no benchmark "${name}". Benchmarks: ${Object.keys(benchmarks).join(', ')}.`)
  process.exitCode = 2
} else {
  const [, ...command] = benchmark
  forwardSignals()
  process.exitCode = await runProgram([...command, ...args])
}
