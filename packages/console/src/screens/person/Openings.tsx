import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Section } from '../../components/Section.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDay } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { useCounts, useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './Lists.module.css'

const shownOpenings = 20

interface OpeningsProps {
  readonly managerId: number
  /** If false, nothing is requested yet. */
  readonly enabled: boolean
}

/** The job openings for which somebody is the hiring manager, the newest first. */
export const Openings = ({ managerId, enabled }: OpeningsProps) => {
  const jobs = useList('jobs', { hiring_manager_id: managerId, sort: '-opened_on', limit: shownOpenings }, { enabled })
  const ids = (jobs.data?.data ?? []).map(({ id }) => id)
  const active = useCounts(
    'applications',
    { by: ['job_id'], job_id: ids, status: 'active' },
    { enabled: ids.length > 0 },
  )
  const activeByJob = new Map((active.data?.data ?? []).map(({ job_id, count }) => [job_id, count]))
  const path = listPath('jobs', { hiring_manager_id: managerId })
  const total = jobs.data?.meta.total
  return (
    <Section
      title="Openings they hire for"
      aside={total === undefined ? undefined : <Figure name="person.openings" value={total} link={path} />}
    >
      <Loadable result={jobs} asked="the openings of this hiring manager">
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="note">This person is the hiring manager of no opening.</p>
          ) : (
            <>
              <table className={`${tableStyles.table} ${styles.list}`}>
                <thead>
                  <tr>
                    <th scope="col" className={styles.wide}>
                      Title
                    </th>
                    <th scope="col">Code</th>
                    <th scope="col">Status</th>
                    <th scope="col" className={tableStyles.figure}>
                      Filled
                    </th>
                    <th scope="col" className={tableStyles.figure}>
                      Opened
                    </th>
                    <th scope="col" className={tableStyles.figure}>
                      Active
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((job) => (
                    <tr key={job.id}>
                      <th scope="row" className={styles.cut}>
                        <Link className={styles.title} to="/hiring/openings/$id" params={{ id: String(job.id) }}>
                          {job.title}
                        </Link>
                      </th>
                      <td className={`${styles.cut} ${styles.second}`}>{job.code}</td>
                      <td className={styles.detail}>
                        {job.status?.toLowerCase() === 'open' ? (
                          <Badge kind="good">Open</Badge>
                        ) : job.status === null ? undefined : (
                          valueLabel(job.status)
                        )}
                      </td>
                      <td className={`${tableStyles.figure} ${styles.detail}`}>
                        <Figure name={`person.openings.filled.${job.id}`} value={job.filled} /> of{' '}
                        <Figure name={`person.openings.places.${job.id}`} value={job.headcount} />
                      </td>
                      <td className={`${tableStyles.figure} ${styles.detail}`}>
                        {job.opened_on === null ? undefined : formatDay(job.opened_on)}
                      </td>
                      <td className={`${tableStyles.figure} ${styles.end}`}>
                        {active.data === undefined || active.isPlaceholderData ? undefined : (
                          <Figure
                            name={`person.openings.active.${job.id}`}
                            value={activeByJob.get(job.id) ?? 0}
                            link={listPath('applications', { job_id: job.id, status: 'active' })}
                            label={`${formatInteger(activeByJob.get(job.id) ?? 0)} active applications`}
                          />
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {meta.total <= data.length ? undefined : (
                <p className={styles.more}>
                  <Link className="link" {...dataLocation(path)}>
                    All {formatInteger(meta.total)} openings
                  </Link>
                </p>
              )}
            </>
          )
        }
      </Loadable>
    </Section>
  )
}
