import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import { FilterEditor } from './FilterEditor.tsx'
import type { FilterField } from './filters.ts'
import styles from './Popover.module.css'
import { useExplorer } from './use-explorer.ts'

/** All filters of the resource: by its own fields, by rules, and by fields of related records. */
export const AddFilter = () => {
  const { filters } = useExplorer()
  const [key, setKey] = useState<string>()
  const filter = filters.find((other) => other.key === key)
  return (
    <DialogTrigger onOpenChange={() => setKey(undefined)}>
      <Button className={`${buttonStyles.button} ${buttonStyles.bare}`}>
        <Icon of={ListFilter} />
        Add filter
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Dialog className={styles.dialog} aria-label="Add a filter">
          {({ close }) =>
            filter === undefined ? (
              <FilterList filters={filters} onChoose={setKey} />
            ) : (
              <FilterEditor filter={filter} onDone={close} />
            )
          }
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

interface FilterListProps {
  readonly filters: readonly FilterField[]
  readonly onChoose: (key: string) => void
}

const FilterList = ({ filters, onChoose }: FilterListProps) => {
  const { contains } = useFilter({ sensitivity: 'base' })
  const groups = Map.groupBy(filters, ({ relation, computed }) => {
    if (computed !== undefined) return 'By a rule'
    return relation === undefined ? 'By a field' : `By a field of ${relation.name}`
  })
  return (
    <Autocomplete filter={contains}>
      <SearchField autoFocus>
        <Label className={styles.label}>Filter by</Label>
        <Input className={styles.input} placeholder="Name of a field" />
      </SearchField>
      <ListBox
        aria-label="Filters"
        className={styles.options}
        onAction={(key) => onChoose(String(key))}
        renderEmptyState={() => <p className="note">No filter has this name.</p>}
      >
        {[...groups].map(([title, group]) => (
          <ListBoxSection key={title} id={title}>
            <Header className={styles.group}>{title}</Header>
            {group.map(({ key, about }) => (
              <ListBoxItem key={key} id={key} textValue={key} className={styles.option}>
                <span>{key}</span>
                <span className={styles.detail}>{about.replaceAll('`', '')}</span>
              </ListBoxItem>
            ))}
          </ListBoxSection>
        ))}
      </ListBox>
    </Autocomplete>
  )
}
