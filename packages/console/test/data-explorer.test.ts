import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { resource as declare, resourceAt, resources } from '@muster/model'
import { columnParameters, defaultColumns, shownColumns } from '../src/screens/data/columns.ts'
import { getCall, listCall } from '../src/screens/data/copy-as.ts'
import { estimatedBytes } from '../src/screens/data/export-size.ts'
import {
  activeFilters,
  filterFields,
  filterText,
  groupParameters,
  takesSeveral,
  toggledValue,
} from '../src/screens/data/filters.ts'
import { apiParameters, clientName, clientQuery, isPaged, selection } from '../src/screens/data/list-query.ts'
import { recordLabel, resourceTitle } from '../src/screens/data/record-label.ts'
import { backReferences } from '../src/screens/data/related-records.ts'
import { readSearch } from '../src/search-parameters.ts'

const employees = resourceAt('employees')
const applications = resourceAt('applications')
const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)

suite('parameters of the explorer', () => {
  test('those of the screen, blank ones and `format` are not sent to the API', () => {
    const search = readSearch('all', {
      status: 'active',
      _open: 7,
      as_of: '2026-11-13',
      q: ' ',
      format: 'csv',
      gone: undefined,
    })
    assert.deepEqual(apiParameters(search), { status: 'active' })
  })

  test('filters and search select records; order, page and columns do not', () => {
    const parameters = {
      q: 'ada',
      status: 'active',
      sort: '-id',
      limit: '20',
      offset: '40',
      fields: 'id',
      expand: 'manager',
    }
    assert.deepEqual(selection(parameters), { q: 'ada', status: 'active' })
  })

  test('the client gets lists of values, and texts that are no lists as they are', () => {
    const query = clientQuery(applications, { status: 'a,b,,c', reached: 'x,y', q: 'd, e', job_id: '3,7' })
    assert.deepEqual(query, { status: ['a', 'b,c'], reached: 'x,y', q: 'd, e', job_id: ['3', '7'] })
  })

  test('sorted, searched and paged lists have pages; filtered ones in the order of ids do not', () => {
    assert.equal(isPaged({ status: 'active' }), false)
    assert.equal(isPaged({ sort: 'id' }), false)
    for (const [name, value] of Object.entries({ sort: '-id', q: 'a', limit: '5', offset: '5' }))
      assert.equal(isPaged({ [name]: value }), true)
  })
})

suite('filters of the explorer', () => {
  test('every filter that a list of the API has is offered once', () => {
    for (const resource of resources) {
      const offered = filterFields(resource).flatMap(({ parameters }) => Object.values(parameters))
      assert.equal(new Set(offered).size, offered.length, resource.path)
      for (const { parameter } of [...resource.listFilters, ...resource.computedFilters])
        assert.ok(offered.includes(parameter), `${resource.path} ${parameter}`)
    }
  })

  test('the parameters in a URL become filters, and unknown names are reported', () => {
    const { active, unknown } = activeFilters(employees, {
      status_not: 'pending,terminated',
      date_of_joining_from: '2026-01-01',
      date_of_joining_to: '2026-01-31',
      'department.name': 'sales',
      manager_id_is_null: 'True',
      employed_on: '2026-11-13',
      stauts: 'active',
      sort: 'code',
    })
    assert.deepEqual(
      active.map((filter) => [filter.filter.key, filterText(filter)]),
      [
        ['manager_id', 'is null'],
        ['status', 'not pending, terminated'],
        ['date_of_joining', '2026-01-01 to 2026-01-31'],
        ['employed_on', '2026-11-13'],
        ['department.name', 'sales'],
      ],
    )
    assert.deepEqual(unknown, ['stauts'])
  })

  test('personal filters are marked, also those of rules and of related records', () => {
    const personal = (path: string) =>
      filterFields(resourceAt(path))
        .filter(({ isPersonal }) => isPersonal)
        .map(({ key }) => key)
    assert.ok(personal('employees').includes('base_salary'))
    assert.ok(personal('employees').includes('employed_on'))
    assert.ok(personal('attendance').includes('employee.email'))
    assert.ok(!personal('employees').includes('status'))
  })

  test('texts and ids take several values, numbers and rules take one', () => {
    const takes = (key: string) => takesSeveral(filterFields(employees).find((filter) => filter.key === key) as never)
    assert.deepEqual(['status', 'dept_id', 'alumni', 'under'].map(takes), [true, true, false, false])
  })

  test('a value is added to a list and removed from it, ignoring case', () => {
    assert.equal(toggledValue(undefined, 'a,b'), 'a,,b')
    assert.equal(toggledValue('Active', 'pending'), 'Active,pending')
    assert.equal(toggledValue('Active,pending', 'active'), 'pending')
    assert.equal(toggledValue('active', 'ACTIVE'), undefined)
  })

  test('a group of a count has the filter of its records', () => {
    assert.deepEqual(groupParameters(employees, 'status', 'active'), { status: 'active' })
    assert.deepEqual(groupParameters(employees, 'branch', 'a,b'), { branch: 'a,,b' })
    assert.deepEqual(groupParameters(employees, 'dept_id', null), { dept_id_is_null: 'true' })
    assert.equal(groupParameters(employees, 'department.name', null), undefined)
    assert.equal(groupParameters(employees, 'branch', ''), undefined)
    assert.equal(groupParameters(employees, 'branch', 'x'.repeat(201)), undefined)
    assert.deepEqual(groupParameters(employees, 'month(date_of_joining)', '2024-02'), {
      date_of_joining_from: '2024-02-01',
      date_of_joining_to: '2024-02-29',
    })
    const weeks = [
      ['2026-W53', '2026-12-28', '2027-01-03'],
      ['2026-W01', '2025-12-29', '2026-01-04'],
      ['2023-W01', '2023-01-02', '2023-01-08'],
    ]
    for (const [week, from, to] of weeks)
      assert.deepEqual(groupParameters(employees, 'week(date_of_joining)', week), {
        date_of_joining_from: from,
        date_of_joining_to: to,
      })
    assert.deepEqual(groupParameters(employees, 'year(date_of_joining)', '2024'), {
      date_of_joining_from: '2024-01-01',
      date_of_joining_to: '2024-12-31',
    })
  })
})

