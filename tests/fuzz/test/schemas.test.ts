import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../support/fast-check.ts'
import { bodySchema } from '../bodies.ts'
import { boundariesOf } from '../boundaries.ts'
import type { Schema } from '../contract.ts'
import { openValidators } from '../response-validators.ts'
import { schemaArbitrary } from '../schema-arbitrary.ts'
import { committedContract } from './support.ts'

const contract = committedContract()
const validators = openValidators(contract)
const creates = contract.operations.filter(({ kind }) => kind === 'create')
const conforms = (schema: Schema, value: unknown): boolean => validators.errorsOf(schema, value).length === 0

describe('values generated from a schema', () => {
  for (const operation of creates) {
    it(`conform to that schema: the body of ${operation.id}`, () => {
      const schema = operation.body?.schema as Schema
      fc.assert(
        fc.property(schemaArbitrary(schema, contract.resolve), (body) => conforms(schema, body)),
        { numRuns: 200 },
      )
    })
  }

  it('conform to that schema for every keyword', () => {
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

describe('the boundary values of a schema', () => {
  for (const operation of creates) {
    it(`are valid or invalid exactly as Ajv finds them: ${operation.id}`, () => {
      for (const [name, schema] of Object.entries(bodySchema(contract, operation).properties)) {
        for (const { keyword, literal, isValid } of boundariesOf(schema)) {
          const value: unknown = JSON.parse(literal)
          // Ajv cannot decide these: numbers that overflow to Infinity, and strings that must contain JSON.
          if (!Number.isFinite(value) && typeof value === 'number') continue
          if (schema.contentMediaType !== undefined && !isValid) continue
          assert.equal(conforms(schema, value), isValid, `${name} ${keyword} ${literal.slice(0, 60)}`)
        }
      }
    })
  }

  it('include a valid and an invalid value for every keyword', () => {
    const validities = (schema: Schema, keyword: string) =>
      new Set(
        boundariesOf(schema)
          .filter((boundary) => boundary.keyword === keyword)
          .map(({ isValid }) => isValid),
      )
    assert.equal(validities({ type: 'integer', minimum: 1 }, 'minimum').size, 2)
    assert.equal(validities({ type: 'integer', maximum: 1 }, 'maximum').size, 2)
    assert.equal(validities({ type: 'string', maxLength: 5 }, 'maxLength').size, 2)
    assert.equal(validities({ type: 'string', minLength: 1 }, 'minLength').size, 2)
    assert.equal(validities({ type: 'string', pattern: '^[^\\x00]*$' }, 'pattern').size, 2)
    assert.equal(validities({ type: ['string', 'null'] }, 'type').size, 2)
  })
})
