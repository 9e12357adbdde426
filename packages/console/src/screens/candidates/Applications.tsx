import type { Application, ApplicationTypes, JobOpening, RecordHistory, ReportResult } from '@muster/client'
import { daysBetween, waitingDays } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import type { ChangedNames } from '../../components/ChangedValue.tsx'
import { useChangedNames } from '../../components/ChangedValue.tsx'
import { Figure } from '../../components/Figure.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import type { LoadableResult } from '../../components/Loadable.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Swatch } from '../../kit/Legend.tsx'
import { Section } from '../../kit/Section.tsx'
import type { Result } from '../../service/queries.ts'
import { useHistories } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { StageLegend } from '../hiring/StageBar.tsx'
import type { StageTimesRow } from '../hiring/StageTimes.tsx'
import type { StageMedians } from '../hiring/stage-medians.ts'
import { stageMedians } from '../hiring/stage-medians.ts'
import type { StageStays } from '../hiring/stage-stays.ts'
import { stageStays, waitedStays } from '../hiring/stage-stays.ts'
import { compareStages } from '../hiring/stages.ts'
import styles from './Applications.module.css'
import { StageTable } from './StageTable.tsx'
import { Track } from './Track.tsx'
import type { TrackPart } from './tracks.ts'
import { endText, isOngoing, ongoingFirst, totalDays, trackParts } from './tracks.ts'

export type CandidateApplication = Application & { readonly job: JobOpening | null }

interface ApplicationsProps {
  readonly candidateId: number
  /** The newest first. */
  readonly applications: readonly CandidateApplication[]
  readonly total: number
  readonly times: Result<ReportResult<StageTimesRow>>
  readonly asOf: string
}

/** Each application needs a request of its own for its stages. */
const mostWithStages = 10

/** All applications on one scale of days, and each stage beside its median. */
export const Applications = ({ candidateId, applications: newest, total, times, asOf }: ApplicationsProps) => {
  const applications = ongoingFirst(newest)
  const histories = useHistories(
    'applications',
    applications.slice(0, mostWithStages).map(({ id }) => id),
  )
  const names = useChangedNames(
    idsOf(applications, ({ job }) => job?.dept_id),
    idsOf(applications, ({ job }) => job?.hiring_manager_id),
  )
  const medians = times.data === undefined ? undefined : stageMedians([], times.data.data)
  const tracks = applications.map((application, index) => {
    const history = histories[index]?.data
    const stays = history === undefined ? undefined : stageStays(application, history, asOf)
    return { application, stays, parts: stays === undefined ? [] : trackParts(application.applied_on, stays) }
  })
  // The scale would change with each history that arrives.
  const isScaleKnown = histories.every(({ isPending }) => !isPending)
  const waited = tracks.flatMap(({ stays }) => waitedStays(stays?.stays ?? []))
  const stages = [...new Set(waited.map(({ stage }) => stage?.toLowerCase() ?? ''))].toSorted(compareStages)
  const scale: Scale = {
    medians,
    longestTrack: Math.max(1, ...tracks.map(({ parts }) => totalDays(parts))),
    longestStay: Math.max(
      1,
      ...waited.map(({ days = 0 }) => days),
      ...stages.map((stage) => medians?.byStage.get(stage)?.company?.days ?? 0),
    ),
  }
  return (
    <Section
      title="Applications"
      remark={applications.length > 1 ? 'days in each stage, same scale' : 'days in each stage'}
      aside={
        <Figure
          name="candidate.applications"
          value={total}
          link={listPath('applications', { candidate_id: candidateId })}
          what={plural(total, 'application', 'applications')}
        />
      }
    >
      {applications.length === 0 ? <p className="note">This candidate has not applied for an opening.</p> : undefined}
      {stages.length === 0 ? undefined : (
        <StageLegend stages={stages}>
          {waited.some(({ goesOn }) => goesOn) ? (
            <li>
              <Swatch className={`hatch ${styles.goesOn}`} />
              still there
            </li>
          ) : undefined}
        </StageLegend>
      )}
      {tracks.map(({ application, stays, parts }, index) => (
        <Entry
          key={application.id}
          application={application}
          history={isScaleKnown ? histories[index] : undefined}
          stays={stays}
          parts={parts}
          names={names.data}
          scale={scale}
          asOf={asOf}
        />
      ))}
      {tracks.some(({ stays }) => stays?.isCut) ? (
        <p className={`note ${styles.known}`}>
          <KnownSince day={histories.find(({ data }) => data !== undefined)?.data?.meta.history_from} /> Earlier stages
          are not recorded.
        </p>
      ) : undefined}
      {total > applications.length ? (
        <p className="note below">The newest {formatInteger(applications.length)} are shown.</p>
      ) : undefined}
      {times.isError ? <p className="note below">The medians could not be read.</p> : undefined}
    </Section>
  )
}

