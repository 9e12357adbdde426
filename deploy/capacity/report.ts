/** In charge of how measured costs and bills are shown: as the tables of docs/scaling.md. */
import type { Assumptions, Bill, RequestKind, UnitCosts } from './model.ts'
import { billFor, requestKinds } from './model.ts'

const kindNames: Readonly<Record<RequestKind, string>> = {
  unchanged: 'list, unchanged since the client has it (304)',
  hotList: 'list of 50, kept in memory',
  hotGet: 'one record, kept in memory',
  page: 'page of 50, read from the database',
  search: 'search for something new, first page',
  create: 'create, durable',
}

const whole = (value: number): string => Math.ceil(value).toLocaleString('en-US')
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

export const costTable = ({ costs }: UnitCosts): string =>
  table(
    ['Request', 'service, µs', 'database, µs', 'p50, ms', 'p99, ms'],
    requestKinds.map((kind) => {
      const { service, database, p50Ms, p99Ms } = costs[kind]
      return [kindNames[kind], Math.round(service), Math.round(database), p50Ms.toFixed(1), p99Ms.toFixed(1)]
    }),
  )

export const billTable = (units: UnitCosts, assumed: Assumptions, rates: readonly number[]): string => {
  const bills = rates.map((rate) => billFor(rate, units, assumed))
  const line = (name: string, of: (bill: Bill) => string): string[] => [name, ...bills.map(of)]
  return table(
    ['', ...bills.map(({ rate }) => `${whole(rate)}/s`)],
    [
      line('service processes (a core each)', ({ serviceProcesses }) => whole(serviceProcesses)),
      line('… on machines', ({ serviceMachines }) => whole(serviceMachines)),
      line('cores of fronts', ({ frontCores }) => whole(frontCores)),
      line('cores of work for primaries', ({ primaryCores }) => primaryCores.toFixed(primaryCores < 10 ? 1 : 0)),
      line('… if no two requests shared a look at the books', ({ primaryCoresAtWorst: cores }) =>
        cores.toFixed(cores < 10 ? 1 : 0),
      ),
      line('cores of work for replicas', ({ replicaCores }) => replicaCores.toFixed(replicaCores < 10 ? 1 : 0)),
      line('primaries (shards)', ({ shards }) => whole(shards)),
      line('database machines, standbys included', ({ databaseMachines }) => whole(databaseMachines)),
      line('sessions per primary without a pooler', ({ sessionsPerPrimary }) => whole(sessionsPerPrimary)),
      line('pooler needed', ({ needsPooler }) => (needsPooler ? 'yes' : 'no')),
      line('bodies sent, Gbit/s', ({ gigabits }) => gigabits.toFixed(gigabits < 10 ? 2 : 0)),
      line('cores in all', ({ cores }) => whole(cores)),
      line('dollars per million requests', ({ dollarsPerMillion }) => dollarsPerMillion.toFixed(3)),
    ],
  )
}

export const assumptionList = (assumed: Assumptions): string =>
  [
    `of 1,000 requests: ${requestKinds.map((kind) => `${assumed.mix[kind]} × ${kindNames[kind]}`).join('; ')}`,
    `processors are used to ${assumed.utilization * 100} % in the busiest minute`,
    `machines of ${assumed.serviceMachineCores} cores for the service, of ${assumed.databaseMachineCores} for databases; two of everything at least`,
    `a front takes ${assumed.frontMicros} µs per request, TLS included (not measured)`,
    `a core with its memory costs $${assumed.coreHour.toFixed(2)} an hour; traffic, disks and people are not in it`,
    `a server holds ${assumed.sessionsPerServer} sessions before a pooler has to stand before it`,
    'as many requests share a look at the books as with 32 clients at one process',
    'costs per request stay what they were on this machine, and work spreads evenly over processes and shards',
  ]
    .map((line) => `- ${line}`)
    .join('\n')
