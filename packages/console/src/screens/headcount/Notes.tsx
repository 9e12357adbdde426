import { Link } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { Now } from '../../components/Now.tsx'
import { plural } from '../../format/labels.ts'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './HeadcountScreen.module.css'

interface NotesProps {
  /** People without a joining date, whom the report leaves out. */
  readonly excluded: number
  /** If true, the number of people who left without a date cannot be asked for. */
  readonly isWithheld: boolean
}

const withoutDate = { health: 'terminated_without_date' } as const
const withoutJoining = { date_of_joining_is_null: true } as const

/** What the records do not say. */
export const Notes = ({ excluded, isWithheld }: NotesProps) => {
  // Requested after the first picture: the charts do not need it.
  const { data } = useList('employees', { ...withoutDate, limit: 1 }, { enabled: !isWithheld })
  const stillCounted = data?.meta.total ?? 0
  return (
    <Section title="What cannot be known">
      <div className={styles.notes}>
        {stillCounted === 0 ? undefined : (
          <p className="note">
            <Figure
              name="headcount.without_termination_date"
              value={stillCounted}
              link={listPath('employees', withoutDate)}
              what="people who left without a date"
            />{' '}
            {plural(
              stillCounted,
              'person is marked as left without a date and',
              'people are marked as left without a date and',
            )}{' '}
            still {plural(stillCounted, 'counts', 'count')} in every month. <Now />{' '}
            <Link className="link" to="/health" search={{ rule: withoutDate.health }}>
              Rule in Health
            </Link>
          </p>
        )}
        {excluded === 0 ? undefined : (
          <p className="note">
            <Figure
              name="headcount.excluded"
              value={excluded}
              link={listPath('employees', withoutJoining)}
              what="people without a joining date"
            />{' '}
            {plural(excluded, 'person has', 'people have')} no joining date and {plural(excluded, 'is', 'are')} in no
            month. <Now />
          </p>
        )}
        <p className="note">
          Turnover is the number of people who left in 12 months, divided by the mean of the 13 month-ends. The reason
          for leaving is not recorded, so that resignations and dismissals cannot be told apart.
        </p>
      </div>
    </Section>
  )
}
