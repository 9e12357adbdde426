import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { didYouMean, suggestion } from '@muster/model'

const candidates = ['limit', 'offset', 'q', 'id', 'name', 'status', 'employment_type', 'linkedin_url_is_null']

describe('suggestion', () => {
  const cases: readonly (readonly [input: string, expected: string | undefined])[] = [
    ['stauts', 'status'],
    ['Status', 'status'],
    ['state', 'status'],
    ['nmae', 'name'],
    ['names', 'name'],
    ['ids', 'id'],
    ['limt', 'limit'],
    ['employement_typ', 'employment_type'],
    ['linkedinurl_isnull', 'linkedin_url_is_null'],
    // These inputs differ from every candidate by too many edits for their length.
    ['foo', undefined],
    ['x', undefined],
    ['iq', undefined],
    ['colour', undefined],
    ['employment', undefined],
    ['', undefined],
    ['linkedin'.repeat(2_000), undefined],
  ]
  for (const [input, expected] of cases)
    it(`for ${JSON.stringify(input.slice(0, 30))} is ${expected ?? 'none'}`, () => {
      assert.equal(suggestion(input, candidates), expected)
    })

  it('is the closest name, and the first of several equally close ones', () => {
    assert.equal(suggestion('created_tow', ['created_from', 'created_to', 'created_two']), 'created_to')
    assert.equal(suggestion('created_tow', ['created_from', 'created_two']), 'created_two')
    assert.equal(suggestion('name', []), undefined)
  })

  it('completes a sentence, which ends with a full stop if there is no suggestion', () => {
    assert.equal(didYouMean('stauts', candidates), '; did you mean status?')
    assert.equal(
      didYouMean('stauts', candidates, (name) => `--${name}`),
      '; did you mean --status?',
    )
    assert.equal(didYouMean('foo', candidates), '.')
  })
})
