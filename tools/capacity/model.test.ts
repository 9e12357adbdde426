import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { assumptions, rates } from './assumptions.ts'
import type { RequestKind, UnitCosts } from './model.ts'
import { planCapacity, requestKinds } from './model.ts'
import { assumptionList, capacityTable, costTable } from './report.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const storedCosts = JSON.parse(read('unit-costs.json')) as UnitCosts

/** Every request takes 1,000 µs in the service; pages, searches and creates also take 1,000 µs in the database. */
const uniformCosts: UnitCosts = {
  ...storedCosts,
  costs: Object.fromEntries(
    requestKinds.map((kind) => [
      kind,
      { ...storedCosts.costs[kind], service: 1_000, database: ['page', 'search', 'create'].includes(kind) ? 1_000 : 0 },
    ]),
  ) as Record<RequestKind, UnitCosts['costs'][RequestKind]>,
  connections: 10,
}

describe('the capacity model', () => {
  it('assumes numbers of requests per kind that add up to exactly 1,000', () => {
    assert.equal(
      Object.values(assumptions.mix).reduce((sum, count) => sum + count, 0),
      1_000,
    )
  })

  it('computes the same number of machines as a calculation by hand', () => {
    const plan = planCapacity(100_000, uniformCosts, assumptions)
    // 100,000 requests of 1 ms need 100 fully used cores, or 200 cores at 50 % utilization.
    assert.equal(plan.serviceProcesses, 200)
    assert.equal(plan.serviceMachines, 13)
    assert.equal(plan.sessionsPerPrimary, 2_000)
    assert.equal(plan.needsPooler, true)
    // One request in a hundred creates a record, which needs one fully used core, or two cores at 50 % utilization.
    assert.equal(plan.primaryCores, 2)
    // 190 of 1,000 requests read from tables, which needs 19 fully used cores, or 38 cores at 50 % utilization.
    assert.equal(plan.replicaCores, 38)
    assert.equal(plan.shards, 1)
    assert.equal(plan.databaseMachines, 2)
  })

  it('adds replicas if one database server is not enough, and shards if one primary is not enough', () => {
    const millionPlan = planCapacity(1_000_000, uniformCosts, assumptions)
    assert.equal(millionPlan.shards, 1)
    assert.equal(millionPlan.databaseMachines, 2 + Math.ceil(380 / assumptions.databaseMachineCores))
    assert.equal(
      planCapacity(10_000_000, uniformCosts, assumptions).shards,
      Math.ceil(200 / assumptions.databaseMachineCores),
    )
  })

  it('produces the tables in docs/scaling.md', () => {
    const document = read('../../docs/scaling.md')
    for (const shown of [
      costTable(storedCosts),
      capacityTable(storedCosts, assumptions, rates),
      assumptionList(assumptions),
    ])
      assert.ok(document.includes(shown), `docs/scaling.md does not contain:\n${shown}`)
  })
})
