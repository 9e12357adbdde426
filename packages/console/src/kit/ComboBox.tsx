import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { ComboBox as AriaComboBox, Popover as AriaPopover, Input, ListBox, ListBoxItem } from 'react-aria-components'
import styles from './ComboBox.module.css'
import { Icon } from './Icon.tsx'

interface ComboBoxProps<Item> {
  readonly label: string
  readonly text: string
  readonly onTextChange: (text: string) => void
  /** What the text finds. None for the text of a chosen item: that closes the list. */
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => number
  readonly textOf: (item: Item) => string
  readonly onChoose: (item: Item) => void
  /** Whether the list opens without items, to say why there are none. */
  readonly isOpenWithoutItems: boolean
  readonly empty: string
  /** Below the items. */
  readonly note?: string | undefined
  readonly children: (item: Item) => ReactNode
}

/** A field that finds records while somebody types, and takes one of them. */
export const ComboBox = <Item extends object>(props: ComboBoxProps<Item>) => {
  const { label, text, onTextChange, items, keyOf, textOf, onChoose, isOpenWithoutItems, empty, note } = props
  return (
    <AriaComboBox
      className={styles.box}
      aria-label={label}
      items={items}
      inputValue={text}
      onInputChange={onTextChange}
      selectedKey={null}
      onSelectionChange={(key) => {
        const item = items.find((other) => String(keyOf(other)) === String(key))
        if (item !== undefined) onChoose(item)
      }}
      allowsEmptyCollection={isOpenWithoutItems}
    >
      <div className={styles.field}>
        <Icon of={Search} size={14} />
        <Input className={styles.input} placeholder={label} />
      </div>
      <AriaPopover className={styles.popover} placement="bottom end">
        <ListBox<Item> className={styles.list} renderEmptyState={() => <p className={styles.note}>{empty}</p>}>
          {(item) => (
            <ListBoxItem id={keyOf(item)} className={styles.item} textValue={textOf(item)}>
              {props.children(item)}
            </ListBoxItem>
          )}
        </ListBox>
        {note === undefined ? undefined : <p className={styles.note}>{note}</p>}
      </AriaPopover>
    </AriaComboBox>
  )
}
