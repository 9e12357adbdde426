import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CreateBodyOf, Fields, RecordOf } from '@muster/model'
import {
  alwaysNull,
  date,
  errorCodes,
  errorTypes,
  id,
  integer,
  name,
  reference,
  resource,
  resources,
  text,
} from '@muster/model'

const declareThing = (fields: Fields, unique: string[][] = [], naturalKey = ['id']) =>
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

  it('infers the types of records and create bodies', () => {
    const thing = resource({
      ...{
        path: 'things',
        table: 'things',
        schema: 'Thing',
        operationSingular: 'Thing',
        operationPlural: 'Things',
        title: 'thing',
        titles: 'things',
      },
      ...{ area: 'People', about: 'Things.', naturalKey: ['id'] },
      fields: {
        id: id(),
        size: integer('S.', { required: true, create: 'optional', default: 1 }),
        note: text('N.'),
        owner_id: reference('things', 'O.', { create: 'required' }),
      },
    })
    const record: RecordOf<typeof thing> = { id: 1, size: 2, note: null, owner_id: null }
    const body: CreateBodyOf<typeof thing> = { owner_id: 1, size: null }
    // @ts-expect-error a record's size is never null
    const nullSize: RecordOf<typeof thing>['size'] = null
    // @ts-expect-error the owner is required
    const bodyWithoutOwner: CreateBodyOf<typeof thing> = { size: 1 }
    // @ts-expect-error a note is not in the create body
    const bodyWithNote: CreateBodyOf<typeof thing> = { owner_id: 1, note: 'x' }
    assert.equal([record, body, nullSize, bodyWithoutOwner, bodyWithNote].length, 5)
  })
})

describe('the registry', () => {
  it('has twelve resources, and records of seven of them can be created', () => {
    assert.equal(resources.length, 12)
    assert.equal(resources.filter(({ creatable }) => creatable).length, 7)
  })

  it('names the related record of every reference', () => {
    const names = resources.flatMap(({ path, relations }) =>
      relations.map(({ name, field, resource: target }) => `${path}.${field.name} ${name} ${target}`),
    )
    assert.deepEqual(names, [
      'employees.dept_id department departments',
      'employees.manager_id manager employees',
      'employees.candidate_id candidate candidates',
      'leave.employee_id employee employees',
      'attendance.employee_id employee employees',
      'jobs.dept_id department departments',
      'jobs.hiring_manager_id hiring_manager employees',
      'candidates.referred_by referrer employees',
      'applications.candidate_id candidate candidates',
      'applications.job_id job jobs',
      'brands.organization_id organization organizations',
      'organization-teams.organization_id organization organizations',
      'organization-teams.parent_id parent organization-teams',
      'organization-teams.department_id department departments',
      'job-distributions.job_posting_id job jobs',
      'job-distributions.career_site_id career_site career-sites',
      'job-distributions.brand_id brand brands',
    ])
  })

  it('declares 129 fields, 52 of them writable', () => {
    assert.equal(resources.flatMap(({ allFields: all }) => all).length, 129)
    assert.equal(resources.flatMap(({ writableFields: writable }) => writable).length, 52)
  })

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
