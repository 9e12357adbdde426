import type { Employee } from '@muster/client'
import { daysBetween, declinedStatuses } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { DotList, DotListItem } from '../../kit/DotList.tsx'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import type { FullJob } from './OpeningFacts.tsx'
import styles from './OpeningHires.module.css'
import type { StageCount } from './openings.ts'

interface OpeningHiresProps {
  readonly job: FullJob
  readonly asOf: string
  /** The active applications by stage. */
  readonly stages: readonly StageCount[]
}

const shownHires = 20

/** Who was hired, and how many places remain. */
export const OpeningHires = ({ job, asOf, stages }: OpeningHiresProps) => {
  const query = { job_id: job.id, stage: 'hired', status_not: declinedStatuses, sort: '-stage_entered_on' } as const
  const hires = useList('applications', { ...query, expand: ['candidate'], limit: shownHires })
  const candidateIds = hires.data?.data.map(({ candidate_id: id }) => id) ?? []
  const employees = useList(
    'employees',
    { candidate_id: candidateIds, limit: 200 },
    { enabled: candidateIds.length > 0 },
  )
  const isReady = hires.data !== undefined && (candidateIds.length === 0 || employees.data !== undefined)
  const total = hires.data?.meta.total
  return (
    <Section
      title="Hired"
      aside={
        total === undefined ? undefined : (
          <Figure name={`opening.${job.id}.hires`} value={total} link={listPath('applications', query)} what="hired" />
        )
      }
    >
      <Loadable
        result={combineResults(isReady ? hires.data : undefined, [hires, employees])}
        asked="who was hired for this opening"
      >
        {({ data }) => (
          <DotList size="large">
            {data.map(({ id, candidate, applied_on: applied, stage_entered_on: hired }, index) => {
              const employee = employees.data?.data.find(({ candidate_id }) => candidate_id === candidate.id)
              const days = applied === null || hired === null ? -1 : daysBetween(applied, hired)
              return (
                <DotListItem key={id} mark={index === 0 ? 'accent' : undefined}>
                  <span className={styles.when}>
                    {hired === null ? 'no date' : formatDay(hired)}
                    {days < 0 ? undefined : (
                      <Figure name={`opening.hire.${id}.days`} value={days}>
                        {formatInteger(days)} {plural(days, 'day', 'days')} after applying
                      </Figure>
                    )}
                  </span>
                  {employee === undefined ? (
                    <PersonName person={candidate} kind="Candidate" />
                  ) : (
                    <PersonName person={employee} />
                  )}{' '}
                  <span className={styles.detail}>
                    {[employee && joiningText(employee, asOf), candidate.source && valueLabel(candidate.source)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </DotListItem>
              )
            })}
            <PlacesLeft job={job} stages={stages} />
          </DotList>
        )}
      </Loadable>
    </Section>
  )
}

const joiningText = ({ date_of_joining: day }: Employee, asOf: string): string =>
  day === null ? '' : `${day > asOf ? 'joins' : 'joined'} ${formatDay(day)}`

/** The stages next to the hire say how soon the next place may be filled. */
const shownStages = 2

const PlacesLeft = ({ job, stages }: Pick<OpeningHiresProps, 'job' | 'stages'>) => {
  const left = job.headcount - job.filled
  const last = stages.filter(({ count }) => count > 0).slice(-shownStages)
  if (left <= 0)
    return (
      <DotListItem>
        <span className={styles.detail}>All places are filled.</span>
      </DotListItem>
    )
  return (
    <DotListItem mark="ring">
      <span className={styles.when}>
        <Figure name={`opening.${job.id}.places_left`} value={left}>
          {formatInteger(left)} {plural(left, 'place', 'places')} to fill
        </Figure>
        {job.target_date === null ? undefined : <span>target {formatDay(job.target_date)}</span>}
      </span>
      <span className={styles.detail}>
        {last.length === 0
          ? 'No application goes on.'
          : last.toReversed().map(({ stage, count }, index) => (
              <span key={stage}>
                {index === 0 ? '' : ', '}
                <Figure
                  name={`opening.${job.id}.stage.${stage}`}
                  value={count}
                  link={listPath('applications', {
                    job_id: job.id,
                    status: 'active',
                    stage,
                    sort: 'stage_entered_on',
                  })}
                  what={`in ${valueLabel(stage)}`}
                />{' '}
                in {valueLabel(stage)}
              </span>
            ))}
      </span>
    </DotListItem>
  )
}
