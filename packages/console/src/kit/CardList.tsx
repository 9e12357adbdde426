import type { ReactNode } from 'react'
import { GridList, GridListItem, ListLayout, Virtualizer } from 'react-aria-components'
import styles from './CardList.module.css'
import { classes } from './classes.ts'

interface CardListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  readonly textOf: (item: Item) => string
  readonly selected?: string | number | undefined
  /** With `follow`, the arrow keys select. `none`: a press only acts. */
  readonly selection: 'follow' | 'toggle' | 'none'
  readonly onSelect?: (key: string | number | undefined) => void
  readonly onAction?: (key: string | number) => void
  /** `cards` side by side, or `lines` below each other. */
  readonly layout?: 'cards' | 'lines'
  /** The height of a line in rem, if only the lines in view are drawn. */
  readonly virtualLine?: number
  readonly className?: string | undefined
  readonly itemClassName?: string | undefined
  readonly dependencies?: readonly unknown[]
  readonly children: (item: Item) => ReactNode
}

/** A list without columns, whose items are selected and opened. */
export const CardList = <Item extends object>(props: CardListProps<Item>) => {
  const { label, items, keyOf, textOf, selected, selection, onSelect, onAction, layout = 'lines', children } = props
  const list = (
    <GridList
      className={classes(styles[layout], props.className)}
      aria-label={label}
      items={items}
      layout={layout === 'cards' ? 'grid' : 'stack'}
      dependencies={[children, ...(props.dependencies ?? [])]}
      {...(selection === 'none'
        ? { keyboardNavigationBehavior: 'tab' as const }
        : {
            selectionMode: 'single' as const,
            selectionBehavior: selection === 'follow' ? ('replace' as const) : ('toggle' as const),
            selectedKeys: selected === undefined ? [] : [selected],
            onSelectionChange: (keys) => onSelect?.(keys === 'all' ? undefined : [...keys][0]),
          })}
      {...(onAction === undefined ? {} : { onAction })}
    >
      {(item) => (
        <GridListItem id={keyOf(item)} className={classes(styles.item, props.itemClassName)} textValue={textOf(item)}>
          {children(item)}
        </GridListItem>
      )}
    </GridList>
  )
  return props.virtualLine === undefined ? (
    list
  ) : (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: rootFontSize() * props.virtualLine }}>
      {list}
    </Virtualizer>
  )
}

/** Sizes are in rem; the layout of a virtual list wants pixels. */
const rootFontSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
