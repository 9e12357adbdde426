import type { LeaveRequest } from '@muster/client'
import { MusterError } from '@muster/client'
import { Link, useParams } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { NoSuchRecord } from '../../components/NoSuchRecord.tsx'
import { PageFacts, PageHead } from '../../components/PageHead.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import { WithheldNote } from '../../components/Withheld.tsx'
import { employeeStatusLabel } from '../../format/labels.ts'
import { personName } from '../../format/person-name.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useList, useRecord, useServiceInfo } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { StateBadge } from '../people/StateBadge.tsx'
import { AllFields } from './AllFields.tsx'
import { AttendanceStrip } from './AttendanceStrip.tsx'
import { EmploymentLanes } from './EmploymentLanes.tsx'
import type { FullPerson } from './full-person.ts'
import { ManagersAbove } from './ManagersAbove.tsx'
import { Openings } from './Openings.tsx'
import styles from './PersonScreen.module.css'
import { outUntilByPerson, personState } from './person-state.ts'
import { Reports } from './Reports.tsx'
import { stripStart } from './strip.ts'
import { Timeline } from './Timeline.tsx'
import { reportsFilter, useChain } from './use-chain.ts'

export const PersonScreen = () => {
  const { id } = useParams({ from: '/people/$id' })
  // The key gives each person a screen of their own: nothing of the one before is shown meanwhile.
  const employeeId = parseId(id)
  return employeeId === undefined ? <NoSuchPerson id={id} /> : <PersonPage key={id} id={employeeId} />
}

const question = 'Who is this person, who reports to them, and when are they in?'

const NoSuchPerson = ({ id }: { readonly id: string }) => (
  <>
    <PageHead title="Person" question={question} />
    <NoSuchRecord name="person" id={id}>
      <Link className="link" to="/people">
        Go to People
      </Link>
    </NoSuchRecord>
  </>
)

const shownReports = 20

const PersonPage = ({ id }: { readonly id: number }) => {
  const asOf = useAsOf()
  const isWithheld = useIsWithheld() === true
  const isNarrow = useIsNarrow()
  const info = useServiceInfo()
  const from = stripStart(asOf)
  const record = useRecord('employees', id, { expand: ['department', 'manager', 'candidate'] })
  const chain = useChain(id, record.data?.manager_id)
  const attendance = useCounts('attendance', {
    by: ['day(att_date)', 'status'],
    employee_id: id,
    att_date_from: from,
    att_date_to: asOf,
    limit: 1_000,
  })
  const leave = useList('leave', {
    employee_id: id,
    status: ['approved', 'pending'],
    to_date_from: from,
    sort: 'from_date',
    limit: 200,
  })
  const isOwnManager = record.data?.manager_id === id
  // The lists below are requested after the first picture.
  const hasPicture = record.data !== undefined && (attendance.data !== undefined || attendance.isError)
  const reports = useList(
    'employees',
    {
      ...reportsFilter(id, isOwnManager),
      sort: isWithheld ? ['designation'] : ['last_name', 'first_name'],
      limit: shownReports,
    },
    // Names cannot be sorted by if they are withheld.
    { enabled: hasPicture && (info.data !== undefined || info.isError) },
  )
  if (record.error instanceof MusterError && record.error.code === 'not_found') return <NoSuchPerson id={String(id)} />
  return (
    <>
      {record.data === undefined ? <PageHead title={`Employee ${id}`} question={question} /> : undefined}
      <Loadable result={record} asked={`employee ${id}`}>
        {(person) => (
          <>
            <PersonHead person={person} chain={chain} asOf={asOf} leave={leave.data?.data ?? []} />
            {isWithheld ? <WithheldNote /> : undefined}
            <div className="grid">
              <div className="span-8">
                {isNarrow ? (
                  <>
                    <Timeline person={person} asOf={asOf} isWithheld={isWithheld} enabled />
                    <div className={styles.gap} />
                  </>
                ) : (
                  <EmploymentLanes person={person} asOf={asOf} enabled={hasPicture} />
                )}
                <Loadable result={attendance} asked="the attendance of this person">
                  {({ data }) => (
                    <AttendanceStrip employeeId={id} asOf={asOf} groups={data} leave={leave.data?.data ?? noLeave} />
                  )}
                </Loadable>
                <div className={styles.gap} />
                <Reports
                  managerId={id}
                  isOwnManager={isOwnManager}
                  reports={reports}
                  own={chain.own}
                  asOf={asOf}
                  enabled={hasPicture}
                />
                <Openings managerId={id} enabled={hasPicture} />
              </div>
              <div className={`span-4 ${styles.side}`}>
                {isNarrow ? undefined : (
                  <Timeline person={person} asOf={asOf} isWithheld={isWithheld} enabled={hasPicture} />
                )}
                <AllFields person={person} isWithheld={isWithheld} />
              </div>
            </div>
          </>
        )}
      </Loadable>
    </>
  )
}

const noLeave: readonly LeaveRequest[] = []

interface PersonHeadProps {
  readonly person: FullPerson
  readonly chain: ReturnType<typeof useChain>
  readonly asOf: string
  readonly leave: readonly LeaveRequest[]
}

const PersonHead = ({ person, chain, asOf, leave }: PersonHeadProps) => {
  const outToday = leave.filter(
    ({ status, from_date, to_date }) =>
      status?.toLowerCase() === 'approved' && from_date !== null && from_date <= asOf && (to_date ?? '') >= asOf,
  )
  const outUntil = outUntilByPerson(outToday).get(person.id)
  const state = personState(person, outUntil, asOf)
  const facts = [
    person.designation,
    // Titles of managers often end with the department.
    person.designation?.endsWith(person.department?.name ?? '') ? undefined : person.department?.name,
    person.branch,
    // The badge says more about everybody else.
    person.status === null || state !== undefined ? undefined : employeeStatusLabel(person.status),
  ].filter((fact) => fact !== null && fact !== undefined && fact !== '')
  return (
    <PageHead
      above={<ManagersAbove chain={chain} person={person} />}
      isLarge
      title={<PersonName person={person} isLink={false} />}
      tabTitle={personName(person) ?? `Employee ${person.id}`}
      subtitle={
        <PageFacts>
          {facts.join(' · ')} <StateBadge person={person} outUntil={outUntil} asOf={asOf} />
        </PageFacts>
      }
      question={question}
      how={
        <HowCounted
          title="A person"
          meta={undefined}
          definition="Managers and reports are those of the present org chart: people who are active, on leave or suspended. “In all” counts everybody below, at any depth. Attendance is counted by records, one per day; leave is counted by requests. The lanes and the timeline have the recorded changes of title, department, manager, office and contract."
          path={reportPath('org-chart', { above: person.id })}
        />
      }
      tools={<CopyLinkButton />}
    >
      <ButtonLink to="/org" search={{ person: String(person.id) }}>
        <Icon of={Network} /> Show in org
      </ButtonLink>
    </PageHead>
  )
}
