import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { OptionList } from '../../kit/OptionList.tsx'
import { Popover } from '../../kit/Popover.tsx'
import { FilterEditor } from './FilterEditor.tsx'
import type { FilterField } from './filters.ts'
import { useExplorer } from './use-explorer.ts'

/** All filters of the resource: by its own fields, by rules, and by fields of related records. */
export const AddFilter = () => {
  const { filters } = useExplorer()
  const [key, setKey] = useState<string>()
  const filter = filters.find((other) => other.key === key)
  return (
    <Popover
      label="Add a filter"
      width="small"
      placement="bottom end"
      onOpenChange={() => setKey(undefined)}
      trigger={
        <Button kind="bare">
          <Icon of={ListFilter} />
          Add filter
        </Button>
      }
    >
      {(close) =>
        filter === undefined ? (
          <FilterList filters={filters} onChoose={setKey} />
        ) : (
          <FilterEditor filter={filter} onDone={close} />
        )
      }
    </Popover>
  )
}

interface FilterListProps {
  readonly filters: readonly FilterField[]
  readonly onChoose: (key: string) => void
}

const FilterList = ({ filters, onChoose }: FilterListProps) => {
  const groups = Map.groupBy(filters, ({ relation, computed }) => {
    if (computed !== undefined) return 'By a rule'
    return relation === undefined ? 'By a field' : `By a field of ${relation.name}`
  })
  return (
    <OptionList
      label="Filters"
      searchLabel="Filter by"
      placeholder="Name of a field"
      groups={[...groups].map(([title, group]) => ({
        title,
        options: group.map(({ key, about }) => ({
          id: key,
          text: key,
          label: key,
          detail: about.replaceAll('`', ''),
        })),
      }))}
      onChoose={onChoose}
      empty="No filter has this name."
    />
  )
}
