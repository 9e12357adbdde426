import { useNavigate } from '@tanstack/react-router'
import { PersonField } from '../../components/PersonField.tsx'
import type { SearchOf } from '../../frame/screens.ts'

/** Shows the team of a manager who is not in one of the two upper levels. */
export const TeamSearch = () => {
  const navigate = useNavigate({ from: '/leave' })
  return (
    <PersonField
      label="Find a manager"
      onChoose={(id) =>
        void navigate({
          search: (old: SearchOf<'/leave'>) => ({ ...old, by: 'manager', manager_id: String(id), offset: undefined }),
        })
      }
    />
  )
}
