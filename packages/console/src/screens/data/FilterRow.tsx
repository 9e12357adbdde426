import type { NamedField } from '@muster/model'
import { ChevronDown } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover } from '../../kit/Popover.tsx'
import { FilterEditor } from './FilterEditor.tsx'
import styles from './FilterRow.module.css'
import { activeFilters, filterText } from './filters.ts'
import { useExplorer } from './use-explorer.ts'

/**
 * One filter below the head of each column. The row stands outside of the table, whose keys would otherwise be those of
 * the fields in it, and has the same columns.
 */
export const FilterRow = ({ columns }: { readonly columns: readonly NamedField[] }) => {
  const { resource, parameters, filters } = useExplorer()
  const { active } = activeFilters(resource, parameters)
  return (
    <fieldset className={styles.filters} aria-label="Filters of the columns">
      {columns.map(({ name }) => {
        const filter = filters.find(({ key }) => key === name)
        const current = active.find((other) => other.filter.key === name)
        return (
          <div key={name} className={styles.cell}>
            {filter === undefined ? undefined : (
              <Popover
                label={`Filter by ${name}`}
                width="small"
                trigger={
                  <Button
                    kind="own"
                    className={styles.field}
                    data-active={current !== undefined || undefined}
                    aria-label={`Filter by ${name}: ${current === undefined ? 'any' : filterText(current)}`}
                  >
                    <span>{current === undefined ? 'any' : filterText(current)}</span>
                    <Icon of={ChevronDown} size={13} />
                  </Button>
                }
              >
                {(close) => <FilterEditor filter={filter} onDone={close} />}
              </Popover>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
