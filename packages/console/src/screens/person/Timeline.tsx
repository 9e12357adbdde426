import type { Application, JobOpening } from '@muster/client'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ChangedNames } from '../../components/ChangedValue.tsx'
import { ChangedValue } from '../../components/ChangedValue.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { changeTitle, fieldOrder } from '../../components/employee-changes.ts'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDay } from '../../format/dates.ts'
import { DotList, DotListItem } from '../../kit/DotList.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { StageHistory } from '../hiring/StageDays.tsx'
import type { FullPerson } from './full-person.ts'
import type { PathStep } from './hiring-path.ts'
import { hiringPath } from './hiring-path.ts'
import styles from './Timeline.module.css'
import type { FieldChange, FirstValues, TimelineEntry } from './timeline.ts'
import { timelineOf } from './timeline.ts'
import { useEmployeeHistory } from './use-employee-history.ts'

interface TimelineProps {
  readonly person: FullPerson
  readonly asOf: string
  readonly isWithheld: boolean
  /** If false, nothing is requested yet. */
  readonly enabled: boolean
}

type PersonApplication = Pick<Application, 'id' | 'stage' | 'status' | 'applied_on' | 'stage_entered_on'> & {
  readonly job: JobOpening | null
}

const noApplications: readonly PersonApplication[] = []
/** Each application needs a request of its own for its stages. */
const mostWithStages = 10

/** From candidate to employee, and what has changed since. Newest first. */
export const Timeline = ({ person, asOf, isWithheld, enabled }: TimelineProps) => {
  const { candidate } = person
  const changes = useEmployeeHistory(person.id, enabled)
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
  const results = candidate === null ? [changes] : [changes, applications]
  const isReady = results.every(({ data }) => data !== undefined)
  const found = candidate === null ? noApplications : (applications.data?.data ?? noApplications)
  return (
    <Section title="Timeline" remark="newest first">
      <Loadable result={combineResults(isReady ? changes.data : undefined, results)} asked="the changes of this person">
        {({ history, names }) => (
          <>
            <DotList size="large">
              {timelineOf(hiringPath(person, candidate, found, asOf, isWithheld), history, asOf)
                .toReversed()
                .map((entry, index) => (
                  <Entry
                    key={keyOf(entry)}
                    entry={entry}
                    isNewest={index === 0}
                    names={names}
                    candidateId={candidate?.id}
                    applications={found}
                    asOf={asOf}
                  />
                ))}
            </DotList>
            {candidate === null ? <p className="note below">No candidate is recorded for this person.</p> : undefined}
          </>
        )}
      </Loadable>
    </Section>
  )
}

const keyOf = (entry: TimelineEntry): string =>
  entry.kind === 'step' ? entry.step.key : entry.kind === 'change' ? entry.day : entry.kind

interface EntryProps {
  readonly entry: TimelineEntry
  readonly isNewest: boolean
  readonly names: ChangedNames
  readonly candidateId: number | undefined
  readonly applications: readonly PersonApplication[]
  readonly asOf: string
}

const Entry = ({ entry, isNewest, names, candidateId, applications, asOf }: EntryProps) => {
  const mark = isNewest ? 'accent' : undefined
  switch (entry.kind) {
    case 'step':
      return (
        <DotListItem mark={mark}>
          <Step step={entry.step} candidateId={candidateId} applications={applications} asOf={asOf} />
          <Values of={entry.firstValues} names={names} />
        </DotListItem>
      )
    case 'change':
      return (
        <DotListItem mark={mark}>
          <span className={styles.when}>
            {formatDay(entry.day)} <span>{entry.span}</span>
          </span>
          <span className={styles.title}>{changeTitle(entry.changes)}</span>
          {entry.changes.map((change) => (
            <Change key={change.field} change={change} names={names} />
          ))}
        </DotListItem>
      )
    case 'known':
      return (
        <DotListItem mark="ring">
          <span className={styles.when}>{formatDay(entry.day)}</span>
          <span className={styles.detail}>
            {entry.firstValues === undefined
              ? 'All changes are known from this day on.'
              : 'Changes are known from this day on. On that day:'}
          </span>
          <Values of={entry.firstValues} names={names} />
        </DotListItem>
      )
    case 'first':
      return (
        <DotListItem>
          <span className={styles.when}>no date</span>
          <span className={styles.title}>Before the first change</span>
          <Values of={entry.firstValues} names={names} />
        </DotListItem>
      )
  }
}

const Change = ({
  change: { field, values },
  names,
}: {
  readonly change: FieldChange
  readonly names: ChangedNames
}) => (
  <span className={styles.detail}>
    {values.map((value, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a value can occur twice, and the order never changes
      <span key={index}>
        {index === 0 ? undefined : (
          <>
            <Icon of={ArrowRight} size={12} />
            <span className="visually-hidden">, then </span>{' '}
          </>
        )}
        <ChangedValue field={field} value={value} names={names} />{' '}
      </span>
    ))}
  </span>
)

/** The oldest known value of each field, in one line. */
const Values = ({ of: values, names }: { readonly of: FirstValues | undefined; readonly names: ChangedNames }) =>
  values === undefined ? undefined : (
    <span className={styles.detail}>
      {fieldOrder
        .flatMap((field) => values.find((value) => value.field === field) ?? [])
        .map(({ field, new: value }, index) => (
          <span key={field}>
            {index === 0 ? '' : ' · '}
            {field === 'manager_id' && value !== null ? 'manager ' : ''}
            <ChangedValue field={field} value={value} names={names} />
          </span>
        ))}
    </span>
  )

interface StepProps {
  readonly step: PathStep
  readonly candidateId: number | undefined
  readonly applications: readonly PersonApplication[]
  readonly asOf: string
}

const Step = ({ step, candidateId, applications, asOf }: StepProps) => {
  const { key, day, title, detail, resource, id, isDayWithheld } = step
  const application = applications
    .slice(0, mostWithStages)
    .find((candidate) => resource === 'applications' && candidate.id === id && key === `application-${id}`)
  return (
    <>
      <span className={styles.when}>{day === null ? isDayWithheld ? <Withheld /> : 'no date' : formatDay(day)}</span>
      {resource === 'employees' || candidateId === undefined ? (
        <Link className={styles.title} {...dataLocation(listPath(resource, { id }))}>
          {title}
        </Link>
      ) : (
        <Link className={styles.title} to="/hiring/candidates/$id" params={{ id: String(candidateId) }}>
          {title}
        </Link>
      )}
      {detail === '' ? undefined : (
        <span className={styles.detail} data-figure={`person.path.${key}`}>
          {detail}
        </span>
      )}
      {application === undefined ? undefined : <StageHistory application={application} asOf={asOf} />}
    </>
  )
}
