import { ChevronRight } from 'lucide-react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { personName } from '../../format/person-name.ts'
import { Icon } from '../../kit/Icon.tsx'
import { TreeArrow } from '../../kit/Tree.tsx'
import type { Member } from './members.ts'
import { roleText } from './members.ts'
import styles from './PersonCard.module.css'

interface PersonCardProps {
  readonly member: Member
  readonly manager: Member | undefined
  /** People below the member who leads most of the column, for the length of the bar. */
  readonly largest: number
}

export const PersonCard = ({ member, manager, largest }: PersonCardProps) => {
  const role = roleText(member, manager)
  const leads = member.direct > 0
  return (
    <div className={styles.card}>
      <span className={styles.name} title={personName(member)?.slice(0, 200)}>
        <PersonName person={member} />
      </span>
      {role === '' ? undefined : (
        <span className={styles.role} title={roleText(member).slice(0, 200)}>
          <bdi>{role}</bdi>
        </span>
      )}
      {leads ? (
        <>
          {member.total > 0 ? (
            <TreeArrow className={styles.open}>
              <Icon of={ChevronRight} />
            </TreeArrow>
          ) : undefined}
          <span className={styles.counts}>
            <span>
              <Figure
                name={`org.direct.${member.id}`}
                value={member.direct}
                link={member.links.direct_reports}
                what="direct reports"
              />{' '}
              direct
            </span>
            {member.total === 0 ? undefined : (
              <>
                <span className={styles.dot} aria-hidden>
                  {' · '}
                </span>
                <span>
                  <Figure
                    name={`org.total.${member.id}`}
                    value={member.total}
                    link={member.links.total_reports}
                    what="reports in all"
                  />{' '}
                  in all
                </span>
              </>
            )}
          </span>
          <span className={styles.share} aria-hidden>
            <i style={{ inlineSize: `${(member.total / largest) * 100}%` }} />
          </span>
        </>
      ) : undefined}
    </div>
  )
}
