/** Existing records of each resource, which cases refer to. */
import type { Contract } from './contract.ts'
import type { HttpClient } from './http-client.ts'
import { getRequest } from './request.ts'

export type PoolRecord = Readonly<Record<string, unknown>> & { readonly id: number }

export interface Pools {
  /** The first 200 records of a resource. */
  recordsOf(resource: string): readonly PoolRecord[]
  readonly resources: readonly string[]
}

/** The largest page. Cases need no more records. */
const poolSize = 200

export const readPools = async (contract: Contract, client: HttpClient): Promise<Pools> => {
  const pools = new Map<string, readonly PoolRecord[]>()
  for (const { resource, kind } of contract.operations) {
    if (kind !== 'list') continue
    const response = await client.send(getRequest(`${contract.basePath}/v1/${resource}?limit=${poolSize}`))
    const { data } = JSON.parse(response.text) as { data: PoolRecord[] }
    if (data.length === 0) throw new Error(`There are no ${resource}: run against a service with demo data.`)
    pools.set(resource, data)
  }
  return {
    resources: [...pools.keys()],
    recordsOf(resource) {
      const pool = pools.get(resource)
      if (pool === undefined) throw new Error(`The OpenAPI document has no list of ${resource}.`)
      return pool
    },
  }
}

/** The total number of records of each resource. */
export const readTotals = async (contract: Contract, client: HttpClient): Promise<Map<string, number>> => {
  const totals = new Map<string, number>()
  for (const { resource, kind } of contract.operations) {
    if (kind !== 'list') continue
    const response = await client.send(getRequest(`${contract.basePath}/v1/${resource}?limit=1`))
    totals.set(resource, (JSON.parse(response.text) as { meta: { total: number } }).meta.total)
  }
  return totals
}
