/** Tests for every field that the validation of an import is at least as strict as the table constraints. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'

const boundaryValues = (field: NamedField): unknown[] => {
  const maxLength = field.maxLength ?? 10
  switch (field.kind) {
    case 'id':
      return [1, 0, -1, 9e15, 9e15 + 1, Number.MAX_SAFE_INTEGER, null]
    case 'reference':
      return [1, 0, -1, Number.MAX_SAFE_INTEGER, null]
    case 'integer':
      return [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53, null]
    case 'number':
      return [0, -0, 5e-324, 1.7976931348623157e308, -1.5, null]
    case 'date':
    case 'timestamp':
      return [
        '0001-01-01',
        '9999-12-31',
        '9999-12-31T23:59:59.999999Z',
        '2024-02-29 12:00',
        '2023-02-29',
        'now',
        '',
        null,
      ]
    case 'json':
      return ['{}', '', '[', `"${'j'.repeat(maxLength - 2)}"`, `"${'j'.repeat(maxLength)}"`, null]
    default:
      return [
        '',
        ' ',
        '\t\n',
        '\u00a0',
        '\u3000',
        '𝒳'.repeat(maxLength),
        '𝒳'.repeat(maxLength + 1),
        'a\u0000b',
        'javascript:x',
        null,
      ]
  }
}

const validValue = (field: NamedField, index: number): unknown => {
  if (!field.required) return undefined
  switch (field.kind) {
    case 'reference':
    case 'integer':
      return 1
    case 'number':
      return 1.5
    case 'date':
      return '2026-01-01'
    case 'timestamp':
      return '2026-01-01T00:00:00Z'
    default:
      return `value-${index}`
  }
}

const recordsFor = ({ storedFields: stored }: Resource): Record<string, unknown>[] => {
  const cases = stored.flatMap((field) => boundaryValues(field).map((value) => ({ field, value })))
  return cases.map(({ field, value }, index) => ({
    ...Object.fromEntries(stored.map((otherField) => [otherField.name, validValue(otherField, index)])),
    [field.name]: value,
  }))
}

describe('the tables', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  for (const resource of resources) {
    it(`accept all ${resource.titles} that pass the validation of muster import`, async () => {
      const file = recordsFor(resource).map((entry) => `${JSON.stringify(entry)}\n`)
      const result = await muster(
        ['import', resource.path, '--format', 'ndjson', '--skip-bad'],
        { DATABASE_URL: database.url },
        file.join(''),
      )
      assert.equal(result.code, 0, result.err)
      const [, readCount, rejectedCount] = /(\d+) lines read, (\d+) lines rejected/.exec(result.out) ?? []
      assert.equal(Number(readCount), file.length)
      assert.ok(Number(rejectedCount) > 0 && Number(rejectedCount) < file.length, result.out)
    })
  }
})
