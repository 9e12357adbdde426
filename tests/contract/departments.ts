import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'departments',
  singular: 'Department',
  plural: 'Departments',
  fields: {
    id: { kind: 'id' },
    name: { kind: 'text', nullable: false, filter: true },
  },
}
