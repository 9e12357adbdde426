import { ListFilter } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useIsNarrow } from '../components/use-is-narrow.ts'
import { formatInteger } from '../format/numbers.ts'
import { Button } from '../kit/Button.tsx'
import { ChipList } from '../kit/Chip.tsx'
import { classes } from '../kit/classes.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { Icon } from '../kit/Icon.tsx'
import styles from './ListExplorer.module.css'

interface ListExplorerProps {
  /** The name of the list. */
  readonly label: string
  /** `page`: the list scrolls with the page. `window`: the screen is as high as the window, and only the list scrolls. */
  readonly layout: 'page' | 'window'
  /** Heading, search, export and links. */
  readonly head: ReactNode
  /** Filters beside the list. Where there is no room for them, a button opens them. */
  readonly facets?: { readonly content: ReactNode; readonly done: ReactNode } | undefined
  /** The active filters. */
  readonly chips: { readonly count: number; readonly onClear: () => void; readonly content: ReactNode }
  /** The exact number of records, which is announced when it changes. */
  readonly total: ReactNode
  /** Controls before and after the total. */
  readonly beforeTotal?: ReactNode
  readonly tools?: ReactNode
  /** Between the controls and the list. */
  readonly counts?: ReactNode
  readonly drawer: ReactNode | undefined
  readonly listRef?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A list with everything that narrows, orders and opens it. */
export const ListExplorer = (props: ListExplorerProps) => {
  const { label, layout, head, facets, chips, total, beforeTotal, tools, counts, drawer, listRef, children } = props
  const isNarrow = useIsNarrow()
  return (
    <div className={classes(styles[layout], drawer !== undefined && styles.withDrawer)}>
      {/* On phones the drawer covers it. */}
      <div className={styles.stage} inert={isNarrow && drawer !== undefined}>
        {head}
        <div className={classes(styles.columns, facets !== undefined && styles.withFacets)}>
          {facets === undefined ? undefined : (
            <search className={styles.facets} aria-label="Filters">
              {facets.content}
            </search>
          )}
          <section aria-label={label} className={styles.list} ref={listRef}>
            <div className={styles.bar}>
              {facets === undefined ? undefined : <FacetSheet {...facets} count={chips.count} />}
              <div className={styles.chips}>
                <ChipList count={chips.count} onClear={chips.onClear}>
                  {chips.content}
                </ChipList>
              </div>
              {beforeTotal}
              <span role="status" className={styles.total}>
                {total}
              </span>
              {tools === undefined ? undefined : <div className={styles.tools}>{tools}</div>}
            </div>
            {counts}
            <div className={styles.content}>{children}</div>
          </section>
        </div>
      </div>
      {drawer}
    </div>
  )
}

interface FacetSheetProps {
  readonly content: ReactNode
  /** The text of the button that closes it, such as `Show 12 people`. */
  readonly done: ReactNode
  readonly count: number
}

const FacetSheet = ({ content, done, count }: FacetSheetProps) => (
  <Dialog
    kind="sheet"
    title="Filter"
    hasCloseButton
    trigger={
      <Button className={styles.sheetButton}>
        <Icon of={ListFilter} /> Filter{' '}
        {count === 0 ? undefined : <span className="number muted">{formatInteger(count)}</span>}
      </Button>
    }
    footer={(close) => (
      <Button kind="main" onPress={close}>
        {done}
      </Button>
    )}
  >
    <div className={styles.sheetFacets}>{content}</div>
  </Dialog>
)
