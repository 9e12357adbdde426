import { Check, ChevronDown } from 'lucide-react'
import {
  Autocomplete,
  Button,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  Select,
  SelectValue,
  useFilter,
} from 'react-aria-components'
import buttonStyles from './Button.module.css'
import styles from './FilterSelect.module.css'
import { Icon } from './Icon.tsx'

interface FilterOption {
  readonly id: string
  readonly label: string
}

interface FilterSelectProps {
  /** What is chosen: `Department`. */
  readonly label: string
  /** The text of the choice that removes the filter: `All departments`. */
  readonly all: string
  readonly value: string | undefined
  /** Undefined until they are loaded. */
  readonly options: readonly FilterOption[] | undefined
  readonly onChange: (value: string | undefined) => void
}

const allId = ''
/** Longer lists have a field to search them. */
const shortList = 12

/** A filter by one value of a list. */
export const FilterSelect = ({ label, all, value, options, onChange }: FilterSelectProps) => {
  const { contains } = useFilter({ sensitivity: 'base' })
  const known = options ?? []
  // The value in the URL may be unknown, or its label may not be loaded yet.
  const missing =
    value === undefined || known.some(({ id }) => id === value)
      ? []
      : [{ id: value, label: options === undefined ? label : value }]
  const items = [{ id: allId, label: all }, ...known, ...missing]
  const list = (
    <ListBox className={styles.list} items={items} aria-label={label}>
      {(item) => (
        <ListBoxItem id={item.id} textValue={item.label} className={styles.item}>
          {({ isSelected }) => (
            <>
              <bdi>{item.label}</bdi>
              {isSelected ? <Icon of={Check} size={13} /> : undefined}
            </>
          )}
        </ListBoxItem>
      )}
    </ListBox>
  )
  return (
    <Select
      aria-label={label}
      value={value ?? allId}
      onChange={(key) => onChange(key === null || key === allId ? undefined : String(key))}
    >
      <Button
        className={[buttonStyles.button, styles.button, value !== undefined && styles.set].filter(Boolean).join(' ')}
      >
        <SelectValue className={styles.value}>{({ selectedText }) => <bdi>{selectedText}</bdi>}</SelectValue>
        <Icon of={ChevronDown} size={13} />
      </Button>
      <Popover className={styles.popover}>
        {items.length <= shortList ? (
          list
        ) : (
          <Autocomplete filter={contains}>
            <SearchField aria-label={`Search: ${label}`} autoFocus className={styles.search}>
              <Input className={styles.input} placeholder="Search" />
            </SearchField>
            {list}
          </Autocomplete>
        )}
      </Popover>
    </Select>
  )
}
