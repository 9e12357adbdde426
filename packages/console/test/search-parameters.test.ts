import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOffset } from '../src/search-parameters.ts'

test('a text in the URL that is no offset is the beginning of the list', () => {
  assert.equal(parseOffset('50'), 50)
  assert.equal(parseOffset(undefined), 0)
  for (const text of ['', 'x', '-5', '5.5', '5e1', '0x5', ' 5', '9'.repeat(10)])
    assert.equal(parseOffset(text), 0, text)
})
