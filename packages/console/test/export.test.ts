import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceAt, resources } from '@muster/model'
import { exportColumns, exportPath } from '../src/components/export-columns.ts'
import { exportedFields, shownColumns } from '../src/screens/data/columns.ts'

const fieldsOf = (path: string): string[] =>
  new URL(path, 'http://localhost').searchParams.get('fields')?.split(',') ?? []

test('screens export fields that exist, in the order of the declaration, and no hidden personal field', () => {
  for (const [path, { shown, personal = '' }] of Object.entries(exportColumns)) {
    const { allFields } = resourceAt(path)
    const [shownNames, personalNames] = [shown.split(','), personal.split(',').filter(Boolean)]
    const inOrder = (names: readonly string[]) =>
      allFields.map(({ name }) => name).filter((name) => names.includes(name))
    assert.deepEqual(shownNames, inOrder(shownNames), path)
    const isShown = ({ name }: { readonly name: string }) => shownNames.includes(name)
    assert.deepEqual(
      allFields.filter((field) => field.personal && !isShown(field)).map(({ name }) => name),
      personalNames,
      path,
    )
  }
  const shownOfEmployees = exportColumns.employees?.shown.split(',') ?? []
  for (const name of ['base_salary', 'gender', 'email']) assert.ok(!shownOfEmployees.includes(name), name)
})

test('the export of Data has the columns of its list', () => {
  const lists: readonly Readonly<Record<string, string>>[] = [{}, { sort: '-id' }, { fields: 'id' }]
  for (const resource of resources)
    for (const parameters of lists)
      assert.deepEqual(
        exportedFields(resource, parameters).split(','),
        shownColumns(resource, parameters).map(({ name }) => name),
        resource.path,
      )
})

test('no export of any resource contains the password hash, even if the list shows it', () => {
  for (const resource of resources) {
    const all = resource.allFields.map(({ name }) => name).join(',')
    for (const fields of [undefined, all, 'password_hash']) {
      const exported = exportedFields(resource, fields === undefined ? {} : { fields })
      const path = exportPath(`/api/v1/${resource.path}?status=a`, exported)
      assert.ok(fieldsOf(path).length > 0 && !fieldsOf(path).includes(''), path)
      assert.doesNotMatch(path, /password_hash/)
    }
  }
  for (const { shown, personal } of Object.values(exportColumns))
    assert.doesNotMatch(`${shown},${personal}`, /password_hash/)
})

test('the path of an export names its fields after the filters of the list', () => {
  assert.equal(exportPath('/api/v1/jobs', 'id,title'), '/api/v1/jobs?fields=id,title&format=csv')
  assert.equal(exportPath('/api/v1/jobs?status=open', 'id'), '/api/v1/jobs?status=open&fields=id&format=csv')
})
