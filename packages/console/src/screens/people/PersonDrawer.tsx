import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { Badge } from '../../components/Badge.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay, formatPeriod } from '../../format/dates.ts'
import { employeeStatusLabel, plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal } from '../../format/numbers.ts'
import { ButtonLink, ButtonRow } from '../../kit/Button.tsx'
import { Drawer } from '../../kit/Drawer.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Section } from '../../kit/Section.tsx'
import { useList, useRecord } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { ChainList } from '../person/ChainList.tsx'
import { CycleNote } from '../person/CycleNote.tsx'
import { reportsFilter, useChain } from '../person/use-chain.ts'
import styles from './PersonDrawer.module.css'
import type { Person } from './use-people.ts'

interface PersonDrawerProps {
  readonly id: number
  /** The person, if the list has them on its page. */
  readonly known: Person | undefined
  readonly previous: number | undefined
  readonly next: number | undefined
  readonly onOpen: (id: number | undefined) => void
}

/** One person beside the list, which stays usable. */
export const PersonDrawer = ({ id, known, previous, next, onOpen }: PersonDrawerProps) => {
  const record = useRecord('employees', id, { expand: ['department', 'manager'] }, { enabled: known === undefined })
  const person = known ?? (record.isPlaceholderData ? undefined : record.data)
  return (
    <Drawer
      label="Person"
      noun="person"
      mark={person?.code}
      id={id}
      previous={previous}
      next={next}
      onMove={onOpen}
      onClose={() => onOpen(undefined)}
    >
      {person === undefined ? (
        <Loadable result={record} asked={`employee ${id}`}>
          {() => undefined}
        </Loadable>
      ) : (
        <Content person={person} />
      )}
    </Drawer>
  )
}

const Content = ({ person }: { readonly person: Person }) => {
  const facts = [
    person.department?.name,
    person.branch,
    person.status === null ? undefined : employeeStatusLabel(person.status),
    person.date_of_joining === null ? undefined : `joined ${formatDay(person.date_of_joining)}`,
  ].filter((fact) => fact !== null && fact !== undefined && fact !== '')
  return (
    <>
      <h2 className={styles.name}>
        <PersonName person={person} />
      </h2>
      <p className={`soft ${styles.fact}`}>{person.designation}</p>
      <p className={`muted ${styles.fact}`}>{facts.join(' · ')}</p>
      <ReportsTo person={person} />
      <Leave id={person.id} />
      <ButtonRow>
        <ButtonLink to="/people/$id" params={{ id: String(person.id) }}>
          Open <Icon of={ArrowRight} />
        </ButtonLink>
        <CopyLinkButton />
      </ButtonRow>
    </>
  )
}

const shownReports = 5

const ReportsTo = ({ person }: { readonly person: Person }) => {
  const isOwnManager = person.manager_id === person.id
  const { result, managers, own, cycle } = useChain(person.id, person.manager_id)
  const reports = useList('employees', {
    ...reportsFilter(person.id, isOwnManager),
    sort: ['designation', 'id'],
    limit: shownReports,
  })
  const isCurrent = result.data !== undefined && !result.isPlaceholderData && !reports.isPlaceholderData
  const direct = isOwnManager ? reports.data?.meta.total : (own?.direct_reports ?? reports.data?.meta.total)
  return (
    <>
      <Section
        className={styles.section}
        title="Reports to"
        aside={
          <Link className={styles.aside} to="/org" search={{ person: String(person.id) }}>
            Open in org
          </Link>
        }
      >
        <Loadable result={result} asked="the chain of managers">
          {() => (
            <div className={result.isPlaceholderData ? styles.outdated : undefined}>
              <ChainList managers={managers}>
                <PersonName person={person} isLink={false} /> <span className="muted">{person.designation}</span>
              </ChainList>
              <CycleNote cycle={cycle} />
              {managers.length > 0 || person.manager_id !== null ? undefined : (
                <p className="note">There is no manager above.</p>
              )}
            </div>
          )}
        </Loadable>
      </Section>
      <Section
        className={styles.section}
        title="Reports"
        aside={
          isCurrent && typeof direct === 'number' ? (
            <span className="muted">
              <Figure
                name="people.drawer.direct"
                value={direct}
                what={plural(direct, 'direct report', 'direct reports')}
                link={
                  (isOwnManager ? undefined : own?.links.direct_reports) ??
                  listPath('employees', reportsFilter(person.id, isOwnManager))
                }
              />{' '}
              direct
              {own === undefined || (direct > 0 && own.total_reports === 0) ? undefined : (
                <>
                  {' · '}
                  <Figure
                    name="people.drawer.reports"
                    value={own.total_reports ?? 0}
                    link={own.links.total_reports}
                    what="reports in all"
                  />{' '}
                  in all
                </>
              )}
            </span>
          ) : undefined
        }
      >
        <ul className={reports.isPlaceholderData ? styles.outdated : undefined}>
          {(reports.data?.data ?? []).map((report) => (
            <li key={report.id} className={styles.line}>
              <PersonName person={report} />
              <span className="muted">{report.designation}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

const shownRequests = 3

const Leave = ({ id }: { readonly id: number }) => {
  const leave = useList('leave', { employee_id: id, sort: '-from_date', limit: shownRequests })
  const total = leave.isPlaceholderData ? undefined : leave.data?.meta.total
  return (
    <Section
      className={styles.section}
      title="Leave"
      aside={
        total === undefined ? undefined : (
          <span className="muted">
            <Figure
              name="people.drawer.leave"
              value={total}
              link={listPath('leave', { employee_id: id })}
              what={plural(total, 'request', 'requests')}
            />{' '}
            {plural(total, 'request', 'requests')}
          </span>
        )
      }
    >
      <Loadable result={leave} asked="leave requests">
        {({ data }) => (
          <ul className={leave.isPlaceholderData ? styles.outdated : undefined}>
            {data.map(({ id: leaveId, leave_type, from_date, to_date, days, status }) => (
              <li key={leaveId} className={styles.line}>
                <span>
                  {valueLabel(leave_type)}{' '}
                  <span className="muted">
                    {from_date === null ? 'no date' : formatPeriod(from_date, to_date ?? from_date)}
                  </span>
                </span>
                {status === 'approved' ? (
                  <span className="muted">
                    {days === null ? '' : `${formatDecimal(days)} ${plural(days, 'day', 'days')}`}
                  </span>
                ) : (
                  <Badge kind={status === 'pending' ? 'warning' : 'plain'}>
                    {status === 'pending' ? 'waiting' : (status ?? 'no status')}
                  </Badge>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loadable>
    </Section>
  )
}
