import { memo } from 'react'
import type { Selection } from 'react-aria-components'
import { GridList, GridListItem } from 'react-aria-components'
import { PersonName, personName } from '../../components/PersonName.tsx'
import styles from './PeopleCards.module.css'
import type { PeopleListProps } from './PeopleTable.tsx'
import { StateBadge } from './StateBadge.tsx'

interface PeopleCardsProps extends PeopleListProps {
  /** If true, each person is a line with few details, one below the other. */
  readonly areLines: boolean
}

export const PeopleCards = memo((props: PeopleCardsProps) => {
  const { page, outUntil, asOf, areLines, openId, onSelect, onAction } = props
  const select = (keys: Selection) => {
    const [key] = keys === 'all' ? [] : keys
    onSelect(key === undefined ? undefined : Number(key))
  }
  return (
    <GridList
      className={areLines ? styles.lines : styles.cards}
      aria-label="People"
      layout={areLines ? 'stack' : 'grid'}
      items={page}
      dependencies={[outUntil, asOf, areLines]}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={openId === undefined ? [] : [openId]}
      onSelectionChange={select}
      onAction={(key) => onAction(Number(key))}
    >
      {(person) => (
        <GridListItem className={styles.card} textValue={personName(person) ?? `Employee ${person.id}`}>
          <span className={styles.name}>
            <PersonName person={person} isLink={false} />
          </span>
          <span className={styles.state}>
            <StateBadge person={person} outUntil={outUntil.get(person.id)} asOf={asOf} />
          </span>
          <span className={styles.title}>
            {areLines ? <Joined texts={[person.designation, person.branch]} /> : person.designation}
          </span>
          {areLines ? undefined : (
            <>
              <span className={styles.place}>
                <Joined texts={[person.department?.name, person.branch]} />
              </span>
              {person.manager === null ? undefined : (
                <span className={styles.place}>
                  Reports to <PersonName person={person.manager} isLink={false} />
                </span>
              )}
            </>
          )}
        </GridListItem>
      )}
    </GridList>
  )
})

const Joined = ({ texts }: { readonly texts: readonly (string | null | undefined)[] }) =>
  texts.filter(Boolean).map((text, index) => (
    <span key={text}>
      {index === 0 ? '' : ' · '}
      <bdi>{text}</bdi>
    </span>
  ))
