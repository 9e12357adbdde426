/** Compares the declarations with the hand-written contract in tests/contract, in both directions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../../../tests/contract/contract.ts'
import * as contract from '../../../tests/contract/contract.ts'
import { resources } from '../src/registry.ts'
import type { FieldKind, NamedField } from '../src/schema/field.ts'
import { isSearchable } from '../src/schema/field.ts'
import type { Resource } from '../src/schema/resource.ts'

const kinds: Partial<Record<FieldKind, contract.FieldKind>> = { withheld: 'always null' }

/** What the declaration says about a field, in the terms of the contract. The contract alone has sample values. */
const declaredField = (resource: Resource, field: NamedField): Omit<Field, 'sample'> => {
  const { name, kind, required, create, filter, personal, maxLength, today, notBefore, references } = field
  const unique = resource.unique.find((names) => names.at(-1) === name)
  return {
    resource: resource.path,
    field: name,
    kind: field.state ? 'state' : (kinds[kind] ?? (kind as contract.FieldKind)),
    type: ['id', 'reference', 'integer'].includes(kind) ? 'integer' : kind === 'number' ? 'number' : 'string',
    nullable: !required,
    create: create === 'never' ? 'none' : create,
    filter,
    searched: isSearchable(field),
    sorted: resource.sortableFields.includes(field),
    personal,
    notBlank: create !== 'never' && field.notBlank === true,
    ...(create === 'never' || maxLength === undefined ? {} : { maxLength }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(today === undefined ? {} : { today }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(references === undefined ? {} : { to: references.resource }),
    ...(references?.within === undefined ? {} : { within: references.within }),
    ...(unique === undefined ? {} : { uniqueWithin: unique.slice(0, -1) }),
  }
}

describe('the contract', () => {
  for (const resource of resources) {
    it(`of ${resource.path} is in tests/contract/${resource.path}.ts and says what is declared`, () => {
      const { table, fields } = contract.contractOf(resource.path)
      assert.equal(resource.table, table)
      assert.deepEqual(
        resource.allFields.map(({ name }) => name),
        Object.keys(fields),
      )
      const stated = contract.fieldsOf(resource.path).map(({ sample: _, ...field }) => field)
      for (const [index, field] of resource.allFields.entries())
        assert.deepEqual(declaredField(resource, field), stated[index], field.name)
      assert.deepEqual(
        resource.relations.map(({ name, field, resource: target }) => ({ name, field: field.name, target })),
        contract.relationsOf(resource.path),
      )
    })
  }

  // The suites make up values of a text; of no other field could each create send another value.
  it('can state every unique constraint', () => {
    for (const { path, unique, allFields } of resources)
      for (const names of unique) {
        const last = allFields.find(({ name }) => name === names.at(-1))
        assert.ok(
          last?.kind === 'text' && last.create === 'required',
          `${path} has the unique constraint (${names.join(', ')}), which tests/contract cannot state: end it with a text that creates require, or remove it from the declaration.`,
        )
      }
  })

  it('has no resource that is not declared', () => {
    assert.deepEqual([...contract.resources].sort(), resources.map(({ path }) => path).sort())
  })

  it('has sample values that differ from the defaults', () => {
    for (const { resource, field, sample, ...rest } of contract.resources.flatMap(contract.fieldsOf))
      if (rest.default !== undefined) assert.notEqual(sample, rest.default, `${resource}.${field}`)
  })
})
