/** Formats the tables of docs/scaling.md. */
import type { Assumptions, CapacityPlan, RequestKind, UnitCosts } from './model.ts'
import { planCapacity, requestKinds } from './model.ts'

const kindNames: Readonly<Record<RequestKind, string>> = {
  unchanged: 'list, unchanged (304)',
  hotList: 'list of 50, cached',
  hotGet: 'one record, cached',
  page: 'page of 50, from the database',
  search: 'search for a new term, first page',
  create: 'create, durable',
}

const formatInteger = (value: number): string => Math.ceil(value).toLocaleString('en-US')
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

export const capacityTable = (units: UnitCosts, assumed: Assumptions, rates: readonly number[]): string => {
  const plans = rates.map((rate) => planCapacity(rate, units, assumed))
  const planRow = (name: string, of: (bill: CapacityPlan) => string): string[] => [name, ...plans.map(of)]
  return table(
    ['', ...plans.map(({ rate }) => `${formatInteger(rate)}/s`)],
    [
      planRow('service processes (a core each)', ({ serviceProcesses }) => formatInteger(serviceProcesses)),
      planRow('… on machines', ({ serviceMachines }) => formatInteger(serviceMachines)),
      planRow('proxy cores', ({ proxyCores }) => formatInteger(proxyCores)),
      planRow('cores of work for primaries', ({ primaryCores }) => primaryCores.toFixed(primaryCores < 10 ? 1 : 0)),
      planRow('… if no two requests shared a version query', ({ primaryCoresAtWorst: cores }) =>
        cores.toFixed(cores < 10 ? 1 : 0),
      ),
      planRow('cores of work for replicas', ({ replicaCores }) => replicaCores.toFixed(replicaCores < 10 ? 1 : 0)),
      planRow('primaries (shards)', ({ shards }) => formatInteger(shards)),
      planRow('database machines, standbys included', ({ databaseMachines }) => formatInteger(databaseMachines)),
      planRow('sessions per primary without a pooler', ({ sessionsPerPrimary }) => formatInteger(sessionsPerPrimary)),
      planRow('pooler needed', ({ needsPooler }) => (needsPooler ? 'yes' : 'no')),
      planRow('bodies sent, Gbit/s', ({ gigabits }) => gigabits.toFixed(gigabits < 10 ? 2 : 0)),
      planRow('cores in all', ({ cores }) => formatInteger(cores)),
      planRow('dollars per million requests', ({ dollarsPerMillion }) => dollarsPerMillion.toFixed(3)),
    ],
  )
}

export const assumptionList = (assumed: Assumptions): string =>
  [
    `of 1,000 requests: ${requestKinds.map((kind) => `${assumed.mix[kind]} × ${kindNames[kind]}`).join('; ')}`,
    `CPU utilization is ${assumed.utilization * 100} % in the busiest minute`,
    `machines of ${assumed.serviceMachineCores} cores for the service, of ${assumed.databaseMachineCores} for databases; at least two of each`,
    `a reverse proxy takes ${assumed.proxyMicros} µs per request, including TLS (not measured)`,
    `a core with its memory costs $${assumed.dollarsPerCoreHour.toFixed(2)} an hour; traffic, disks and staff are not included`,
    `a database server needs a connection pooler above ${assumed.sessionsPerServer} sessions`,
    'as many requests share a version query as with 32 clients of one process',
    'costs per request are those of this machine, and work is distributed evenly over processes and shards',
  ]
    .map((line) => `- ${line}`)
    .join('\n')
