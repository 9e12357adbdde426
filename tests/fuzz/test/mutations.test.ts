import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { mutations } from '../mutation-list.ts'

describe('a mutation for the fuzz tests', () => {
  for (const { about, file, from } of mutations)
    it(`finds its text exactly once in the sources: ${about}`, () => {
      const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
      assert.equal(text.split(from).length - 1, 1, `${file}: ${from}`)
    })
})
