import { useNavigate } from '@tanstack/react-router'
import { PersonField } from '../../components/PersonField.tsx'
import type { SearchOf } from '../../frame/screens.ts'

/** Shows a person in the tree. */
export const PersonSearch = () => {
  const navigate = useNavigate({ from: '/org' })
  return (
    <PersonField
      label="Find a person"
      onChoose={(id) =>
        void navigate({
          search: (old: SearchOf<'/org'>) => ({
            ...old,
            person: String(id),
            open: undefined,
          }),
        })
      }
    />
  )
}
