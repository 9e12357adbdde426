import { ChevronDown, ChevronUp } from 'lucide-react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { personName } from '../../format/person-name.ts'
import { CardList } from '../../kit/CardList.tsx'
import { Icon } from '../../kit/Icon.tsx'
import type { Column } from './columns.ts'
import styles from './FoldCard.module.css'
import { roleText } from './members.ts'

interface FoldCardProps {
  readonly column: Column
  readonly text: string
  /** Opens a person of the list in the chart. */
  readonly open: (id: number) => void
}

/** The last row of a long column. Pressed, the column shows the rest: as cards, or as a scrolling list if they are many. */
export const FoldCard = ({ column: { hidden, isListOpen, parent }, text, open }: FoldCardProps) => (
  <div className={styles.card}>
    <span className={styles.line}>
      <span>{text}</span>
      <Icon of={isListOpen || hidden.length === 0 ? ChevronUp : ChevronDown} />
    </span>
    {isListOpen ? (
      <CardList
        className={styles.list}
        itemClassName={styles.item}
        label={parent === undefined ? 'More people at the top' : `More under ${personName(parent) ?? parent.id}`}
        items={hidden}
        keyOf={({ id }) => id}
        textOf={(member) => personName(member) ?? `Employee ${member.id}`}
        selection="none"
        virtualLine={2.75}
        onAction={(key) => open(Number(key))}
      >
        {(member) => (
          <>
            <span className={styles.who}>
              <PersonName person={member} />
              <span className={styles.role}>
                <bdi>{roleText(member)}</bdi>
              </span>
            </span>
            {member.direct === 0 ? undefined : (
              <Figure
                name={`org.total.${member.id}`}
                value={member.total}
                link={member.links.total_reports}
                what="people in all"
              />
            )}
          </>
        )}
      </CardList>
    ) : undefined}
  </div>
)
