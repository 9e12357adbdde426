import { daysBetween } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Section } from '../../kit/Section.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import type { CandidateApplication } from './Applications.tsx'
import styles from './SameStage.module.css'

interface SameStageProps {
  readonly application: CandidateApplication
  readonly asOf: string
}

const shown = 6

/** Who is considered for the same opening at the same time, longest wait first. */
export const SameStage = ({ application: { candidate_id: own, job_id, stage }, asOf }: SameStageProps) => {
  const query = { job_id, stage, status: 'active', sort: 'stage_entered_on' } as const
  const result = useList('applications', {
    ...query,
    fields: ['id', 'candidate_id', 'stage_entered_on'],
    expand: ['candidate'],
    limit: shown,
  })
  const total = result.data?.meta.total
  return (
    <Section
      title="In this stage of the opening"
      remark={valueLabel(stage)}
      aside={
        total === undefined ? undefined : (
          <Figure
            name="candidate.same_stage"
            value={total}
            link={listPath('applications', query)}
            what={plural(total, 'active application', 'active applications')}
          />
        )
      }
    >
      <Loadable result={result} asked="the applications in the same stage">
        {({ data }) => (
          <ul className={styles.list}>
            {data.map(({ id, candidate, stage_entered_on: since }) => (
              <li key={id} aria-current={candidate.id === own || undefined}>
                <PersonName person={candidate} kind="Candidate" isLink={candidate.id !== own} isPlain />
                {since === null || since > asOf ? undefined : (
                  <Figure name={`candidate.same_stage.${id}.days_here`} value={daysBetween(since, asOf)}>
                    {formatInteger(daysBetween(since, asOf))} d
                  </Figure>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loadable>
    </Section>
  )
}
