import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InputProps } from 'react-aria-components'
import {
  Autocomplete,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  RouterProvider,
  TextField,
} from 'react-aria-components'
import { classes } from './classes.ts'
import { Icon } from './Icon.tsx'
import styles from './Palette.module.css'

interface PaletteProps {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly onTextChange: (text: string) => void
  readonly onKeyDown: InputProps['onKeyDown']
  /** Stands at the end of the field. */
  readonly hint?: ReactNode
  /** Stands beside the field. */
  readonly aside?: ReactNode
  /** Stands between the field and the results. */
  readonly note?: ReactNode
  readonly resultsLabel: string
  readonly empty: ReactNode
  /** Groups of results. */
  readonly children: ReactNode
}

/** A field and everything that it finds. The field keeps the focus while arrow keys move through the results. */
export const Palette = (props: PaletteProps) => (
  <Autocomplete inputValue={props.text} onInputChange={props.onTextChange}>
    <div className={styles.head}>
      <TextField className={styles.field} aria-label={props.label} type="search" autoFocus>
        <Icon of={Search} />
        <Input className={styles.input} placeholder={props.placeholder} enterKeyHint="go" onKeyDown={props.onKeyDown} />
        {props.hint}
      </TextField>
      {props.aside}
    </div>
    {props.note}
    <ListBox
      className={styles.results}
      aria-label={props.resultsLabel}
      selectionMode="none"
      renderEmptyState={() => props.empty}
    >
      {props.children}
    </ListBox>
  </Autocomplete>
)

interface PaletteGroupProps {
  readonly id: string
  readonly title: ReactNode
  /** Stands below the title. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

export const PaletteGroup = ({ id, title, note, children }: PaletteGroupProps) => (
  <ListBoxSection id={id}>
    <Header className={styles.title}>
      {title}
      {note === undefined ? undefined : <span className={styles.note}>{note}</span>}
    </Header>
    {children}
  </ListBoxSection>
)

interface PaletteItemProps {
  readonly id: string
  /** What screen readers say. */
  readonly text: string
  /** Where it leads, or what it does instead. */
  readonly href?: string
  readonly onAction?: () => void
  /** If true, the details are below what was found, and a third child stands at the end of both lines. */
  readonly hasTwoLines?: boolean
  /** What was found, and details about it. */
  readonly children: ReactNode
}

export const PaletteItem = ({ text, hasTwoLines = false, ...props }: PaletteItemProps) => (
  <ListBoxItem {...props} textValue={text} className={classes(styles.item, hasTwoLines && styles.twoLines)} />
)

interface PaletteLinksProps {
  readonly navigate: (path: string) => void
  readonly hrefOf: (path: string) => string
  readonly children: ReactNode
}

/** Says how items with a `href` are opened. */
export const PaletteLinks = ({ navigate, hrefOf, children }: PaletteLinksProps) => (
  <RouterProvider navigate={navigate} useHref={hrefOf}>
    {children}
  </RouterProvider>
)
