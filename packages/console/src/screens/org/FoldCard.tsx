import { ChevronDown, ChevronUp } from 'lucide-react'
import { GridList, GridListItem, ListLayout, Virtualizer } from 'react-aria-components'
import { Figure } from '../../components/Figure.tsx'
import { Icon } from '../../components/Icon.tsx'
import { PersonName, personName } from '../../components/PersonName.tsx'
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
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: rootFontSize() * 2.75 }}>
        <GridList
          className={styles.list}
          aria-label={parent === undefined ? 'More people at the top' : `More under ${personName(parent) ?? parent.id}`}
          items={hidden}
          keyboardNavigationBehavior="tab"
          onAction={(key) => open(Number(key))}
        >
          {(member) => (
            <GridListItem className={styles.item} textValue={personName(member) ?? `Employee ${member.id}`}>
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
                  label={`${member.total} in all`}
                />
              )}
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    ) : undefined}
  </div>
)

/** Sizes are in rem; the layout of the list wants pixels. */
const rootFontSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
