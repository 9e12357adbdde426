import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fields, Resource } from '@muster/model'
import {
  alwaysNull,
  date,
  errorCodes,
  errorTypes,
  id,
  integer,
  name,
  personPath,
  reference,
  resource,
  resourceAt,
  resources,
  text,
} from '@muster/model'

const declareThing = (
  fields: Fields,
  unique: string[][] = [],
  naturalKey = ['id'],
  options: Partial<Pick<Resource, 'path' | 'personOf' | 'startDay'>> = {},
) =>
  resource({
    ...{
      path: 'things',
      table: 'things',
      schema: 'Thing',
      operationSingular: 'Thing',
      operationPlural: 'Things',
      title: 'thing',
      titles: 'things',
    },
    ...{ area: 'People' as const, about: 'Things.', unique, naturalKey, fields: { id: id(), ...fields } },
    ...options,
  })

describe('resource()', () => {
  const invalid: [rule: string, make: () => unknown, message: RegExp][] = [
    [
      'a default that is never used',
      () => declareThing({ a: text('A.', { default: 'x' }) }),
      /things\.a has a default that is never used/,
    ],
    [
      'an optional field that can never be null and has no default',
      () => declareThing({ a: text('A.', { required: true, create: 'optional' }) }),
      /things\.a is optional in a create and never null/,
    ],
    [
      'the history of a personal field',
      () => declareThing({ a: text('A.', { personal: true, history: true }) }),
      /things\.a is personal, so its history must not be recorded/,
    ],
    [
      'the history of a date',
      () => declareThing({ a: date('A.', { history: true }) }),
      /things\.a has a history, which is possible for texts/,
    ],
    [
      'a history by a personal date',
      () =>
        declareThing({ a: text('A.', { history: { day: 'b' } }), b: date('B.', { personal: true }) }, [], ['id'], {
          path: 'employees',
        }),
      /employees\.a has a history by b, which is no public date/,
    ],
    [
      'a first day that is no date',
      () => declareThing({ a: text('A.', { history: true }) }, [], ['id'], { startDay: 'a' }),
      /things\.a is the `startDay`, but no public date/,
    ],
    [
      'a string field that defaults to today',
      () => declareThing({ a: { ...text('A.', { create: 'optional' }), today: true } }),
      /things\.a can default to today only/,
    ],
    [
      'a personal field that can be neither null nor text',
      () => declareThing({ a: date('A.', { required: true, personal: true }) }),
      /things\.a is personal and never null, but not text/,
    ],
    [
      'a date with a string field in `notBefore`',
      () => declareThing({ a: text('A.'), b: date('B.', { notBefore: 'a' }) }),
      /things\.b must not be before/,
    ],
    [
      'a date with an undeclared field in `notBefore`',
      () => declareThing({ b: date('B.', { notBefore: 'a' }) }),
      /things\.b must not be before/,
    ],
    [
      'a reference with an undeclared field in `within`',
      () => declareThing({ a: reference('things', 'A.', { within: 'b' }) }),
      /things\.a has an undeclared field/,
    ],
    [
      'a field with the name of a filter of another field',
      () => declareThing({ day: date('D.'), day_from: text('F.') }),
      /things\.day_from has the name of a filter/,
    ],
    [
      'a reference whose related record has the name of a field',
      () => declareThing({ owner: text('O.'), owner_id: reference('things', 'A.') }),
      /things\.owner_id refers to a related record with the name of the field owner/,
    ],
    [
      'a reference that gives its related record no name of its own',
      () => declareThing({ owned_by: reference('things', 'A.') }),
      /things\.owned_by refers to a related record with the name of the field owned_by/,
    ],
    [
      'two references whose related records have the same name',
      () => declareThing({ owner_id: reference('things', 'A.'), owned_by: reference('things', 'A.', { as: 'owner' }) }),
      /things\.owner_id refers to a related record named owner, like another field/,
    ],
    [
      'a personal reference, whose related record would disclose it',
      () => declareThing({ owner_id: reference('things', 'A.', { personal: true }) }),
      /things\.owner_id is personal but refers to a record/,
    ],
    [
      'a personal field if nothing says whose data it is, also if the resource refers to people',
      () => declareThing({ owner_id: reference('employees', 'A.'), notes: text('N.', { personal: true }) }),
      /^TypeError: things\.notes is personal, but nothing says whose data it is: set `personOf` to the reference that leads to the employee or candidate$/,
    ],
    [
      'a field in `personOf` that is no reference',
      () => declareThing({ notes: text('N.', { personal: true }) }, [], ['id'], { personOf: 'notes' }),
      /things\.notes is named by `personOf` but is no reference/,
    ],
    ['a unique constraint on an undeclared field', () => declareThing({}, [['slug']]), /things\.slug is unique/],
    [
      'a natural key without fields',
      () => declareThing({ a: text('A.') }, [], []),
      /things\.naturalKey names no field/,
    ],
    [
      'a natural key of a field that is not stored',
      () => declareThing({ a: alwaysNull('A.') }, [], ['a']),
      /things\.a is part of the natural key but not stored/,
    ],
  ]
  for (const [rule, make, message] of invalid) {
    it(`rejects ${rule}`, () => assert.throws(make, message))
  }

  it('derives the stored, writable, filterable, searchable and sortable fields', () => {
    const thing = declareThing({
      code: name('Code.', { filter: true }),
      size: integer('Size.', { required: true, create: 'optional', default: 1 }),
      owner_id: reference('things', 'Owner.', { create: 'required' }),
    })
    assert.deepEqual(
      thing.storedFields.map((field) => field.name),
      ['id', 'code', 'size', 'owner_id'],
    )
    assert.deepEqual(
      thing.writableFields.map((field) => field.name),
      ['size', 'owner_id'],
    )
    assert.deepEqual(
      thing.filterableFields.map((field) => field.name),
      ['code', 'owner_id'],
    )
    assert.deepEqual(
      thing.searchableFields.map((field) => field.name),
      ['code'],
    )
    assert.deepEqual(
      thing.listFilters.map(({ parameter }) => parameter),
      ['id', 'code', 'code_is_null', 'owner_id', 'owner_id_is_null'],
    )
    assert.deepEqual(
      thing.sortableFields.map((field) => field.name),
      ['id', 'code', 'size', 'owner_id'],
    )
  })
})

