/** A declaration that contradicts itself is refused when it is loaded. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CreateBodyOf, Fields, RecordOf } from '@muster/model'
import { date, errorCodes, faultTypes, id, integer, name, reference, resource, resources, text } from '@muster/model'

const declare = (fields: Fields, unique: string[][] = []) =>
  resource({
    ...{
      path: 'things',
      table: 'things',
      schema: 'Thing',
      one: 'Thing',
      many: 'Things',
      title: 'thing',
      titles: 'things',
    },
    ...{ area: 'People' as const, about: 'Things.', unique, fields: { id: id(), ...fields } },
  })

describe('a declaration', () => {
  const refused: [rule: string, make: () => unknown, message: RegExp][] = [
    [
      'a default nobody can use',
      () => declare({ a: text('A.', { default: 'x' }) }),
      /things\.a has a default nobody can use/,
    ],
    [
      'an optional field that can never be null and has no default',
      () => declare({ a: text('A.', { required: true, create: 'optional' }) }),
      /things\.a may be left out but never null/,
    ],
    [
      'a text that stands for today',
      () => declare({ a: { ...text('A.', { create: 'optional' }), today: true } }),
      /things\.a can only stand for today/,
    ],
    [
      'a personal field that can never be null',
      () => declare({ a: text('A.', { required: true, personal: true }) }),
      /things\.a is personal/,
    ],
    [
      'a date ordered after a text',
      () => declare({ a: text('A.'), b: date('B.', { notBefore: 'a' }) }),
      /things\.b is ordered after/,
    ],
    [
      'a date ordered after nothing',
      () => declare({ b: date('B.', { notBefore: 'a' }) }),
      /things\.b is ordered after/,
    ],
    [
      'a reference bound to an undeclared field',
      () => declare({ a: reference('things', 'A.', { within: 'b' }) }),
      /things\.a is bound/,
    ],
    [
      'a field that is called like a filter of another',
      () => declare({ day: date('D.'), day_from: text('F.') }),
      /things\.day_from is called like a filter/,
    ],
    [
      'a reference whose record would be called like a field',
      () => declare({ owner: text('O.'), owner_id: reference('things', 'A.') }),
      /things\.owner_id refers to a record that is called like the field owner/,
    ],
    [
      'a reference that does not say what its record is called',
      () => declare({ owned_by: reference('things', 'A.') }),
      /things\.owned_by refers to a record that is called like the field owned_by/,
    ],
    [
      'two references whose records would be called the same',
      () => declare({ owner_id: reference('things', 'A.'), owned_by: reference('things', 'A.', { as: 'owner' }) }),
      /things\.owner_id refers to a record that is called owner like another/,
    ],
    [
      'a personal reference, whose record would tell what it withholds',
      () => declare({ owner_id: reference('things', 'A.', { personal: true }) }),
      /things\.owner_id is personal but refers to a record/,
    ],
    ['an undeclared field that is unique', () => declare({}, [['slug']]), /things\.slug is unique/],
  ]
  for (const [rule, make, message] of refused) {
    it(`with ${rule} is refused`, () => assert.throws(make, message))
  }

  it('of a sound resource says which fields are stored, writable, filters and searched', () => {
    const thing = declare({
      code: name('Code.', { filter: true }),
      size: integer('Size.', { required: true, create: 'optional', default: 1 }),
      owner_id: reference('things', 'Owner.', { create: 'required' }),
    })
    assert.deepEqual(
      thing.stored.map((field) => field.name),
      ['id', 'code', 'size', 'owner_id'],
    )
    assert.deepEqual(
      thing.writable.map((field) => field.name),
      ['size', 'owner_id'],
    )
    assert.deepEqual(
      thing.filters.map((field) => field.name),
      ['code', 'owner_id'],
    )
    assert.deepEqual(
      thing.searchable.map((field) => field.name),
      ['code'],
    )
    assert.deepEqual(
      thing.listFilters.map(({ parameter }) => parameter),
      ['id', 'code', 'code_is_null', 'owner_id', 'owner_id_is_null'],
    )
    assert.deepEqual(
      thing.sortable.map((field) => field.name),
      ['id', 'code', 'size', 'owner_id'],
    )
  })

  it('gives records and create bodies their types', () => {
    const thing = resource({
      ...{
        path: 'things',
        table: 'things',
        schema: 'Thing',
        one: 'Thing',
        many: 'Things',
        title: 'thing',
        titles: 'things',
      },
      ...{ area: 'People', about: 'Things.' },
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
    const wrong: RecordOf<typeof thing>['size'] = null
    // @ts-expect-error the owner is required
    const incomplete: CreateBodyOf<typeof thing> = { size: 1 }
    // @ts-expect-error a note is not in the create body
    const extra: CreateBodyOf<typeof thing> = { owner_id: 1, note: 'x' }
    assert.equal([record, body, wrong, incomplete, extra].length, 5)
  })
})

describe('the registry', () => {
  it('holds twelve resources, seven of which can be created', () => {
    assert.equal(resources.length, 12)
    assert.equal(resources.filter(({ creatable }) => creatable).length, 7)
  })

  it('names the record behind every reference', () => {
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
    assert.equal(resources.flatMap(({ all }) => all).length, 129)
    assert.equal(resources.flatMap(({ writable }) => writable).length, 52)
  })

  it('starts every record with its id', () => {
    for (const { all, path } of resources) assert.equal(all[0]?.name, 'id', path)
  })

  it('names every code and fault once', () => {
    assert.equal(
      new Set([...Object.keys(errorCodes), ...faultTypes]).size,
      Object.keys(errorCodes).length + faultTypes.length,
    )
  })
})
