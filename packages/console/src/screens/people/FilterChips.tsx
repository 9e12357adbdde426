import { X } from 'lucide-react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import styles from './FilterChips.module.css'
import type { FilterChip } from './filter-chips.ts'

interface FilterChipsProps {
  readonly chips: readonly FilterChip[]
  readonly onRemove: (chip: FilterChip) => void
  readonly onClear: () => void
}

export const FilterChips = ({ chips, onRemove, onClear }: FilterChipsProps) => (
  <div className={styles.chips}>
    {chips.length === 0 ? undefined : (
      <TagGroup
        aria-label="Filters"
        onRemove={(keys) => {
          const chip = chips.find(({ key }) => keys.has(key))
          if (chip !== undefined) onRemove(chip)
        }}
      >
        <TagList className={styles.list} items={chips.map((chip) => ({ id: chip.key, ...chip }))}>
          {({ title, text }) => (
            <Tag className={styles.chip} textValue={`${title} ${text}`}>
              {title} <b className={styles.value}>{text}</b>
              <Button slot="remove" className={styles.remove} aria-label="Remove">
                <Icon of={X} size={13} />
              </Button>
            </Tag>
          )}
        </TagList>
      </TagGroup>
    )}
    {chips.length < 2 ? undefined : (
      <Button className={`${buttonStyles.button} ${buttonStyles.bare} only-wide`} onPress={onClear}>
        Clear
      </Button>
    )}
  </div>
)
