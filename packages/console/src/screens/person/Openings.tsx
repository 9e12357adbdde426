import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
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
      aside={
        total === undefined ? undefined : (
          <Figure name="person.openings" value={total} link={path} what={plural(total, 'opening', 'openings')} />
        )
      }
    >
      <Loadable result={jobs} asked="the openings of this hiring manager">
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="note">This person is the hiring manager of no opening.</p>
          ) : (
            <>
              <Table
                className={styles.list}
                isFlush
                hasLinesOnPhones
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    title: 'Title',
                    headClassName: styles.wide,
                    cellClassName: styles.cut,
                    cell: ({ id, title }) => (
                      <Link className={styles.title} to="/hiring/openings/$id" params={{ id: String(id) }}>
                        {title}
                      </Link>
                    ),
                  },
                  { title: 'Code', cellClassName: `${styles.cut} ${styles.second}`, cell: ({ code }) => code },
                  {
                    title: 'Status',
                    onPhones: 'hidden',
                    cell: ({ status }) =>
                      status?.toLowerCase() === 'open' ? (
                        <Badge kind="good">Open</Badge>
                      ) : status === null ? undefined : (
                        valueLabel(status)
                      ),
                  },
                  {
                    title: 'Filled',
                    kind: 'figure',
                    onPhones: 'hidden',
                    cell: ({ id, filled, headcount }) => (
                      <>
                        <Figure name={`person.openings.filled.${id}`} value={filled} /> of{' '}
                        <Figure name={`person.openings.places.${id}`} value={headcount} what="places" />
                      </>
                    ),
                  },
                  {
                    title: 'Opened',
                    kind: 'figure',
                    onPhones: 'hidden',
                    cell: ({ opened_on: day }) => (day === null ? undefined : formatDay(day)),
                  },
                  {
                    title: 'Active',
                    kind: 'figure',
                    cellClassName: styles.end,
                    cell: ({ id }) =>
                      active.data === undefined || active.isPlaceholderData ? undefined : (
                        <Figure
                          name={`person.openings.active.${id}`}
                          value={activeByJob.get(id) ?? 0}
                          link={listPath('applications', { job_id: id, status: 'active' })}
                          what="active applications"
                        />
                      ),
                  },
                ]}
              />
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
