/** The rules of an import are at least those of the tables: whatever is let pass can be stored, for every field of every resource. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { muster } from './support/muster.ts'

const edges = (field: NamedField): unknown[] => {
  const length = field.maxLength ?? 10
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
      return ['{}', '', '[', `"${'j'.repeat(length - 2)}"`, `"${'j'.repeat(length)}"`, null]
    default:
      return [
        '',
        ' ',
        '\t\n',
        '\u00a0',
        '\u3000',
        '𝒳'.repeat(length),
        '𝒳'.repeat(length + 1),
        'a\u0000b',
        'javascript:x',
        null,
      ]
  }
}

const plain = (field: NamedField, index: number): unknown => {
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

const entriesFor = ({ stored }: Resource): Record<string, unknown>[] => {
  const cases = stored.flatMap((field) => edges(field).map((value) => ({ field, value })))
  return cases.map(({ field, value }, index) => ({
    ...Object.fromEntries(stored.map((other) => [other.name, plain(other, index)])),
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
    it(`take every one of the ${resource.titles} that the rules let pass`, async () => {
      const file = entriesFor(resource).map((entry) => `${JSON.stringify(entry)}\n`)
      const said = await muster(
        ['import', resource.path, '--format', 'ndjson', '--skip-bad'],
        { DATABASE_URL: database.url },
        file.join(''),
      )
      assert.equal(said.code, 0, said.err)
      const [, read, refused] = /(\d+) lines read, (\d+) lines refused/.exec(said.out) ?? []
      assert.equal(Number(read), file.length)
      assert.ok(Number(refused) > 0 && Number(refused) < file.length, said.out)
    })
  }
})
