/** Which known name is suggested for a misspelt one, and when none is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { didYouMean, suggestion } from '@muster/model'

const known = ['limit', 'offset', 'q', 'id', 'name', 'status', 'employment_type', 'linkedin_url_is_null']

describe('a suggestion', () => {
  const cases: readonly (readonly [given: string, meant: string | undefined])[] = [
    ['stauts', 'status'],
    ['Status', 'status'],
    ['state', 'status'],
    ['nmae', 'name'],
    ['names', 'name'],
    ['ids', 'id'],
    ['limt', 'limit'],
    ['employement_typ', 'employment_type'],
    ['linkedinurl_isnull', 'linkedin_url_is_null'],
    // Three edits of three letters are another word.
    ['foo', undefined],
    ['x', undefined],
    ['iq', undefined],
    ['colour', undefined],
    ['employment', undefined],
    ['', undefined],
    ['linkedin'.repeat(2_000), undefined],
  ]
  for (const [given, meant] of cases)
    it(`for ${JSON.stringify(given.slice(0, 30))} is ${meant ?? 'none'}`, () => {
      assert.equal(suggestion(given, known), meant)
    })

  it('is the closest of several, and the first of those that are equally close', () => {
    assert.equal(suggestion('created_tow', ['created_from', 'created_to', 'created_two']), 'created_to')
    assert.equal(suggestion('created_tow', ['created_from', 'created_two']), 'created_two')
    assert.equal(suggestion('name', []), undefined)
  })

  it('ends a sentence, with a full stop if there is no suggestion', () => {
    assert.equal(didYouMean('stauts', known), '; did you mean status?')
    assert.equal(
      didYouMean('stauts', known, (name) => `--${name}`),
      '; did you mean --status?',
    )
    assert.equal(didYouMean('foo', known), '.')
  })
})
