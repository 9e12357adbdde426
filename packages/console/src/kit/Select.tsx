import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PopoverProps } from 'react-aria-components'
import {
  Popover as AriaPopover,
  Select as AriaSelect,
  Autocomplete,
  ListBox,
  ListBoxItem,
  SelectValue,
  useFilter,
} from 'react-aria-components'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import { BareSearch } from './Field.tsx'
import { Icon } from './Icon.tsx'
import styles from './Select.module.css'

export interface SelectOption {
  readonly id: string
  readonly label: string
  readonly remark?: string
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (id: string) => void
  /** The text of the button, if it is not the label of the option. */
  readonly text?: ReactNode
  readonly kind?: 'plain' | 'bare' | 'field'
  /** Whether the value is not the usual one. */
  readonly isSet?: boolean
  readonly placement?: PopoverProps['placement']
}

/** Longer lists have a field to search them. */
const shortList = 12

/** A choice of one of several values, which a button opens. */
export const Select = ({
  label,
  value,
  options,
  onChange,
  text,
  kind = 'plain',
  isSet = false,
  placement,
}: SelectProps) => {
  const { contains } = useFilter({ sensitivity: 'base' })
  const list = (
    <ListBox className={styles.list} items={options} aria-label={label}>
      {(option) => (
        <ListBoxItem id={option.id} textValue={option.label} className={styles.item}>
          {({ isSelected }) => (
            <>
              <bdi>{option.label}</bdi>
              {option.remark === undefined ? undefined : <span className="muted">{option.remark}</span>}
              {isSelected && option.remark === undefined ? <Icon of={Check} size={13} /> : undefined}
            </>
          )}
        </ListBoxItem>
      )}
    </ListBox>
  )
  return (
    <AriaSelect aria-label={label} value={value} onChange={(key) => key !== null && onChange(String(key))}>
      <Button
        kind={kind === 'field' ? 'own' : kind}
        className={classes(kind === 'field' ? styles.field : styles.button, isSet && styles.set)}
      >
        <SelectValue className={styles.value}>{({ selectedText }) => text ?? <bdi>{selectedText}</bdi>}</SelectValue>
        <Icon of={ChevronDown} size={kind === 'field' ? 16 : 13} />
      </Button>
      <AriaPopover className={styles.popover} placement={placement}>
        {options.length <= shortList ? (
          list
        ) : (
          <Autocomplete filter={contains}>
            <BareSearch label={`Search: ${label}`} className={styles.search} />
            {list}
          </Autocomplete>
        )}
      </AriaPopover>
    </AriaSelect>
  )
}
