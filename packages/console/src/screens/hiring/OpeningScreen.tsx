import type { Page } from '@muster/client'
import { MusterError } from '@muster/client'
import { Link, useParams } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { BackLink } from '../../components/BackLink.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { ExportButton } from '../../components/ExportButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { NoSuchRecord } from '../../components/NoSuchRecord.tsx'
import { PageFacts, PageHead } from '../../components/PageHead.tsx'
import { today } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Section } from '../../kit/Section.tsx'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useList, useRecord, useReport } from '../../service/queries.ts'
import { countPath, listPath } from '../../service/requests.ts'
import type { StageGroup } from './board.ts'
import { boardColumns, cardsPerStage, countOfStatus } from './board.ts'
import type { FullJob } from './OpeningFacts.tsx'
import { OpeningFacts } from './OpeningFacts.tsx'
import { OpeningHires } from './OpeningHires.tsx'
import { OpeningPostings } from './OpeningPostings.tsx'
import styles from './OpeningScreen.module.css'
import type { BoardApplication } from './StageBoard.tsx'
import { cardFields, StageBoard } from './StageBoard.tsx'
import { MedianKey } from './StageMedian.tsx'
import type { StageMedians } from './stage-medians.ts'
import { slowestStage, stageMedians } from './stage-medians.ts'

const question = 'How far is it, who is in which stage, and what holds it up?'

export const OpeningScreen = () => {
  const { id } = useParams({ from: '/hiring/openings/$id' })
  const jobId = parseId(id)
  // The key gives each opening a screen of its own: nothing of the one before is shown meanwhile.
  return jobId === undefined ? <NoSuchOpening id={id} /> : <OpeningPage key={id} id={jobId} />
}

const NoSuchOpening = ({ id }: { readonly id: string }) => (
  <>
    <PageHead title="Opening" question={question} />
    <NoSuchRecord name="opening" id={id}>
      <Link className="link" to="/hiring">
        Go to Openings
      </Link>
    </NoSuchRecord>
  </>
)

const OpeningPage = ({ id }: { readonly id: number }) => {
  const asOf = today()
  const job = useRecord('jobs', id, { expand: ['department', 'hiring_manager'] })
  const counts = useCounts('applications', { by: ['stage', 'status'], job_id: id })
  // One list of all stages: almost always, its 200 applications contain the first 20 of each stage.
  const active = { job_id: id, status: 'active', sort: 'stage_entered_on' } as const
  const waiting = useList('applications', { ...cardFields, ...active, limit: 200 })
  const times = useReport('timeInStage', { as_of: asOf, job_id: id })
  const companyTimes = useReport('timeInStage', { as_of: asOf })
  const medians =
    times.isPending || companyTimes.isPending ? 'loading' : stageMedians(times.data?.data, companyTimes.data?.data)
  const groups = counts.data?.data
  if (job.error instanceof MusterError && job.error.code === 'not_found') return <NoSuchOpening id={String(id)} />
  return (
    <>
      <PageHead
        above={<BackLink to="/hiring" />}
        isLarge
        title={job.data === undefined ? `Opening ${id}` : <bdi>{job.data.title}</bdi>}
        tabTitle={job.data?.title ?? `Opening ${id}`}
        subtitle={job.data === undefined ? undefined : <Summary job={job.data} />}
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
                whole company. Hired are those in the stage <code>hired</code> who are neither rejected nor withdrawn.
              </>
            }
          />
        }
        tools={
          <>
            <CopyLinkButton />
            <ButtonLink kind="bare" {...dataLocation(listPath('jobs', { id }))}>
              <Icon of={Table2} /> <span>Open as data</span>
            </ButtonLink>
            {groups === undefined ? undefined : (
              <ExportButton
                path={listPath('applications', active)}
                rows={countOfStatus(groups, 'active')}
                fileName={`opening-${id}`}
              />
            )}
          </>
        }
      />
      <Loadable result={job} asked="this opening">
        {(opening) => (
          <>
            <OpeningFacts job={opening} asOf={asOf} groups={groups} total={counts.data?.meta.total} />
            <Loadable
              result={combineResults(
                groups === undefined || waiting.data === undefined ? undefined : { groups, waiting: waiting.data },
                [counts, waiting],
              )}
              asked="the applications to this opening"
            >
              {(board) => (
                <Stages
                  {...board}
                  job={opening}
                  asOf={asOf}
                  medians={medians}
                  historyFrom={times.data?.meta.history_from}
                  areMediansMissing={times.isError || companyTimes.isError}
                />
              )}
            </Loadable>
            <div className="grid apart">
              <div className={styles.postings}>
                <OpeningPostings job={opening} />
              </div>
              <div className={styles.hires}>
                <OpeningHires
                  job={opening}
                  asOf={asOf}
                  stages={groups === undefined ? [] : boardColumns(opening.stages_json, groups)}
                />
              </div>
            </div>
            <PostingText job={opening} />
          </>
        )}
      </Loadable>
    </>
  )
}

