import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sortKeys } from '../src/explorer/sort-order.ts'
import { peopleFacetOptions } from '../src/screens/people/facets.ts'
import { filterChips, noFilters } from '../src/screens/people/filter-chips.ts'
import { filtersWithout, peopleFilters, sortOrder } from '../src/screens/people/people-query.ts'
import { outUntilByPerson, personState } from '../src/screens/person/person-state.ts'

describe('the filters of the People screen', () => {
  it('hides people who left, unless they are asked for or statuses are chosen', () => {
    assert.equal(peopleFilters({}).status_not, 'terminated')
    assert.equal(peopleFilters({ left: 'true' }).status_not, undefined)
    assert.deepEqual(peopleFilters({ status: 'active' }).status, ['active'])
    assert.equal(peopleFilters({ status: 'active' }).status_not, undefined)
  })

  it('ignores values that no filter of the API accepts', () => {
    const filters = peopleFilters({ q: '  ', dept_id: '3,x,7,-1', branch: ' , ', status: ',' })
    assert.equal(filters.q, undefined)
    assert.deepEqual(filters.dept_id, [3, 7])
    assert.equal(filters.branch, undefined)
  })

  it('keeps commas in the names of offices', () => {
    assert.deepEqual(peopleFilters({ branch: 'paris,, france,lyon' }).branch, ['paris, france', 'lyon'])
  })

  it('leaves out the filter of the facet that is counted', () => {
    const filters = peopleFilters({ dept_id: '3', q: 'ada' })
    assert.deepEqual(Object.keys(filtersWithout(filters, 'dept_id')).includes('dept_id'), false)
    assert.equal(filtersWithout(filters, 'status').status_not, undefined)
    assert.equal(filtersWithout(filters, 'status').q, 'ada')
  })
})

describe('the order of the People screen', () => {
  it('is by name, or by title if names are withheld', () => {
    assert.deepEqual(sortOrder(undefined, false), { field: 'last_name', isDescending: false })
    assert.deepEqual(sortOrder(undefined, true), { field: 'designation', isDescending: false })
    assert.deepEqual(sortOrder('-last_name', true), { field: 'designation', isDescending: false })
  })

  it('ignores fields that are not offered', () => {
    assert.deepEqual(sortOrder('base_salary', false), { field: 'last_name', isDescending: false })
    assert.deepEqual(sortOrder('-date_of_joining', true), { field: 'date_of_joining', isDescending: true })
  })

  it('continues with the given name in the same direction', () => {
    assert.deepEqual(sortKeys({ field: 'last_name', isDescending: true }), ['-last_name', '-first_name'])
    assert.deepEqual(sortKeys({ field: 'status', isDescending: false }), ['status'])
  })
})

describe('the options of a facet', () => {
  const groups = [
    { branch: 'galway', count: 2 },
    { branch: 'hà nội', count: 5 },
    { branch: '', count: 1 },
    { branch: null, count: 3 },
  ]

  it('are sorted by their counts, and those that no filter selects are added up', () => {
    const { options, others, othersAreNull } = peopleFacetOptions('branch', groups, [], new Map([['galway', 'GALWAY']]))
    assert.deepEqual(
      options.map(({ label, count }) => [label, count]),
      [
        ['Hà Nội', 5],
        ['GALWAY', 2],
      ],
    )
    assert.equal(others, 4)
    assert.equal(othersAreNull, false)
  })

  it('contain selected values that nobody has', () => {
    const { options } = peopleFacetOptions('branch', groups, ['Galway', 'lyon'], new Map())
    assert.deepEqual(options.at(-1), { value: 'lyon', label: 'Lyon', count: 0 })
    assert.equal(options.length, 3)
  })

  it('name departments by their spelling if it is known', () => {
    const counted = [{ dept_id: 4, 'department.name': 'mcdonald tools', count: 1 }]
    assert.equal(peopleFacetOptions('dept_id', counted, [], new Map()).options[0]?.label, 'Mcdonald Tools')
    assert.equal(
      peopleFacetOptions('dept_id', counted, [], new Map([['4', 'McDonald Tools']])).options[0]?.label,
      'McDonald Tools',
    )
  })
})

describe('the chips of the filters', () => {
  const options = () => [{ value: '3', label: 'Data', count: 1 }]

  it('show the search, every value, and that people who left are hidden', () => {
    const chips = filterChips({ q: 'ada', dept_id: '3,4' }, options)
    assert.deepEqual(
      chips.map(({ title, text }) => `${title} ${text}`),
      ['Search ada', 'Department Data', 'Department 4', 'Status not Left'],
    )
    assert.deepEqual(chips[1]?.without, { dept_id: '4' })
    assert.deepEqual(chips[3]?.without, { left: 'true' })
  })

  it('go back to hiding people who left, and show everybody without any filter', () => {
    const [chip] = filterChips({ status: 'active' }, options)
    assert.deepEqual(chip?.without, { status: undefined })
    assert.equal(peopleFilters(noFilters).status_not, undefined)
  })
})

describe('what is said about a person', () => {
  const person = { status: 'active', date_of_joining: '2020-01-01', termination_date: null }
  const asOf = '2026-11-13'

  it('is nothing for somebody who is active', () => {
    assert.equal(personState(person, undefined, asOf), undefined)
    assert.equal(personState({ ...person, status: null }, undefined, asOf), undefined)
  })

  it('is the last day of leave, with the year if it is another one', () => {
    assert.equal(personState(person, '2026-12-24', asOf)?.text, 'out until 24 Dec')
    assert.equal(personState({ ...person, status: 'On_Leave' }, '2027-01-02', asOf)?.text, 'out until 2 Jan 2027')
    assert.equal(personState({ ...person, status: 'on_leave' }, undefined, asOf)?.text, 'on leave')
  })

  it('is when somebody joins or left, which may be withheld', () => {
    assert.equal(
      personState({ ...person, status: 'pending', date_of_joining: '2027-01-04' }, undefined, asOf)?.text,
      'joins 4 Jan 2027',
    )
    assert.equal(
      personState({ ...person, status: 'terminated', termination_date: '2026-03-02' }, '2026-12-24', asOf)?.text,
      'left 2 Mar',
    )
    assert.equal(personState({ ...person, status: 'terminated' }, undefined, asOf)?.text, 'left')
  })

  it('counts the latest end of overlapping leave', () => {
    const ends = outUntilByPerson([
      { employee_id: 1, to_date: '2026-11-18' },
      { employee_id: 1, to_date: '2026-11-20' },
      { employee_id: 1, to_date: '2026-11-19' },
      { employee_id: null, to_date: '2026-11-18' },
      { employee_id: 2, to_date: null },
    ])
    assert.deepEqual([...ends], [[1, '2026-11-20']])
  })
})
