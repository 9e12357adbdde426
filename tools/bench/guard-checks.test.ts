import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slowDowns } from '../../tests/chaos/mutations.ts'
import { guardChecks, verdictOf } from './guard-checks.ts'

const check = {
  figure: 'get',
  baseline: 'bare',
  observed: [1, 1.5],
  maxRatio: 3,
  slowDown: slowDowns.cacheUnused,
} as const

describe('the benchmark guard', () => {
  it('passes up to the maximum ratio of two figures and fails above it, whatever the figures themselves are', () => {
    for (const unit of [0.001, 1, 1_000]) {
      assert.equal(verdictOf(check, { get: 3 * unit, bare: unit }).passed, true)
      assert.equal(verdictOf(check, { get: 3.01 * unit, bare: unit }).passed, false)
    }
  })

  it('fails if a figure is missing', () => {
    assert.equal(verdictOf(check, { bare: 1 }).passed, false)
    assert.equal(verdictOf(check, { get: 1 }).passed, false)
  })

  it('prints the ratio, its maximum and the observed range', () => {
    const { line } = verdictOf(check, { get: 4, bare: 1 })
    assert.equal(line, 'FAILED get / bare: 4.00 (at most 3, observed 1 to 1.5)')
  })

  it('allows more than the highest observed ratio', () => {
    for (const { figure, observed, maxRatio } of guardChecks)
      assert.ok(maxRatio >= 1.15 * observed[1] && observed[0] <= observed[1], figure)
  })
})
