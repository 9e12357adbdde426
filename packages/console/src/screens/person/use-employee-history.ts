import { useChangedNames } from '../../components/ChangedValue.tsx'
import { referredIds } from '../../components/employee-changes.ts'
import { combineResults } from '../../components/Loadable.tsx'
import { useHistory } from '../../service/queries.ts'

/** The recorded changes of an employee, with the present names of the departments and managers in them. */
export const useEmployeeHistory = (id: number, enabled: boolean) => {
  const history = useHistory('employees', id, { enabled })
  const changes = history.data?.data ?? []
  const names = useChangedNames(referredIds(changes, 'dept_id'), referredIds(changes, 'manager_id'))
  return combineResults(
    history.data === undefined || names.data === undefined ? undefined : { history: history.data, names: names.data },
    [history, names],
  )
}
