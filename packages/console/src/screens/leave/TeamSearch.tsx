import { useNavigate } from '@tanstack/react-router'
import { PersonField } from '../../components/PersonField.tsx'
import type { LeaveSearch } from './search.ts'

/** Shows the team of a manager who is not in one of the two upper levels. */
export const TeamSearch = () => {
  const navigate = useNavigate({ from: '/leave' })
  return (
    <PersonField
      label="Show the team of"
      onChoose={(id) =>
        void navigate({
          search: (old: LeaveSearch) => ({ ...old, by: 'manager', manager_id: String(id), offset: undefined }),
        })
      }
    />
  )
}
