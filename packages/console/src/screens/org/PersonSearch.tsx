import { useNavigate } from '@tanstack/react-router'
import { PersonField } from '../../components/PersonField.tsx'
import type { OrgSearch } from './search.ts'

/** Shows a person in the tree. */
export const PersonSearch = () => {
  const navigate = useNavigate({ from: '/org' })
  return (
    <PersonField
      label="Show a person"
      onChoose={(id) =>
        void navigate({
          search: (old: OrgSearch) => ({
            ...old,
            person: String(id),
            open: undefined,
            root: undefined,
            view: undefined,
          }),
        })
      }
    />
  )
}
