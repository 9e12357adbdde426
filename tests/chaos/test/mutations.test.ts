import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { mutate, mutations, slowDowns } from '../mutations.ts'

describe('a mutation', () => {
  for (const [name, mutation] of Object.entries({ ...mutations, ...slowDowns })) {
    it(`replaces a text that occurs in the sources: ${name}`, () => {
      const text = readFileSync(new URL(`../../../${mutation.file}`, import.meta.url), 'utf8')
      assert.ok(mutate(text, mutation).includes(mutation.to))
    })
  }

  it('is rejected if the text to replace is missing or occurs twice', () => {
    const mutation = { file: 'a file', from: 'x', to: 'y' }
    assert.equal(mutate('x', mutation), 'y')
    assert.throws(() => mutate('', mutation), /a file does not contain the mutated text exactly once: x/)
    assert.throws(() => mutate('x x', mutation), /a file does not contain the mutated text exactly once: x/)
  })
})
