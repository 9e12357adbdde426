import type { Employee, Page } from '@muster/client'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import { Table } from '../../kit/Table.tsx'
import type { Result } from '../../service/queries.ts'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { StateBadge } from '../people/StateBadge.tsx'
import styles from './Lists.module.css'
import { outUntilByPerson } from './person-state.ts'
import type { ChartRow } from './use-chain.ts'
import { reportsFilter } from './use-chain.ts'

interface ReportsProps {
  readonly managerId: number
  readonly isOwnManager: boolean
  readonly reports: Result<Page<Employee>>
  /** The person in the org chart, with totals. Undefined for people who are not in it. */
  readonly own: ChartRow | undefined
  readonly asOf: string
  /** If false, no further requests are sent yet. */
  readonly enabled: boolean
}

/** The people who report to somebody. */
export const Reports = ({ managerId, isOwnManager, reports, own, asOf, enabled }: ReportsProps) => {
  const people = reports.data?.data ?? []
  const leave = useList(
    'leave',
    {
      employee_id: people.map(({ id }) => id),
      status: 'approved',
      from_date_to: asOf,
      to_date_from: asOf,
      limit: 200,
    },
    { enabled: enabled && people.length > 0 },
  )
  const outUntil = useMemo(() => outUntilByPerson(leave.data?.data ?? []), [leave.data])
  const path = listPath('employees', reportsFilter(managerId, isOwnManager))
  const direct = isOwnManager ? reports.data?.meta.total : (own?.direct_reports ?? reports.data?.meta.total)
  return (
    <Section
      title="Reports"
      aside={
        typeof direct !== 'number' ? undefined : (
          <span className="muted">
            <Figure
              name="person.reports.direct"
              value={direct}
              link={(isOwnManager ? undefined : own?.links.direct_reports) ?? path}
              what={plural(direct, 'direct report', 'direct reports')}
            />{' '}
            direct
            {own === undefined || (direct > 0 && own.total_reports === 0) ? undefined : (
              <>
                {' · '}
                <Figure
                  name="person.reports.all"
                  value={own.total_reports ?? 0}
                  link={own.links.total_reports}
                  what="reports in all"
                />{' '}
                in all
              </>
            )}
          </span>
        )
      }
    >
      <Loadable result={reports} asked="the people who report to this person">
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="note">No direct reports.</p>
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
                    title: 'Name',
                    headClassName: styles.wide,
                    cellClassName: styles.cut,
                    cell: (report) => <PersonName person={report} />,
                  },
                  {
                    title: 'Title',
                    headClassName: styles.wide,
                    cellClassName: `${styles.cut} ${styles.second}`,
                    cell: ({ designation }) => designation,
                  },
                  {
                    title: 'Office',
                    cellClassName: styles.cut,
                    onPhones: 'hidden',
                    cell: ({ branch }) => <bdi>{branch}</bdi>,
                  },
                  {
                    title: 'Joined',
                    kind: 'figure',
                    headClassName: styles.day,
                    onPhones: 'hidden',
                    cell: ({ date_of_joining: day }) => (day === null ? undefined : formatDay(day)),
                  },
                  {
                    title: 'Today',
                    kind: 'figure',
                    headClassName: styles.badge,
                    cellClassName: styles.end,
                    cell: (report) => <StateBadge person={report} outUntil={outUntil.get(report.id)} asOf={asOf} />,
                  },
                ]}
              />
              {meta.total <= data.length ? undefined : (
                <p className={styles.more}>
                  <Link className="link" {...dataLocation(path)}>
                    All {formatInteger(meta.total)} direct reports
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
