import type { ReactNode } from 'react'
import { useState } from 'react'
import { CheckboxGroup, Input, Label, SearchField } from 'react-aria-components'
import { Button } from './Button.tsx'
import { Checkbox } from './Checkbox.tsx'
import styles from './Facet.module.css'

export interface FacetOption {
  readonly value: string
  readonly label: string
  /** How many records the value would leave. */
  readonly count: number
}

interface FacetProps {
  readonly title: string
  readonly options: readonly FacetOption[]
  readonly selected: readonly string[]
  readonly onChange: (values: string[]) => void
  /** Shows the count of an option. */
  readonly countOf: (option: FacetOption) => ReactNode
  /** Records that no option selects: a text and their number. */
  readonly others?: { readonly label: string; readonly count: ReactNode } | undefined
}

/** How many options a facet shows before it is unfolded, and how many at most. */
const foldedCount = 7
const unfoldedCount = 60

const format = new Intl.NumberFormat('en')

/** A filter whose values show how many records each would leave. Values differ by more than the case of their letters. */
export const Facet = ({ title, options, selected, onChange, countOf, others }: FacetProps) => {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [term, setTerm] = useState('')
  const selectedKeys = selected.map((value) => value.toLowerCase())
  const folded = options.filter(({ value }, index) => index < foldedCount || selectedKeys.includes(value.toLowerCase()))
  const matching = options.filter(({ label }) => label.toLowerCase().includes(term.trim().toLowerCase()))
  const shown = isUnfolded ? matching.slice(0, unfoldedCount) : folded
  const hidden = options.length - folded.length
  if (options.length === 0 && others === undefined) return
  return (
    <CheckboxGroup
      className={styles.facet}
      value={selectedKeys}
      onChange={(values) => {
        // Options that are not rendered now keep their state.
        const kept = selectedKeys.filter((key) => !shown.some(({ value }) => value.toLowerCase() === key))
        onChange([...kept, ...values.filter((value) => !kept.includes(value))])
      }}
    >
      <Label className={styles.title}>{title}</Label>
      {isUnfolded && options.length > unfoldedCount / 2 ? (
        <SearchField className={styles.find} aria-label={`Find in ${title}`} value={term} onChange={setTerm}>
          <Input placeholder={`Find among ${format.format(options.length)}`} />
        </SearchField>
      ) : undefined}
      {shown.map((option) => (
        <Checkbox key={option.value} value={option.value.toLowerCase()} count={countOf(option)}>
          <bdi>{option.label}</bdi>
        </Checkbox>
      ))}
      {others === undefined || (hidden > 0 && !isUnfolded) ? undefined : (
        <p className={`${styles.others} muted`}>
          <span>{others.label}</span>
          {others.count}
        </p>
      )}
      {isUnfolded && matching.length > unfoldedCount ? (
        <p className="note">{format.format(matching.length - unfoldedCount)} smaller ones: type to find them.</p>
      ) : undefined}
      {hidden === 0 ? undefined : (
        <Button kind="more" aria-expanded={isUnfolded} onPress={() => setIsUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Show fewer' : `${format.format(hidden)} more`}
          <span className="visually-hidden"> in {title}</span>
        </Button>
      )}
    </CheckboxGroup>
  )
}
