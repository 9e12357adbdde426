import { minRateSample } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDecimal, formatOneDecimal, formatWholeShare } from '../../format/numbers.ts'
import type { Group } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import type { Outcome, SourceOutcome } from './cohort.ts'
import { endedStatuses, isFilterable, sourceLabel } from './cohort.ts'
import type { TimeRow } from './days.ts'
import { spreadOf } from './days.ts'
import styles from './Sources.module.css'

interface SourceTableProps {
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly outcomes: readonly SourceOutcome[]
  readonly total: Outcome
  /** The filters of all these applications. */
  readonly filters: object
  /** Applications that reached the interview, by source. Undefined if they are not known or not shown. */
  readonly interviewed?: readonly Group[] | undefined
  /** Days to hire by source. Undefined if they are not known or not shown. */
  readonly times?: readonly TimeRow[] | undefined
}

/** Each source's part of the applications beside its part of the hires. */
export const SourceTable = ({ name, outcomes, total, filters, interviewed, times }: SourceTableProps) => {
  const reached = new Map(interviewed?.map((group) => [group['candidate.source'], group.count]))
  const timeOf = new Map(times?.map((row) => [row.group, spreadOf(row, 'hire')]))
  const mostApplications = Math.max(1, ...outcomes.map(({ applications }) => applications))
  const mostHired = Math.max(1, ...outcomes.map(({ hired }) => hired))
  return (
    <div className={styles.comparison}>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" className={tableStyles.figure}>
              Applications
            </th>
            <td className={styles.bars} />
            {interviewed === undefined ? undefined : (
              <th scope="col" className={`${tableStyles.figure} ${styles.interviewed}`}>
                Reached interview
              </th>
            )}
            <th scope="col" className={tableStyles.figure}>
              Hired
            </th>
            <td className={styles.bars} />
            <th scope="col" className={tableStyles.figure}>
              per 1,000 ended
            </th>
            {times === undefined ? undefined : (
              <th scope="col" className={`${tableStyles.figure} ${styles.days}`}>
                Days to hire
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <SourceRow
              key={outcome.source}
              name={`${name}.${outcome.source ?? 'null'}`}
              outcome={outcome}
              filters={filters}
              interviewed={interviewed === undefined ? undefined : (reached.get(outcome.source) ?? 0)}
              applicationsBar={{
                width: outcome.applications / mostApplications,
                ...shareOf(outcome.applications, total.applications),
              }}
              hiredBar={{ width: outcome.hired / mostHired, ...shareOf(outcome.hired, total.hired) }}
              hasTime={times !== undefined}
              time={timeOf.get(outcome.source)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The part of a whole; nothing if the whole is too small for a rate. */
const shareOf = (part: number, whole: number): { share: number | undefined } => ({
  share: whole < minRateSample ? undefined : part / whole,
})

interface ShareBarProps {
  /** Name of the figure. */
  readonly name: string
  /** As a part of the longest bar. */
  readonly width: number
  readonly share: number | undefined
  readonly isHires?: boolean
}

const ShareBar = ({ name, width, share, isHires = false }: ShareBarProps) => (
  <span className={styles.share}>
    <span className={styles.track} aria-hidden>
      <span className={isHires ? styles.hires : styles.applications} style={{ inlineSize: `${width * 100}%` }} />
    </span>
    <span className={styles.percent}>
      {share === undefined ? undefined : (
        <Figure name={name} value={share}>
          {formatWholeShare(share)}
        </Figure>
      )}
    </span>
  </span>
)

interface SourceRowProps {
  readonly name: string
  readonly outcome: SourceOutcome
  readonly filters: object
  readonly interviewed: number | undefined
  readonly applicationsBar: Omit<ShareBarProps, 'name'>
  readonly hiredBar: Omit<ShareBarProps, 'name'>
  readonly hasTime: boolean
  readonly time: ReturnType<typeof spreadOf>
}

const SourceRow = (props: SourceRowProps) => {
  const { name, outcome, filters, interviewed, applicationsBar, hiredBar, hasTime, time } = props
  const { source, applications, hired, hiredShare } = outcome
  const link = (filter: object) =>
    isFilterable(source) ? listPath('applications', { ...filters, 'candidate.source': source, ...filter }) : undefined
  return (
    <tr>
      <th scope="row">
        <bdi>{sourceLabel(source)}</bdi>
      </th>
      <td className={tableStyles.figure}>
        <Figure name={`${name}.applications`} value={applications} link={link({})} />
      </td>
      <td className={styles.bars}>
        <ShareBar name={`${name}.applications_share`} {...applicationsBar} />
      </td>
      {interviewed === undefined ? undefined : (
        <td className={`${tableStyles.figure} ${styles.interviewed}`}>
          <Figure name={`${name}.interviewed`} value={interviewed} link={link({ reached: 'interview' })} />
        </td>
      )}
      <td className={tableStyles.figure}>
        <Figure name={`${name}.hired`} value={hired} link={link({ status: 'hired' })} />
      </td>
      <td className={styles.bars}>
        <ShareBar name={`${name}.hired_share`} {...hiredBar} isHires />
      </td>
      <td className={tableStyles.figure}>
        {hiredShare === undefined ? (
          <span className="muted">under {minRateSample}</span>
        ) : (
          <Figure name={`${name}.hired_per_1000`} value={hiredShare * 1_000} link={link({ status: endedStatuses })}>
            {formatOneDecimal(hiredShare * 1_000)}
          </Figure>
        )}
      </td>
      {hasTime ? (
        <td className={`${tableStyles.figure} ${styles.days}`}>
          {time === undefined ? undefined : (
            <>
              <Figure name={`${name}.time.median`} value={time.median} link={time.link}>
                {formatDecimal(time.median)}
              </Figure>{' '}
              <span className={styles.sample}>
                n <Figure name={`${name}.time.n`} value={time.n} link={time.link} />
              </span>
            </>
          )}
        </td>
      ) : undefined}
    </tr>
  )
}
