import { minRateSample } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { Now } from '../../components/Now.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { formatRate } from '../../format/numbers.ts'
import { listPath } from '../../service/requests.ts'
import type { Outcome } from './cohort.ts'
import { endedStatuses } from './cohort.ts'

interface CohortStatsProps {
  readonly name: string
  readonly outcome: Outcome
  /** The filters of these applications. */
  readonly filters: object
}

export const CohortStats = ({ name, outcome, filters }: CohortStatsProps) => {
  const ended = listPath('applications', { ...filters, status: endedStatuses })
  return (
    <StatList>
      <Stat label="Applications in the cohort">
        <Figure name={`${name}.applications`} value={outcome.applications} link={listPath('applications', filters)} />
      </Stat>
      <Stat
        label={
          <>
            Ended <Now />
          </>
        }
      >
        <Figure name={`${name}.ended`} value={outcome.ended} link={ended} />
      </Stat>
      <Stat label="Active now">
        <Figure
          name={`${name}.active`}
          value={outcome.active}
          link={listPath('applications', { ...filters, status_not: endedStatuses })}
        />
      </Stat>
      <Stat
        label={
          <>
            Hired from the cohort <Now />
          </>
        }
      >
        <Figure
          name={`${name}.hired`}
          value={outcome.hired}
          link={listPath('applications', { ...filters, status: 'hired' })}
        />
      </Stat>
      <Stat
        label={
          <>
            Hired of those ended <Now />
          </>
        }
      >
        {outcome.hiredShare === undefined ? (
          <small>fewer than {minRateSample} ended</small>
        ) : (
          <Figure name={`${name}.hired_share`} value={outcome.hiredShare} link={ended}>
            {formatRate(outcome.hiredShare)}
          </Figure>
        )}
      </Stat>
    </StatList>
  )
}
