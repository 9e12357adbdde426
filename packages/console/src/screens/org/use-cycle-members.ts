import { useList } from '../../service/queries.ts'

/** The people whose managers lead back to themselves at present. */
export const useCycleMembers = (enabled: boolean) =>
  useList(
    'employees',
    { health: 'manager_cycle', fields: ['id', 'manager_id', 'first_name', 'last_name'], limit: 100 },
    { enabled },
  )