suite('columns of the explorer', () => {
  test('at most eight are shown unless others are chosen, always with the id', () => {
    for (const resource of resources) {
      const columns = names(defaultColumns(resource))
      assert.ok(columns.length <= 8 && columns[0] === 'id', resource.path)
    }
    assert.equal(defaultColumns(resourceAt('leave')).length, 8)
  })

  test('chosen columns are in the order of the declaration, and sorted ones are shown', () => {
    assert.deepEqual(names(shownColumns(employees, { fields: 'status,code,nothing' })), ['code', 'status'])
    assert.ok(names(shownColumns(employees, { sort: '-base_salary' })).includes('base_salary'))
  })

  test('the request has what the columns show: names, and related records of references', () => {
    assert.deepEqual(columnParameters(employees, { fields: 'code,dept_id', expand: 'nothing' }), {
      fields: 'id,first_name,last_name,code,dept_id',
      expand: 'department,nothing',
    })
    assert.deepEqual(columnParameters(resourceAt('departments'), {}), { fields: 'id,name' })
  })
})

test('a list and a record as calls of the client', () => {
  assert.equal(
    listCall(applications, {
      'job.dept_id': '3',
      status: "it's",
      fields: 'id',
      rating_from: '4',
      rejection_reason_is_null: 'true',
    }),
    [
      'const page = await muster.applications.list({',
      "  'job.dept_id': '3',",
      "  status: 'it\\'s',",
      "  fields: ['id'],",
      '  rating_from: 4,',
      '  rejection_reason_is_null: true,',
      '})',
    ].join('\n'),
  )
  assert.equal(listCall(employees, {}), 'const page = await muster.employees.list()')
  assert.equal(getCall(resourceAt('career-sites'), 3), 'const record = await muster.careerSites.get(3)')
})

test('the size of an export is that of a sample, in bytes of UTF-8 with quotes', () => {
  assert.equal(estimatedBytes([{ id: 1, name: 'é', note: 'a "b", c', none: null }], 10), 10 * (2 + 3 + 13 + 1))
  assert.equal(estimatedBytes([], 10), 0)
})

test('a record is called by its name, and back references are found in all resources', () => {
  assert.equal(recordLabel(employees, { id: 1, first_name: 'Ada', last_name: null }), 'Ada')
  assert.equal(recordLabel(employees, { id: 1, first_name: null, last_name: ' ' }), undefined)
  assert.equal(recordLabel(resourceAt('jobs'), { id: 1, title: 'Engineer' }), 'Engineer')
  assert.deepEqual(
    backReferences('candidates').map(({ resource, field }) => `${resource.path}.${field.name}`),
    ['employees.candidate_id', 'applications.candidate_id'],
  )
})

test('no file of the explorer names a resource', async () => {
  const folder = new URL('../src/screens/data/', import.meta.url)
  for (const name of await readdir(folder)) {
    const text = (await readFile(new URL(name, folder), 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '')
    const named = resources.filter(({ path, title }) => new RegExp(`['"\`](${path}|${title})['"\`]`).test(text))
    assert.deepEqual(
      named.map(({ path }) => path),
      [],
      name,
    )
  }
})

test('a thirteenth resource needs no change of the explorer', () => {
  const field = { about: 'A field.', create: 'never', filter: false, personal: false, required: true } as const
  const assets = declare({
    path: 'loaned-assets',
    table: 'loaned_assets',
    schema: 'LoanedAsset',
    operationSingular: 'LoanedAsset',
    operationPlural: 'LoanedAssets',
    title: 'loaned asset',
    titles: 'loaned assets',
    area: 'People',
    about: 'Things that employees have borrowed.',
    naturalKey: ['name'],
    fields: {
      id: { ...field, kind: 'id' },
      name: { ...field, kind: 'text', maxLength: 500 },
      employee_id: { ...field, kind: 'reference', filter: true, references: { resource: 'employees' } },
      status: { ...field, kind: 'text', filter: true, state: true, maxLength: 200, values: ['lent', 'returned'] },
      lent_on: { ...field, kind: 'date', required: false },
    },
  })
  assert.equal(resourceTitle(assets), 'Loaned assets')
  assert.equal(clientName(assets.path), 'loanedAssets')
  assert.deepEqual(names(defaultColumns(assets)), ['id', 'name', 'employee_id', 'status', 'lent_on'])
  assert.deepEqual(columnParameters(assets, {}), { fields: 'id,name,employee_id,status,lent_on', expand: 'employee' })
  const keys = filterFields(assets).map(({ key }) => key)
  assert.deepEqual(keys.slice(0, 4), ['id', 'employee_id', 'status', 'lent_on'])
  assert.ok(keys.includes('employee.dept_id'))
  assert.ok(backReferences('employees', [...resources, assets]).some(({ resource }) => resource === assets))
})
