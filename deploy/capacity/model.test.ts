/** The model of capacity adds up, grows with the rate, and is the one that docs/scaling.md shows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { assumptions, rates } from './assumptions.ts'
import type { RequestKind, UnitCosts } from './model.ts'
import { billFor, requestKinds } from './model.ts'
import { assumptionList, billTable, costTable } from './report.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const measured = JSON.parse(read('unit-costs.json')) as UnitCosts

/** Every request takes the service 1,000 µs; only pages, searches and creates take the database something, 1,000 µs too. */
const even: UnitCosts = {
  ...measured,
  costs: Object.fromEntries(
    requestKinds.map((kind) => [
      kind,
      { ...measured.costs[kind], service: 1_000, database: ['page', 'search', 'create'].includes(kind) ? 1_000 : 0 },
    ]),
  ) as Record<RequestKind, UnitCosts['costs'][RequestKind]>,
  connections: 10,
}

describe('the model of capacity', () => {
  it('takes a thousand requests in all for its mix', () => {
    assert.equal(
      Object.values(assumptions.mix).reduce((sum, count) => sum + count, 0),
      1_000,
    )
  })

  it('makes the bill that a hand would', () => {
    const bill = billFor(100_000, even, assumptions)
    // 100,000 times a millisecond is 100 cores, used to a half: 200.
    assert.equal(bill.serviceProcesses, 200)
    assert.equal(bill.serviceMachines, 13)
    assert.equal(bill.sessionsPerPrimary, 2_000)
    assert.equal(bill.needsPooler, true)
    // One in a hundred is a create: one core, used to a half.
    assert.equal(bill.primaryCores, 2)
    // 190 in a thousand are read from tables.
    assert.equal(bill.replicaCores, 38)
    assert.equal(bill.shards, 1)
    assert.equal(bill.databaseMachines, 2)
  })

  it('asks for replicas when one server cannot do it all, and for shards when a primary cannot do its part', () => {
    const many = billFor(1_000_000, even, assumptions)
    assert.equal(many.shards, 1)
    assert.equal(many.databaseMachines, 2 + Math.ceil(380 / assumptions.databaseMachineCores))
    assert.equal(billFor(10_000_000, even, assumptions).shards, Math.ceil(200 / assumptions.databaseMachineCores))
  })

  it('is shown in docs/scaling.md as it was measured', () => {
    const document = read('../../docs/scaling.md')
    for (const shown of [costTable(measured), billTable(measured, assumptions, rates), assumptionList(assumptions)])
      assert.ok(document.includes(shown), `docs/scaling.md does not hold:\n${shown}`)
  })
})
