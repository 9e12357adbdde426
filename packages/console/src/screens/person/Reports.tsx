import type { Page, Resources } from '@muster/client'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Section } from '../../components/Section.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDay } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { Result } from '../../service/queries.ts'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { StateBadge } from '../people/StateBadge.tsx'
import type { ChartRow } from './chain.ts'
import { chartStatuses } from './chain.ts'
import styles from './Lists.module.css'
import { outUntilByPerson } from './person-state.ts'

interface ReportsProps {
  readonly managerId: number
  readonly reports: Result<Page<Resources['employees']['record']>>
  /** The person in the org chart, with totals. Undefined for people who are not in it. */
  readonly own: ChartRow | undefined
  readonly asOf: string
  /** If false, no further requests are sent yet. */
  readonly enabled: boolean
}

/** The people who report to somebody. */
export const Reports = ({ managerId, reports, own, asOf, enabled }: ReportsProps) => {
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
  const path = listPath('employees', { manager_id: managerId, status: [...chartStatuses] })
  const direct = own?.direct_reports ?? reports.data?.meta.total
  return (
    <Section
      title="Reports"
      aside={
        typeof direct !== 'number' ? undefined : (
          <span className="muted">
            <Figure name="person.reports.direct" value={direct} link={own?.links.direct_reports ?? path} /> direct
            {own === undefined ? undefined : (
              <>
                {' · '}
                <Figure name="person.reports.all" value={own.total_reports ?? 0} link={own.links.total_reports} /> in
                all
              </>
            )}
          </span>
        )
      }
    >
      <Loadable result={reports} asked="the people who report to this person">
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="note">Nobody reports to this person.</p>
          ) : (
            <>
              <table className={`${tableStyles.table} ${styles.list}`}>
                <thead>
                  <tr>
                    <th scope="col" className={styles.wide}>
                      Name
                    </th>
                    <th scope="col" className={styles.wide}>
                      Title
                    </th>
                    <th scope="col">Office</th>
                    <th scope="col" className={`${tableStyles.figure} ${styles.day}`}>
                      Joined
                    </th>
                    <th scope="col" className={`${tableStyles.figure} ${styles.badge}`}>
                      Today
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((report) => (
                    <tr key={report.id}>
                      <th scope="row" className={styles.cut}>
                        <PersonName person={report} />
                      </th>
                      <td className={`${styles.cut} ${styles.second}`}>{report.designation}</td>
                      <td className={`${styles.cut} ${styles.detail}`}>
                        <bdi>{report.branch}</bdi>
                      </td>
                      <td className={`${tableStyles.figure} ${styles.detail}`}>
                        {report.date_of_joining === null ? undefined : formatDay(report.date_of_joining)}
                      </td>
                      <td className={`${tableStyles.figure} ${styles.end}`}>
                        <StateBadge person={report} outUntil={outUntil.get(report.id)} asOf={asOf} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
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