/** As in `REQ-00905 · Platform Engineering · Open`. */
const Summary = ({ job: { id, code, department, status } }: { readonly job: FullJob }) => (
  <PageFacts>
    {code ?? `Opening ${id}`} ·{' '}
    {department === null ? undefined : (
      <>
        <bdi>{department.name}</bdi> ·{' '}
      </>
    )}
    {valueLabel(status)}
  </PageFacts>
)

interface StagesProps {
  readonly job: FullJob
  readonly asOf: string
  readonly groups: readonly StageGroup[]
  readonly waiting: Page<BoardApplication>
  readonly medians: StageMedians | 'loading'
  readonly historyFrom: string | undefined
  readonly areMediansMissing: boolean
}

const Stages = ({ job, asOf, groups, waiting, medians, historyFrom, areMediansMissing }: StagesProps) => {
  const columns = boardColumns(job.stages_json, groups)
  const hasMedians = medians === 'loading' || columns.some(({ stage }) => medians.byStage.has(stage))
  const active = countOfStatus(groups, 'active')
  const stages = columns.map(({ stage }) => stage)
  const slowest = medians === 'loading' ? undefined : slowestStage(stages, medians)
  return (
    <Section
      title="Stages"
      remark={`${formatInteger(active)} active ${plural(active, 'application', 'applications')}, longest wait first`}
      aside={hasMedians ? <MedianKey /> : undefined}
    >
      {medians === 'loading' || !hasMedians ? undefined : <SlowestNote stage={slowest} medians={medians} />}
      <StageBoard
        jobId={job.id}
        asOf={asOf}
        columns={columns}
        waiting={waiting.data}
        medians={hasMedians ? medians : undefined}
        slowest={slowest}
      />
      <p className="note">
        The first {cardsPerStage} of each stage. The days open those in earlier stages.{' '}
        {areMediansMissing ? (
          'The medians could not be read.'
        ) : hasMedians ? (
          <>
            Medians are of the stays that ended. <KnownSince day={historyFrom} />
          </>
        ) : undefined}
      </p>
    </Section>
  )
}

interface SlowestNoteProps {
  /** Undefined if no stage is slow. */
  readonly stage: string | undefined
  readonly medians: StageMedians
}

/** What holds the opening up. */
const SlowestNote = ({ stage, medians: { byStage } }: SlowestNoteProps) => {
  const { own, company } = byStage.get(stage ?? '') ?? {}
  return (
    <p className={styles.slowest}>
      {stage === undefined || own === undefined || company === undefined ? (
        'No stage takes much longer than in the whole company.'
      ) : (
        <>
          Applications stay longest beyond the usual in <b>{valueLabel(stage)}</b>: {formatDecimal(own.days)} days, in
          the whole company {formatDecimal(company.days)}.
        </>
      )}
    </p>
  )
}

/** What the public reads. */
const PostingText = ({ job: { description, requirements } }: { readonly job: FullJob }) => {
  const texts = [
    { title: 'Description', text: description },
    { title: 'Requirements', text: requirements },
  ].filter(({ text }) => text !== null && text.trim() !== '')
  return texts.length === 0 ? undefined : (
    <Section title="Text of the posting" className="apart">
      {texts.map(({ title, text }) => (
        <Disclosure key={title} title={title}>
          <p className={styles.text}>
            <bdi>{text}</bdi>
          </p>
        </Disclosure>
      ))}
    </Section>
  )
}
