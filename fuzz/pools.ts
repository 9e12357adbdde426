/** In charge of what stood in the service when the run began: records that cases may refer to, and how many there were. */
import type { Contract } from './contract.ts'
import { read } from './request.ts'
import type { Wire } from './wire.ts'

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

export interface Pools {
  /** The first records of a resource. */
  of(resource: string): readonly Row[]
  readonly resources: readonly string[]
}

/** As many as a page holds: more would make no case different. */
const poolSize = 200

export const readPools = async (contract: Contract, wire: Wire): Promise<Pools> => {
  const pools = new Map<string, readonly Row[]>()
  for (const { resource, kind } of contract.operations) {
    if (kind !== 'list') continue
    const answer = await wire.send(read(`${contract.base}/v1/${resource}?limit=${poolSize}`))
    const { data } = JSON.parse(answer.text) as { data: Row[] }
    if (data.length === 0)
      throw new Error(`There are no ${resource} to refer to: run against a service with demo data.`)
    pools.set(resource, data)
  }
  return {
    resources: [...pools.keys()],
    of(resource) {
      const pool = pools.get(resource)
      if (pool === undefined) throw new Error(`The description has no list of ${resource}.`)
      return pool
    },
  }
}

/** How many records each list counts. */
export const readTotals = async (contract: Contract, wire: Wire): Promise<Map<string, number>> => {
  const totals = new Map<string, number>()
  for (const { resource, kind } of contract.operations) {
    if (kind !== 'list') continue
    const answer = await wire.send(read(`${contract.base}/v1/${resource}?limit=1`))
    totals.set(resource, (JSON.parse(answer.text) as { meta: { total: number } }).meta.total)
  }
  return totals
}
