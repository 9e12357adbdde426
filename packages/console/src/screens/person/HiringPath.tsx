import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import { Loadable } from '../../components/Loadable.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDay } from '../../format/dates.ts'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './ChainList.module.css'
import type { FullPerson } from './full-person.ts'
import type { PathApplication } from './hiring-path.ts'
import { hiringPath } from './hiring-path.ts'

interface HiringPathProps {
  readonly person: FullPerson
  readonly asOf: string
  readonly isWithheld: boolean
  /** If false, nothing is requested yet. */
  readonly enabled: boolean
}

/** From candidate to employee. */
export const HiringPath = ({ person, asOf, isWithheld, enabled }: HiringPathProps) => {
  const { candidate } = person
  const applications = useList(
    'applications',
    {
      candidate_id: candidate?.id,
      expand: ['job'],
      fields: ['id', 'stage', 'status', 'applied_on', 'stage_entered_on'],
      sort: ['applied_on', 'id'],
      limit: 50,
    },
    { enabled: enabled && candidate !== null },
  )
  const showSteps = (found: readonly PathApplication[]) => {
    const steps = hiringPath(person, candidate, found, asOf, isWithheld)
    return (
      <ol className={styles.chain}>
        {steps.map(({ key, day, title, detail, resource, id, isDayWithheld }, index) => (
          <li key={key} className={index === steps.length - 1 ? styles.current : undefined}>
            <span className={styles.day}>
              {day === null ? isDayWithheld ? <Withheld /> : 'no date' : formatDay(day)}
            </span>
            <Link className={styles.title} {...dataLocation(listPath(resource, { id }))}>
              {title}
            </Link>
            {detail === '' ? undefined : (
              <span className={styles.detail} data-figure={`person.path.${key}`}>
                {detail}
              </span>
            )}
          </li>
        ))}
      </ol>
    )
  }
  return (
    <Section title="From candidate to employee">
      {candidate === null ? (
        <>
          {showSteps([])}
          <p className="note below">No candidate is recorded for this person.</p>
        </>
      ) : (
        <Loadable result={applications} asked="the applications of this person">
          {({ data }) => (
            <>
              {showSteps(data)}
              <p className="note below">The time in each stage is not recorded and not shown.</p>
            </>
          )}
        </Loadable>
      )}
    </Section>
  )
}
