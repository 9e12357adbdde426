import type { ReactNode } from 'react'
import { Autocomplete, Header, ListBox, ListBoxItem, ListBoxSection, useFilter } from 'react-aria-components'
import { BareSearch } from './Field.tsx'
import styles from './OptionList.module.css'

interface Option {
  readonly id: string
  /** What is searched, and what screen readers say. */
  readonly text: string
  readonly label: ReactNode
  readonly detail?: string
}

interface OptionListProps {
  readonly label: string
  readonly searchLabel: string
  readonly placeholder?: string
  /** Options under titles. Without titles: one group. */
  readonly groups: readonly { readonly title?: string; readonly options: readonly Option[] }[]
  readonly onChoose: (id: string) => void
  /** Shown if nothing matches. */
  readonly empty?: string
  /** The text of the search, if somebody else finds the options. Otherwise the options that contain it are shown. */
  readonly search?: { readonly text: string; readonly onChange: (text: string) => void }
}

/** A field and the options that it finds. Arrow keys move between them while the field keeps the focus. */
export const OptionList = ({ label, searchLabel, placeholder, groups, onChoose, empty, search }: OptionListProps) => {
  const { contains } = useFilter({ sensitivity: 'base' })
  const renderOption = ({ id, text, label: content, detail }: Option) => (
    <ListBoxItem key={id} id={id} textValue={text} className={styles.option}>
      <span>{content}</span>
      {detail === undefined ? undefined : <span className={styles.detail}>{detail}</span>}
    </ListBoxItem>
  )
  return (
    <Autocomplete
      {...(search === undefined ? { filter: contains } : { inputValue: search.text, onInputChange: search.onChange })}
    >
      <BareSearch label={searchLabel} isLabelShown placeholder={placeholder ?? ''} />
      <ListBox
        aria-label={label}
        className={styles.options}
        onAction={(id) => onChoose(String(id))}
        renderEmptyState={() => (empty === undefined ? undefined : <p className="note">{empty}</p>)}
      >
        {groups.map(({ title, options }) =>
          title === undefined ? (
            options.map(renderOption)
          ) : (
            <ListBoxSection key={title} id={title}>
              <Header className={styles.group}>{title}</Header>
              {options.map(renderOption)}
            </ListBoxSection>
          ),
        )}
      </ListBox>
    </Autocomplete>
  )
}
