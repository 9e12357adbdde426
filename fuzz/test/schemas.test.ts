/** Generated values and edges stand where an independent validator puts them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { bodySchema } from '../bodies.ts'
import { edgesOf } from '../boundaries.ts'
import type { Schema } from '../contract.ts'
import { openValidators } from '../response-validators.ts'
import { schemaArbitrary } from '../schema-arbitrary.ts'
import { committedContract } from './support.ts'

const contract = committedContract()
const validators = openValidators(contract)
const creates = contract.operations.filter(({ kind }) => kind === 'create')
const conforms = (schema: Schema, value: unknown): boolean => validators.faultsOf(schema, value).length === 0

describe('values made from a schema', () => {
  for (const operation of creates) {
    it(`conform to it: the body of ${operation.id}`, () => {
      const schema = operation.body?.schema as Schema
      fc.assert(
        fc.property(schemaArbitrary(schema, contract.resolve), (body) => conforms(schema, body)),
        { numRuns: 200 },
      )
    })
  }

  it('cover every keyword there is', () => {
    const schemas: Schema[] = [
      { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 },
      { enum: ['a', 1, null] },
      { const: { a: 1 } },
      { type: 'number', minimum: -0.5, maximum: 0.25 },
      { type: 'integer', minimum: 3, maximum: 5 },
      { type: 'string', minLength: 2, maxLength: 3 },
      { type: 'string', pattern: '^[ab]{3}-\\d$' },
      { type: 'object', required: ['a'], properties: { a: { type: ['string', 'null'] } }, additionalProperties: false },
    ]
    for (const schema of schemas) {
      const samples = fc.sample(schemaArbitrary(schema, contract.resolve), 200)
      for (const value of samples)
        assert.ok(conforms(schema, value), `${JSON.stringify(schema)}: ${JSON.stringify(value)}`)
    }
  })
})

describe('the edges of a schema', () => {
  for (const operation of creates) {
    it(`stand on the side the validator puts them: ${operation.id}`, () => {
      for (const [name, schema] of Object.entries(bodySchema(contract, operation).properties)) {
        for (const { keyword, literal, isValid } of edgesOf(schema)) {
          const value: unknown = JSON.parse(literal)
          // What no schema can say: a number too large to be held, and text that is no JSON.
          if (!Number.isFinite(value) && typeof value === 'number') continue
          if (schema.contentMediaType !== undefined && !isValid) continue
          assert.equal(conforms(schema, value), isValid, `${name} ${keyword} ${literal.slice(0, 60)}`)
        }
      }
    })
  }

  it('include both sides of every bound', () => {
    const sides = (schema: Schema, keyword: string) =>
      new Set(
        edgesOf(schema)
          .filter((edge) => edge.keyword === keyword)
          .map(({ isValid }) => isValid),
      )
    assert.equal(sides({ type: 'integer', minimum: 1 }, 'minimum').size, 2)
    assert.equal(sides({ type: 'integer', maximum: 1 }, 'maximum').size, 2)
    assert.equal(sides({ type: 'string', maxLength: 5 }, 'maxLength').size, 2)
    assert.equal(sides({ type: 'string', minLength: 1 }, 'minLength').size, 2)
    assert.equal(sides({ type: 'string', pattern: '^[^\\x00]*$' }, 'pattern').size, 2)
    assert.equal(sides({ type: ['string', 'null'] }, 'type').size, 2)
  })
})
