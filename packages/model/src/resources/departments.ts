import { id, name } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'

export const departments = resource({
  path: 'departments',
  table: 'departments',
  schema: 'Department',
  operationSingular: 'Department',
  operationPlural: 'Departments',
  title: 'department',
  titles: 'departments',
  area: 'People',
  about: 'Departments of employees and job openings.',
  naturalKey: ['name'],
  fields: {
    id: id(),
    name: name('Name of the department.', { required: true, filter: true }),
  },
})
