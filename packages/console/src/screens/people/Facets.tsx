import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button, Checkbox, CheckboxGroup, Input, Label, SearchField } from 'react-aria-components'
import { Figure } from '../../components/Figure.tsx'
import { Icon } from '../../components/Icon.tsx'
import { formatInteger } from '../../format/numbers.ts'
import { listPath } from '../../service/requests.ts'
import styles from './Facets.module.css'
import type { FacetOptions } from './facets.ts'
import { foldedOptions } from './facets.ts'
import type { FacetName, PeopleFilters } from './people-query.ts'
import { facetTitles, filtersWithout } from './people-query.ts'

/** How many options a facet shows before it is unfolded, and how many at most. */
const foldedCount = 7
const unfoldedCount = 60

interface FacetProps {
  readonly name: FacetName
  readonly facet: FacetOptions
  readonly selected: readonly string[]
  readonly filters: PeopleFilters
  readonly onChange: (values: string[]) => void
}

/** A filter whose values show how many people each would leave. */
export const Facet = ({ name, facet, selected, filters, onChange }: FacetProps) => {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [term, setTerm] = useState('')
  const folded = foldedOptions(facet.options, selected, foldedCount)
  const matching = facet.options.filter(({ label }) => label.toLowerCase().includes(term.trim().toLowerCase()))
  const shown = isUnfolded ? matching.slice(0, unfoldedCount) : folded
  const hidden = facet.options.length - folded.length
  const selectedKeys = selected.map((value) => value.toLowerCase())
  if (facet.options.length === 0 && facet.others === 0) return
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
      <Label className={styles.title}>{facetTitles[name]}</Label>
      {isUnfolded && facet.options.length > unfoldedCount / 2 ? (
        <SearchField
          className={styles.find}
          aria-label={`Find in ${facetTitles[name]}`}
          value={term}
          onChange={setTerm}
        >
          <Input placeholder={`Find among ${formatInteger(facet.options.length)}`} />
        </SearchField>
      ) : undefined}
      {shown.map(({ value, label, count }) => (
        <Checkbox key={value} className={styles.option} value={value.toLowerCase()}>
          <span className={styles.box}>
            <Icon of={Check} size={11} />
          </span>
          <bdi className={styles.label}>{label}</bdi>
          <span className={styles.count}>
            <Figure name={`people.facet.${name}.${value}`} value={count} />
          </span>
        </Checkbox>
      ))}
      {facet.others === 0 || (hidden > 0 && !isUnfolded) ? undefined : (
        <p className={`${styles.option} muted`}>
          <span />
          <span className={styles.label}>{facet.othersAreNull ? 'Not set' : 'Other or not set'}</span>
          <span className={styles.count}>
            <Figure
              name={`people.facet.${name}.null`}
              value={facet.others}
              link={
                facet.othersAreNull
                  ? listPath('employees', { ...filtersWithout(filters, name), [`${name}_is_null`]: true })
                  : undefined
              }
            />
          </span>
        </p>
      )}
      {isUnfolded && matching.length > unfoldedCount ? (
        <p className="note">{formatInteger(matching.length - unfoldedCount)} smaller ones: type to find them.</p>
      ) : undefined}
      {hidden === 0 ? undefined : (
        <Button className={styles.more} aria-expanded={isUnfolded} onPress={() => setIsUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Show fewer' : `${formatInteger(hidden)} more`}
          <span className="visually-hidden"> in {facetTitles[name]}</span>
        </Button>
      )}
    </CheckboxGroup>
  )
}
