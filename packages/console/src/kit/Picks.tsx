import { ChevronDown, ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { SearchField } from './Field.tsx'
import { Icon } from './Icon.tsx'
import styles from './Picks.module.css'
import { Popover } from './Popover.tsx'
import { Section } from './Section.tsx'

export interface PickOption {
  readonly value: string
  readonly label: string
  /** A swatch before the label. */
  readonly mark?: ReactNode
  /** How many records the value would leave. */
  readonly count: ReactNode
}

export interface Pick {
  readonly key: string
  readonly title: string
  /** The largest first. */
  readonly options: readonly PickOption[]
  /** How many records there are without this filter. */
  readonly all: ReactNode
  readonly selected: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** The options that are always in view; so is the chosen one. */
const shownOptions = 5
/** With more options than this, a field finds them. */
const maxWithoutSearch = 12
const maxFound = 60

const format = new Intl.NumberFormat('en')

/** Filters by one value, with the number of records of each value. On phones, all but the first are in a sheet. */
export const Picks = ({ picks }: { readonly picks: readonly Pick[] }) => (
  <search className={styles.picks} aria-label="Filters">
    <PickSheet picks={picks} />
    {picks.map((pick) => (
      <PickRow key={pick.key} pick={pick} />
    ))}
  </search>
)

const PickRow = ({ pick }: { readonly pick: Pick }) => {
  const id = useId()
  const { title, options, selected, onChange } = pick
  const shown = options.filter(({ value }, index) => index < shownOptions || value === selected)
  const hidden = options.length - shown.length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a grid
    <div className={styles.row} role="group" aria-labelledby={id}>
      <span id={id} className={styles.title}>
        {title}
      </span>
      <div className={styles.options}>
        <OptionButton pick={pick} option={undefined} />
        {shown.map((option) => (
          <OptionButton key={option.value} pick={pick} option={option} />
        ))}
        {hidden === 0 ? undefined : (
          <Popover
            label={title}
            width="small"
            trigger={
              <Button kind="quiet" className={styles.more} aria-label={`${title}: ${format.format(hidden)} more`}>
                {format.format(hidden)} more <Icon of={ChevronDown} size={13} />
              </Button>
            }
          >
            {(close) => (
              <OptionList
                pick={{
                  ...pick,
                  onChange: (value) => {
                    onChange(value)
                    close()
                  },
                }}
              />
            )}
          </Popover>
        )}
      </div>
    </div>
  )
}

interface OptionButtonProps {
  readonly pick: Pick
  /** Undefined for the choice that removes the filter. */
  readonly option: PickOption | undefined
}

const OptionButton = ({ pick, option }: OptionButtonProps) => (
  <Button
    kind="own"
    className={styles.option}
    aria-pressed={pick.selected === option?.value}
    onPress={() => pick.onChange(option?.value)}
  >
    <OptionText pick={pick} option={option} />
  </Button>
)

const OptionText = ({ pick, option }: OptionButtonProps) => (
  <>
    {option?.mark}
    <bdi className={styles.label}>{option?.label ?? 'All'}</bdi>{' '}
    <span className={styles.count}>{option === undefined ? pick.all : option.count}</span>
  </>
)

const OptionList = ({ pick }: { readonly pick: Pick }) => {
  const [term, setTerm] = useState('')
  const matching = pick.options.filter(({ label }) => label.toLowerCase().includes(term.trim().toLowerCase()))
  const choices = [...(term === '' ? [undefined] : []), ...matching.slice(0, maxFound)]
  return (
    <>
      {pick.options.length <= maxWithoutSearch ? undefined : (
        <SearchField
          label={`Find in ${pick.title}`}
          placeholder={`Find among ${format.format(pick.options.length)}`}
          value={term}
          onChange={setTerm}
          className={styles.find}
        />
      )}
      <ul className={styles.list}>
        {choices.map((option) => (
          <li key={option?.value ?? ''}>
            <Button
              kind="choice"
              aria-pressed={pick.selected === option?.value}
              onPress={() => pick.onChange(option?.value)}
            >
              <OptionText pick={pick} option={option} />
            </Button>
          </li>
        ))}
      </ul>
      {matching.length <= maxFound ? undefined : (
        <p className="note">{format.format(matching.length - maxFound)} smaller ones: type to find them.</p>
      )}
    </>
  )
}

const PickSheet = ({ picks }: { readonly picks: readonly Pick[] }) => {
  const chosen = picks.filter(({ selected }) => selected !== undefined).length
  return (
    <Dialog
      kind="sheet"
      title="Filter"
      hasCloseButton
      trigger={
        <Button kind="own" className={`${styles.option} ${styles.sheetButton}`}>
          <Icon of={ListFilter} /> Filter{' '}
          {chosen === 0 ? undefined : <span className={styles.count}>{format.format(chosen)}</span>}
        </Button>
      }
      footer={(close) => (
        <Button kind="main" onPress={close}>
          Show the list
        </Button>
      )}
    >
      {picks.map((pick) => (
        <Section key={pick.key} title={pick.title}>
          <OptionList pick={pick} />
        </Section>
      ))}
    </Dialog>
  )
}
