import type { Department, Employee, JobOpening } from '@muster/client'
import { daysBetween, isPastTarget } from '@muster/model'
import { Fact, FactList } from '../../components/FactList.tsx'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { useReport } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import type { StageGroup } from './board.ts'
import { countOfStatus } from './board.ts'
import { endedStatuses } from './cohort.ts'
import styles from './OpeningFacts.module.css'

export type FullJob = JobOpening & {
  readonly department: Department | null
  readonly hiring_manager: Employee | null
}

interface OpeningFactsProps {
  readonly job: FullJob
  readonly asOf: string
  /** The applications by stage and status. Undefined until they are counted, or if they could not be. */
  readonly groups: readonly StageGroup[] | undefined
  readonly total: number | undefined
}

const none = <span className="muted">none</span>

/** What kind of place it is, how far it is, and until when. */
export const OpeningFacts = ({ job, asOf, groups, total }: OpeningFactsProps) => (
  <FactList layout="grid">
    <Fact label="Places filled">
      <Figure name={`opening.${job.id}.filled`} value={job.filled} /> of{' '}
      <Figure name={`opening.${job.id}.places`} value={job.headcount} /> <Places job={job} />
    </Fact>
    <TargetFact job={job} asOf={asOf} />
    <OpenedFact job={job} asOf={asOf} />
    <Fact label="Hiring manager" remark={job.hiring_manager?.designation ?? undefined}>
      {job.hiring_manager === null ? none : <PersonName person={job.hiring_manager} />}
    </Fact>
    <Fact label="Location" remark={job.remote_policy === null ? undefined : valueLabel(job.remote_policy)}>
      {job.location === null ? none : <bdi>{job.location}</bdi>}
    </Fact>
    <PayFact job={job} />
    <Fact label="Contract">{job.employment_type === null ? none : valueLabel(job.employment_type)}</Fact>
    <Fact
      label="All applications"
      remark={
        groups &&
        ['active', ...endedStatuses].map((status, index) => (
          <span key={status}>
            {index === 0 ? '' : ' · '}
            <Figure
              name={`opening.${job.id}.${status}`}
              value={countOfStatus(groups, status)}
              link={listPath('applications', { job_id: job.id, status })}
              what={status}
            />{' '}
            {status}
          </span>
        ))
      }
    >
      {total === undefined ? (
        <span className="muted">not counted</span>
      ) : (
        <Figure
          name={`opening.${job.id}.applications`}
          value={total}
          link={listPath('applications', { job_id: job.id })}
        />
      )}
    </Fact>
  </FactList>
)

/** More squares say no more than the number. */
const mostSquares = 12

const Places = ({ job: { headcount, filled } }: { readonly job: FullJob }) =>
  headcount > mostSquares ? undefined : (
    <span className={styles.places} aria-hidden>
      {Array.from({ length: headcount }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the squares are all the same
        <i key={index} className={index < filled ? styles.filled : undefined} />
      ))}
    </span>
  )

interface DayFactProps {
  readonly job: FullJob
  readonly asOf: string
}

const TargetFact = ({ job, asOf }: DayFactProps) => {
  if (job.target_date === null) return <Fact label="Target date">{none}</Fact>
  const days = daysBetween(asOf, job.target_date)
  const distance = `${formatInteger(Math.abs(days))} ${plural(Math.abs(days), 'day', 'days')}`
  return (
    <Fact
      label="Target date"
      remark={
        <span className={isPastTarget(job, asOf) ? styles.late : undefined}>
          <Figure name={`opening.${job.id}.target_days`} value={days}>
            {days < 0 ? `${distance} ago` : `in ${distance}`}
          </Figure>
        </span>
      }
    >
      {formatDay(job.target_date)}
    </Fact>
  )
}

const OpenedFact = ({ job: { id, opened_on: opened, status }, asOf }: DayFactProps) => {
  const days = opened === null ? undefined : daysBetween(opened, asOf)
  if (opened === null || days === undefined) return <Fact label="Opened">{none}</Fact>
  if (status.toLowerCase() !== 'open' || days < 0) return <Fact label="Opened">{formatDay(opened)}</Fact>
  return (
    <Fact
      label="Open for"
      remark={
        <>
          since {formatDay(opened)}
          <MedianToFill asOf={asOf} />
        </>
      }
    >
      <Figure name={`opening.${id}.open_days`} value={days} /> {plural(days, 'day', 'days')}
    </Fact>
  )
}

/** That of the whole company. */
const MedianToFill = ({ asOf }: { readonly asOf: string }) => {
  const row = useReport('timeToHire', { as_of: asOf }).data?.data[0]
  return row === undefined || row.fill_median_days === null ? undefined : (
    <>
      ; median to fill{' '}
      <Figure
        name="opening.median_to_fill"
        value={row.fill_median_days}
        link={row.links.fill_median_days}
        what="median days to fill an opening"
      >
        {formatDecimal(row.fill_median_days)} d
      </Figure>
    </>
  )
}

const PayFact = ({ job: { comp_min: from, comp_max: to, currency } }: { readonly job: FullJob }) => {
  const ends = [from, to].flatMap((pay) => (pay === null ? [] : [formatInteger(pay)]))
  if (ends.length === 0) return <Fact label="Pay">{none}</Fact>
  return (
    <Fact label="Pay" remark={from === null ? 'a year, at most' : to === null ? 'a year, at least' : 'a year'}>
      {[...new Set(ends)].join(' – ')} {currency}
    </Fact>
  )
}
