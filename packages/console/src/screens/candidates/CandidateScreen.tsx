import { MusterError } from '@muster/client'
import { Link, useParams } from '@tanstack/react-router'
import { LockKeyhole, Table2 } from 'lucide-react'
import { BackLink } from '../../components/BackLink.tsx'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { NoSuchRecord } from '../../components/NoSuchRecord.tsx'
import { PageFacts, PageHead } from '../../components/PageHead.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Withheld, WithheldNote } from '../../components/Withheld.tsx'
import { today } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { personName } from '../../format/person-name.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Section } from '../../kit/Section.tsx'
import { parseId } from '../../search-parameters.ts'
import { useList, useRecord, useReport } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { Applications } from './Applications.tsx'
import type { FullCandidate } from './CandidateFacts.tsx'
import { CandidateFacts } from './CandidateFacts.tsx'
import styles from './CandidateScreen.module.css'
import { Employment } from './Employment.tsx'
import { SameStage } from './SameStage.tsx'
import { isOngoing } from './tracks.ts'

export const CandidateScreen = () => {
  const { id } = useParams({ from: '/hiring/candidates/$id' })
  const candidateId = parseId(id)
  // The key gives each candidate a screen of their own: nothing of the one before is shown meanwhile.
  return candidateId === undefined ? <NoSuchCandidate id={id} /> : <CandidatePage key={id} id={candidateId} />
}

const question = 'Who is this, what did they apply for, and where does it stand?'

const NoSuchCandidate = ({ id }: { readonly id: string }) => (
  <>
    <PageHead title="Candidate" question={question} />
    <NoSuchRecord name="candidate" id={id}>
      <Link className="link" to="/hiring/candidates">
        Go to Candidates
      </Link>
    </NoSuchRecord>
  </>
)

/** Most candidates have one to three. */
const mostApplications = 50

const CandidatePage = ({ id }: { readonly id: number }) => {
  const asOf = today()
  const isWithheld = useIsWithheld() === true
  const record = useRecord('candidates', id, { expand: ['referrer'] })
  const applications = useList('applications', {
    candidate_id: id,
    expand: ['job'],
    sort: ['-applied_on', '-id'],
    limit: mostApplications,
  })
  const times = useReport('timeInStage', { as_of: asOf })
  const found = applications.data?.data
  const ongoing = found?.find(isOngoing)
  if (record.error instanceof MusterError && record.error.code === 'not_found')
    return <NoSuchCandidate id={String(id)} />
  return (
    <>
      <PageHead
        above={<BackLink to="/hiring/candidates" />}
        isLarge
        title={
          record.data === undefined ? (
            `Candidate ${id}`
          ) : (
            <PersonName person={record.data} kind="Candidate" isLink={false} />
          )
        }
        tabTitle={(record.data && personName(record.data)) ?? `Candidate ${id}`}
        subtitle={record.data === undefined ? undefined : <Summary candidate={record.data} isWithheld={isWithheld} />}
        question={question}
        how={
          <HowCounted
            title="A candidate"
            path={listPath('applications', { candidate_id: id })}
            definition={
              <>
                The days of an application in its present stage are those since <code>stage_entered_on</code>. Earlier
                stages are those that were recorded. Medians are those of the report <code>time-in-stage</code>: of all
                stays in the stage that ended, in the whole company.
              </>
            }
          />
        }
        tools={
          <>
            <CopyLinkButton />
            <ButtonLink {...dataLocation(listPath('candidates', { id }))}>
              <Icon of={Table2} /> <span>Open as data</span>
            </ButtonLink>
          </>
        }
      />
      {isWithheld ? <WithheldNote what="names, contact, place, employer and notes of candidates" /> : undefined}
      <div className="grid">
        <div className="span-8">
          <Loadable result={applications} asked="the applications of this candidate">
            {({ data, meta }) => (
              <Applications candidateId={id} applications={data} total={meta.total} times={times} asOf={asOf} />
            )}
          </Loadable>
          <Loadable result={record} asked={`candidate ${id}`}>
            {({ notes }) => <Notes notes={notes} isWithheld={isWithheld} />}
          </Loadable>
        </div>
        <div className={`span-4 ${styles.side}`}>
          <Loadable result={record} asked={`candidate ${id}`}>
            {(candidate) => <CandidateFacts candidate={candidate} asOf={asOf} isWithheld={isWithheld} />}
          </Loadable>
          {found === undefined ? undefined : (
            <Employment candidateId={id} applications={found} asOf={asOf} isWithheld={isWithheld} />
          )}
          {ongoing === undefined ? undefined : <SameStage key={ongoing.id} application={ongoing} asOf={asOf} />}
        </div>
      </div>
    </>
  )
}

interface SummaryProps {
  readonly candidate: FullCandidate
  readonly isWithheld: boolean
}

const Summary = ({ candidate: { headline, location, status }, isWithheld }: SummaryProps) => (
  <PageFacts>
    {headline === null || headline === '' ? undefined : <>{headline} · </>}
    {location !== null && location !== '' ? (
      <>
        <bdi>{location}</bdi> ·{' '}
      </>
    ) : isWithheld ? (
      <>
        <Withheld what="place withheld" /> ·{' '}
      </>
    ) : undefined}
    {valueLabel(status)}
  </PageFacts>
)

interface NotesProps {
  readonly notes: string | null
  readonly isWithheld: boolean
}

const Notes = ({ notes, isWithheld }: NotesProps) => (
  <Section title="Notes" remark="of the recruiting team, personal" className="apart">
    {isWithheld ? (
      <p className={styles.withheld}>
        <Icon of={LockKeyhole} size={13} /> Withheld. Whether there are notes is not shown either.
      </p>
    ) : notes === null || notes.trim() === '' ? (
      <p className="note">No notes are recorded.</p>
    ) : (
      <blockquote className={styles.notes}>
        <bdi>{notes}</bdi>
      </blockquote>
    )}
  </Section>
)