const idsOf = (
  applications: readonly CandidateApplication[],
  idOf: (application: CandidateApplication) => number | null | undefined,
): number[] => [...new Set(applications.flatMap((application) => idOf(application) ?? []))]

interface Scale {
  /** Undefined until they are loaded. */
  readonly medians: StageMedians | undefined
  /** In days. */
  readonly longestTrack: number
  readonly longestStay: number
}

interface EntryProps {
  readonly application: CandidateApplication
  /** Undefined if its stages are not asked for, or not yet shown. */
  readonly history: LoadableResult<RecordHistory<ApplicationTypes['trackedField']>> | undefined
  readonly stays: StageStays | undefined
  readonly parts: readonly TrackPart[]
  readonly names: ChangedNames | undefined
  readonly scale: Scale
  readonly asOf: string
}

const Entry = ({ application, history, stays, parts, names, scale, asOf }: EntryProps) => {
  const { id, job } = application
  const isActive = isOngoing(application)
  const shown = waitedStays(stays?.stays ?? [])
  const table = (
    <StageTable applicationId={id} stays={shown} asOf={asOf} medians={scale.medians} longest={scale.longestStay} />
  )
  return (
    <article className={styles.application} aria-label={job?.title ?? `Application ${id}`}>
      <header className={styles.head}>
        <span>
          <Link className={styles.title} to="/hiring/openings/$id" params={{ id: String(application.job_id) }}>
            <bdi>{job?.title ?? `Opening ${application.job_id}`}</bdi>
          </Link>{' '}
          <JobFacts job={job} names={names} hasManager={isActive} />
        </span>
        {isActive ? (
          <Waiting application={application} medians={scale.medians} asOf={asOf} />
        ) : (
          <span className={`${styles.end} soft number`}>{endText(application, stays?.stays ?? [])}</span>
        )}
      </header>
      {history === undefined ? undefined : (
        <Loadable result={history} asked="the stages of this application">
          {() =>
            shown.length === 0 ? undefined : (
              <>
                <Track parts={parts} longest={scale.longestTrack} />
                {isActive ? (
                  table
                ) : (
                  <Disclosure title="Days in each stage" className={styles.folded}>
                    {table}
                  </Disclosure>
                )}
              </>
            )
          }
        </Loadable>
      )}
    </article>
  )
}

interface JobFactsProps {
  readonly job: JobOpening | null
  readonly names: ChangedNames | undefined
  /** Whether it says for whom the opening is. */
  readonly hasManager: boolean
}

/** As in `REQ-00905 · Platform Engineering · for Elin Hedlund`. */
const JobFacts = ({ job, names, hasManager }: JobFactsProps) => {
  const department = names?.departments.get(job?.dept_id ?? 0)
  const manager = hasManager ? names?.people.get(job?.hiring_manager_id ?? 0) : undefined
  return (
    <span className={styles.facts}>
      {job?.code}
      {department === undefined ? undefined : (
        <>
          {' · '}
          <bdi>{department}</bdi>
        </>
      )}
      {manager === undefined ? undefined : (
        <>
          {' · for '}
          <PersonName person={manager} isPlain />
        </>
      )}
    </span>
  )
}

interface WaitingProps {
  readonly application: CandidateApplication
  readonly medians: StageMedians | undefined
  readonly asOf: string
}

/** The present stage, and for how long. */
const Waiting = ({ application: { id, stage, stage_entered_on: since }, medians, asOf }: WaitingProps) => {
  const days = since === null ? undefined : daysBetween(since, asOf)
  const median = medians?.byStage.get(stage.toLowerCase())?.company?.days
  return (
    <span className={styles.stage}>
      <bdi>{valueLabel(stage)}</bdi>{' '}
      {days === undefined || days < 0 ? undefined : (
        <Badge kind={days > waitingDays ? 'warning' : 'plain'}>
          <span>
            <Figure name={`candidate.application.${id}.days_here`} value={days}>
              {formatInteger(days)} d
            </Figure>
            {median === undefined ? undefined : `, median ${formatDecimal(median)} d`}
          </span>
        </Badge>
      )}
    </span>
  )
}
