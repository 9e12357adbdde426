import type { Application, Candidate, Department, Employee, JobOpening, Page } from '@muster/client'
import { daysBetween, isPastTarget, waitingDays } from '@muster/model'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { NoSuchRecord } from '../../components/NoSuchRecord.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { formatDay, formatShortDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Button } from '../../kit/Button.tsx'
import { Popover } from '../../kit/Popover.tsx'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useList, useRecord, useReport } from '../../service/queries.ts'
import { countPath, listPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import type { StageGroup } from './board.ts'
import { boardColumns, cardsByStage, cardsPerStage, countOfStatus, isComplete } from './board.ts'
import { endedStatuses } from './cohort.ts'
import styles from './Opening.module.css'
import type { StageCount } from './openings.ts'
import { StageHistory } from './StageDays.tsx'
import type { StageMedians } from './StageMedian.tsx'
import { MedianKey, StageMedian, stageMedians } from './StageMedian.tsx'

type Job = JobOpening & {
  readonly department: Department | null
  readonly hiring_manager: Employee | null
}
type BoardApplication = Pick<Application, 'id' | 'stage' | 'applied_on' | 'stage_entered_on'> & {
  readonly candidate: Candidate
}

const cardFields = { fields: ['id', 'stage', 'applied_on', 'stage_entered_on'], expand: ['candidate'] } as const

const question = 'Who is in which stage, and for how long?'

export const OpeningScreen = () => {
  const { id } = useParams({ from: '/hiring/openings/$id' })
  const jobId = parseId(id)
  if (jobId !== undefined) return <OpeningPage id={jobId} />
  return (
    <>
      <PageHead title="Opening" question={question} />
      <NoSuchRecord name="opening" id={id}>
        <Link className="link" to="/hiring">
          Go to Openings
        </Link>
      </NoSuchRecord>
    </>
  )
}

const OpeningPage = ({ id }: { readonly id: number }) => {
  const asOf = useAsOf()
  const job = useRecord('jobs', id, { expand: ['department', 'hiring_manager'] })
  const counts = useCounts('applications', { by: ['stage', 'status'], job_id: id })
  // One list of all stages: almost always, its 200 applications contain the first 20 of each stage.
  const waiting = useList('applications', {
    ...cardFields,
    job_id: id,
    status: 'active',
    sort: 'stage_entered_on',
    limit: 200,
  })
  const times = useReport('timeInStage', { as_of: asOf, job_id: id })
  const companyTimes = useReport('timeInStage', { as_of: asOf })
  const areTimesLoading = times.isPending || companyTimes.isPending
  const medians = areTimesLoading ? undefined : stageMedians(times.data?.data, companyTimes.data?.data)
  const parts =
    job.data === undefined || counts.data === undefined || waiting.data === undefined
      ? undefined
      : { job: job.data, groups: counts.data.data, total: counts.data.meta.total, waiting: waiting.data }
  return (
    <>
      <PageHead
        title={job.data === undefined ? 'Opening' : <bdi className={styles.title}>{job.data.title}</bdi>}
        tabTitle={job.data?.title ?? 'Opening'}
        question={question}
        how={
          <HowCounted
            title="Applications by stage"
            path={countPath('applications', { by: ['stage', 'status'], job_id: id })}
            definition={
              <>
                Applications to this opening with the status <code>active</code>, by their present stage. The days are
                those since <code>stage_entered_on</code>. They open the days in each stage, as far as these are
                recorded. The medians are those of the report <code>time-in-stage</code>, for this opening and for the
                whole company.
              </>
            }
          />
        }
        tools={<CopyLinkButton />}
      />
      <Loadable result={combineResults(parts, [job, counts, waiting])} asked="this opening">
        {(opening) => (
          <>
            <Stats job={opening.job} asOf={asOf} groups={opening.groups} total={opening.total} />
            <Board
              job={opening.job}
              asOf={asOf}
              groups={opening.groups}
              waiting={opening.waiting}
              medians={medians}
              historyFrom={times.data?.meta.history_from}
            />
          </>
        )}
      </Loadable>
    </>
  )
}

interface StatsProps {
  readonly job: Job
  readonly asOf: string
  readonly groups: readonly StageGroup[]
  readonly total: number
}

const Stats = ({ job, asOf, groups, total }: StatsProps) => (
  <StatList>
    <Stat
      label={
        <>
          {job.code ?? `Opening ${job.id}`}
          {job.department === null ? undefined : (
            <>
              {' · '}
              <bdi>{job.department.name}</bdi>
            </>
          )}
        </>
      }
      remark={`${plural(job.headcount, 'place', 'places')} filled`}
    >
      <Figure name={`opening.${job.id}.filled`} value={job.filled} /> of{' '}
      <Figure name={`opening.${job.id}.places`} value={job.headcount} what="places" />
    </Stat>
    <OpenedStat job={job} asOf={asOf} />
    {job.target_date === null ? undefined : <TargetStat job={job} targetDate={job.target_date} asOf={asOf} />}
    <Stat
      label="All applications"
      remark={endedStatuses.map((status) => (
        <span key={status} className={styles.part}>
          <Figure
            name={`opening.${job.id}.${status}`}
            value={countOfStatus(groups, status)}
            link={listPath('applications', { job_id: job.id, status })}
            what={status}
          />{' '}
          {status}
        </span>
      ))}
    >
      <Figure
        name={`opening.${job.id}.applications`}
        value={total}
        link={listPath('applications', { job_id: job.id })}
      />
    </Stat>
    <Stat label="Hiring manager">
      <span className={styles.manager}>
        {job.hiring_manager === null ? <span className="muted">none</span> : <PersonName person={job.hiring_manager} />}
      </span>
    </Stat>
  </StatList>
)

const OpenedStat = ({ job: { id, opened_on, status }, asOf }: { readonly job: Job; readonly asOf: string }) => {
  const days = opened_on === null ? undefined : daysBetween(opened_on, asOf)
  if (status.toLowerCase() !== 'open' || opened_on === null || days === undefined || days < 0)
    return (
      <Stat label="Status" remark={opened_on === null ? undefined : `opened ${formatDay(opened_on)}`}>
        {valueLabel(status)}
      </Stat>
    )
  return (
    <Stat label="Open for" remark={`${plural(days, 'day', 'days')}, since ${formatDay(opened_on)}`}>
      <Figure name={`opening.${id}.open_days`} value={days} />
    </Stat>
  )
}

interface TargetStatProps {
  readonly job: Job
  readonly targetDate: string
  readonly asOf: string
}

const TargetStat = ({ job, targetDate, asOf }: TargetStatProps) => {
  const days = daysBetween(asOf, targetDate)
  const distance = `${formatInteger(Math.abs(days))} ${plural(Math.abs(days), 'day', 'days')}`
  return (
    <Stat
      label="Target"
      remark={
        <span className={isPastTarget(job, asOf) ? styles.late : undefined}>
          <Figure name={`opening.${job.id}.target_days`} value={days}>
            {days < 0 ? `${distance} ago` : `in ${distance}`}
          </Figure>
        </span>
      }
    >
      {targetDate.slice(0, 4) === asOf.slice(0, 4) ? formatShortDay(targetDate) : formatDay(targetDate)}
    </Stat>
  )
}

interface BoardProps {
  readonly job: Job
  readonly asOf: string
  readonly groups: readonly StageGroup[]
  readonly waiting: Page<BoardApplication>
  /** Undefined until they are loaded. */
  readonly medians: StageMedians | undefined
  readonly historyFrom: string | undefined
}

const Board = ({ job, asOf, groups, waiting, medians, historyFrom }: BoardProps) => {
  const cards = cardsByStage(waiting.data)
  const columns = boardColumns(job.stages_json, groups)
  const hasMedians = medians === undefined || columns.some(({ stage }) => medians.byStage.has(stage))
  return (
    <>
      {hasMedians ? <MedianKey /> : undefined}
      <div className={styles.scroll}>
        <div className={styles.board}>
          {columns.map((column) => (
            <Column
              key={column.stage}
              jobId={job.id}
              asOf={asOf}
              column={column}
              median={hasMedians ? <StageMedian jobId={job.id} stage={column.stage} medians={medians} /> : undefined}
              cards={cards.get(column.stage) ?? []}
            />
          ))}
        </div>
      </div>
      <p className="note">
        The first {cardsPerStage} of each stage, longest wait first. The days open those in earlier stages.{' '}
        {hasMedians ? (
          <>
            Medians are of the stays that ended. <KnownSince day={historyFrom} />
          </>
        ) : undefined}
      </p>
    </>
  )
}

interface ColumnProps {
  readonly jobId: number
  readonly asOf: string
  readonly column: StageCount
  /** How long applications stay here. */
  readonly median: ReactNode
  readonly cards: readonly BoardApplication[]
}

const Column = ({ jobId, asOf, column, median, cards }: ColumnProps) => {
  const id = useId()
  const query = { job_id: jobId, status: 'active', stage: column.stage, sort: 'stage_entered_on' } as const
  const rest = useList(
    'applications',
    { ...cardFields, ...query, limit: cardsPerStage },
    { enabled: !isComplete(column, cards) },
  )
  const shown = isComplete(column, cards) ? cards : (rest.data?.data ?? cards)
  const link = listPath('applications', query)
  return (
    <section aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.stage} id={id}>
          {valueLabel(column.stage)}
        </h2>
        <Figure
          name={`opening.${jobId}.stage.${column.stage}`}
          value={column.count}
          link={link}
          what={`applications in ${valueLabel(column.stage)}`}
        />
        {median}
      </div>
      {column.count === 0 ? <p className={styles.nobody}>No applications in this stage.</p> : undefined}
      <ul>
        {shown.map((application) => (
          <Card key={application.id} application={application} asOf={asOf} />
        ))}
      </ul>
      {column.count > shown.length && shown.length > 0 ? (
        <Link className={styles.all} {...dataLocation(link)}>
          All {formatInteger(column.count)}
        </Link>
      ) : undefined}
    </section>
  )
}

const Card = ({ application, asOf }: { readonly application: BoardApplication; readonly asOf: string }) => {
  const { candidate, stage_entered_on: since } = application
  const days = since === null ? undefined : daysBetween(since, asOf)
  return (
    <li className={styles.card}>
      <Link className={styles.name} {...dataLocation(listPath('candidates', { id: candidate.id }))}>
        <PersonName person={candidate} kind="Candidate" />
      </Link>
      <span className={styles.meta}>
        <span>{candidate.source === null ? 'No source' : valueLabel(candidate.source)}</span>
        {days === undefined ? undefined : (
          <span className={days > waitingDays ? styles.late : undefined}>
            {days < 0 ? (
              `since ${formatDay(since ?? '')}`
            ) : (
              <Popover
                title="Days in each stage"
                width="small"
                placement="bottom end"
                trigger={
                  <Button kind="own" className={styles.here}>
                    <Figure name={`opening.application.${application.id}.days_here`} value={days}>
                      {formatInteger(days)} d here
                    </Figure>
                  </Button>
                }
              >
                <StageHistory application={application} asOf={asOf} />
              </Popover>
            )}
          </span>
        )}
      </span>
    </li>
  )
}
