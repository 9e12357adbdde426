import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { mutations as chaosMutations, slowDowns } from '../../chaos/mutations.ts'
import { mutations as fuzzMutations } from '../../fuzz/mutation-list.ts'
import { mutations as unitMutations } from '../list.ts'
import type { Mutation } from '../mutation.ts'
import { mutate } from '../mutation.ts'

const root = new URL('../../../', import.meta.url)

const named = Object.entries({ ...chaosMutations, ...slowDowns }).map(([about, mutation]) => ({ about, ...mutation }))
const allMutations: readonly (Mutation & { readonly about: string })[] = [...unitMutations, ...fuzzMutations, ...named]

describe('a mutation', () => {
  for (const { about, ...mutation } of allMutations)
    it(`replaces a text that occurs once: ${about}`, () => {
      const text = readFileSync(new URL(mutation.file, root), 'utf8')
      assert.notEqual(mutate(text, mutation), text)
    })

  it('is rejected if the text to replace is missing or occurs twice', () => {
    const mutation = { file: 'a file', from: 'x', to: 'y' }
    assert.equal(mutate('x', mutation), 'y')
    assert.throws(() => mutate('', mutation), /a file does not contain the mutated text exactly once: x/)
    assert.throws(() => mutate('x x', mutation), /a file does not contain the mutated text exactly once: x/)
  })

  it('has a description of its own', () => {
    assert.equal(new Set(allMutations.map(({ about }) => about)).size, allMutations.length)
  })

  it('names a test file that exists', () => {
    for (const { test } of unitMutations) assert.ok(existsSync(new URL(test, root)), test)
  })
})
