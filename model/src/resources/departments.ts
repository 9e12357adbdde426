/** Declares departments. */
import { id, name } from '../field.ts'
import { resource } from '../resource.ts'

export const departments = resource({
  path: 'departments',
  table: 'departments',
  schema: 'Department',
  one: 'Department',
  many: 'Departments',
  title: 'department',
  titles: 'departments',
  area: 'People',
  about: 'The departments people and openings belong to.',
  fields: {
    id: id(),
    name: name('Name of the department.', { required: true }),
  },
})