describe('the registry', () => {
  it('declares id as the first field of every resource', () => {
    for (const { allFields: all, path } of resources) assert.equal(all[0]?.name, 'id', path)
  })

  it('does not use the same name for an error code and an error type', () => {
    assert.equal(
      new Set([...Object.keys(errorCodes), ...errorTypes]).size,
      Object.keys(errorCodes).length + errorTypes.length,
    )
  })
})

describe('personPath()', () => {
  const things = (target: string): Resource =>
    declareThing({ owner_id: reference(target, 'O.') }, [], ['id'], { personOf: 'owner_id' })
  const pathOf = (target: string) => {
    const path = personPath(things(target), (name) => (name === 'things' ? things(target) : resourceAt(name)))
    return path && [path.kind, ...path.references.map(({ resource: { path: name }, field }) => `${name}.${field}`)]
  }

  it('follows references until one names a person', () => {
    assert.deepEqual(pathOf('employees'), ['employees', 'things.owner_id'])
    assert.deepEqual(pathOf('leave'), ['employees', 'things.owner_id', 'leave.employee_id'])
    assert.deepEqual(pathOf('applications'), ['candidates', 'things.owner_id', 'applications.candidate_id'])
    assert.equal(personPath(resourceAt('candidates'), resourceAt), undefined)
  })

  it('rejects references that end at another record, or that lead in a circle', () => {
    for (const target of ['jobs', 'things'])
      assert.throws(() => pathOf(target), /^TypeError: things\.personOf leads to no person: things\.owner_id$/)
  })
})
