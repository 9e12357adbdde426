import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { mutate } from '../../chaos/mutations.ts'
import { mutations } from '../list.ts'

const root = new URL('../../../', import.meta.url)

describe('a deliberate fault', () => {
  for (const mutation of mutations)
    it(`replaces a text that occurs once, and names a test file that exists: ${mutation.about}`, () => {
      const text = readFileSync(new URL(mutation.file, root), 'utf8')
      assert.notEqual(mutate(text, mutation), text)
      assert.ok(existsSync(new URL(mutation.test, root)), mutation.test)
    })

  it('has a description of its own', () => {
    assert.equal(new Set(mutations.map(({ about }) => about)).size, mutations.length)
  })
})
