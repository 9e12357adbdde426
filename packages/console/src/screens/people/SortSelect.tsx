import { ChevronDown } from 'lucide-react'
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import type { SortOrder } from './people-query.ts'
import { sortFields } from './people-query.ts'
import styles from './SortSelect.module.css'

interface SortSelectProps {
  readonly order: SortOrder
  readonly isWithheld: boolean
  readonly onChange: (order: SortOrder) => void
}

/** The order of a list that has no column heads. */
export const SortSelect = ({ order, isWithheld, onChange }: SortSelectProps) => {
  const items = sortFields
    .filter(({ isPersonal }) => !(isPersonal && isWithheld))
    .flatMap(({ field, label }) => [
      { id: field as string, label: field === 'date_of_joining' ? 'Joined, earliest first' : `${label}, A to Z` },
      { id: `-${field}`, label: field === 'date_of_joining' ? 'Joined, latest first' : `${label}, Z to A` },
    ])
  return (
    <Select
      aria-label="Sort"
      value={order.isDescending ? `-${order.field}` : order.field}
      onChange={(key) => {
        const text = String(key)
        onChange({ field: text.replace(/^-/, ''), isDescending: text.startsWith('-') })
      }}
    >
      <Button className={`${buttonStyles.button} ${buttonStyles.bare}`}>
        <SelectValue />
        <Icon of={ChevronDown} size={13} />
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <ListBox items={items} className={styles.list}>
          {({ label }) => <ListBoxItem className={styles.item}>{label}</ListBoxItem>}
        </ListBox>
      </Popover>
    </Select>
  )
}
