import { memo } from 'react'
import { PersonName } from '../../components/PersonName.tsx'
import { CardList } from '../../kit/CardList.tsx'
import styles from './PeopleCards.module.css'
import type { PeopleListProps } from './PeopleTable.tsx'
import { personKey, personText } from './PeopleTable.tsx'
import { StateBadge } from './StateBadge.tsx'

interface PeopleCardsProps extends PeopleListProps {
  /** If true, each person is a line with few details, one below the other. */
  readonly areLines: boolean
}

export const PeopleCards = memo((props: PeopleCardsProps) => {
  const { page, outUntil, asOf, areLines, openId, onSelect, onAction } = props
  return (
    <CardList
      className={areLines ? styles.lines : styles.cards}
      itemClassName={styles.card}
      label="People"
      layout={areLines ? 'lines' : 'cards'}
      items={page}
      keyOf={personKey}
      textOf={personText}
      selected={openId}
      selection="follow"
      onSelect={(key) => onSelect(key === undefined ? undefined : Number(key))}
      onAction={(key) => onAction(Number(key))}
      dependencies={[outUntil, asOf, areLines]}
    >
      {(person) => (
        <>
          <span className={styles.name}>
            <PersonName person={person} isLink={false} />
          </span>
          <span>
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
        </>
      )}
    </CardList>
  )
})

const Joined = ({ texts }: { readonly texts: readonly (string | null | undefined)[] }) =>
  texts.filter(Boolean).map((text, index) => (
    <span key={text}>
      {index === 0 ? '' : ' · '}
      <bdi>{text}</bdi>
    </span>
  ))
