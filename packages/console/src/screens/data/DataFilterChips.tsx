import { Chip } from '../../kit/Chip.tsx'
import type { SearchParameters } from '../../search-parameters.ts'
import { splitValues } from '../../search-parameters.ts'
import { FilterEditor } from './FilterEditor.tsx'
import type { ActiveFilter } from './filters.ts'
import { activeFilters, filterText, withoutFilter } from './filters.ts'
import { useNames } from './requests.ts'
import { sortText } from './sort.ts'
import type { Explorer } from './use-explorer.ts'
import { useExplorer } from './use-explorer.ts'

/** How many filters the list has, and the parameters without them. The order is one of them. */
export const filterCount = ({
  resource,
  parameters,
}: Explorer): { readonly count: number; readonly without: SearchParameters } => {
  const { active, unknown } = activeFilters(resource, parameters)
  const others = ['q', 'sort'].filter((name) => parameters[name] !== undefined)
  return {
    count: active.length + unknown.length + others.length,
    without: {
      q: undefined,
      sort: undefined,
      ...Object.fromEntries(unknown.map((name) => [name, undefined])),
      ...Object.assign({}, ...active.map(({ filter }) => withoutFilter(filter))),
    },
  }
}

/** The filters of the list. Each can be changed or removed. */
export const FilterChips = ({ isFirstPicture }: { readonly isFirstPicture: boolean }) => {
  const { resource, parameters, changeList } = useExplorer()
  const { active, unknown } = activeFilters(resource, parameters)
  return (
    <>
      {parameters.q === undefined ? undefined : (
        <Chip name="search" value={parameters.q} onRemove={() => changeList({ q: undefined })} />
      )}
      {active.map((filter) => (
        <FilterChip key={filter.filter.key} filter={filter} isFirstPicture={isFirstPicture} />
      ))}
      {unknown.map((name) => (
        <Chip
          key={name}
          name={name}
          value={parameters[name] ?? ''}
          onRemove={() => changeList({ [name]: undefined })}
        />
      ))}
      {parameters.sort === undefined ? undefined : (
        <Chip name="sorted by" value={sortText(parameters.sort)} onRemove={() => changeList({ sort: undefined })} />
      )}
    </>
  )
}

interface FilterChipProps {
  readonly filter: ActiveFilter
  readonly isFirstPicture: boolean
}

const FilterChip = ({ filter: active, isFirstPicture }: FilterChipProps) => {
  const { changeList, filters } = useExplorer()
  const { filter, values } = active
  const names = useNames(filter.field?.references?.resource, splitValues(values.equals), { enabled: !isFirstPicture })
  return (
    <Chip
      name={filter.key}
      value={filterText(active, (value) => names.get(value) ?? value)}
      onRemove={() => changeList(withoutFilter(filter))}
      {...(filters.includes(filter)
        ? { editor: (close: () => void) => <FilterEditor filter={filter} onDone={close} /> }
        : {})}
    />
  )
}
