import type { ApplicationTypes, Group } from '@muster/client'
import { minRateSample } from '@muster/model'
import { Figure } from '../../components/Figure.tsx'
import { Now } from '../../components/Now.tsx'
import { plural } from '../../format/labels.ts'
import { formatDecimal, formatOneDecimal, formatWholeShare } from '../../format/numbers.ts'
import { Table } from '../../kit/Table.tsx'
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
  readonly interviewed?: readonly Group<ApplicationTypes, 'candidate.source'>[] | undefined
  /** Days to hire by source. Undefined if they are not known or not shown. */
  readonly times?: readonly TimeRow[] | undefined
}

/** Each source's part of the applications beside its part of the hires. */
export const SourceTable = ({ name, outcomes, total, filters, interviewed, times }: SourceTableProps) => {
  const reached = new Map(interviewed?.map((group) => [group['candidate.source'], group.count]))
  const timeOf = new Map(times?.map((row) => [row.group, spreadOf(row, 'hire')]))
  const mostApplications = Math.max(1, ...outcomes.map(({ applications }) => applications))
  const nameOf = (source: string | null, figure: string) => `${name}.${source ?? 'null'}.${figure}`
  const link = (source: string | null, filter: object = {}) =>
    isFilterable(source) ? listPath('applications', { ...filters, 'candidate.source': source, ...filter }) : undefined
  const mostHired = Math.max(1, ...outcomes.map(({ hired }) => hired))
  return (
    <div className={`scroll-x ${styles.comparison}`}>
      <Table
        isFlush
        rows={outcomes}
        rowKey={({ source }) => String(source)}
        columns={[
          { title: 'Source', cell: ({ source }) => <bdi>{sourceLabel(source)}</bdi> },
          {
            title: 'Applications',
            kind: 'figure',
            cell: ({ source, applications }) => (
              <Figure name={nameOf(source, 'applications')} value={applications} link={link(source)} />
            ),
          },
          {
            key: 'applications bar',
            kind: 'picture',
            className: styles.bars,
            cell: ({ source, applications }) => (
              <ShareBar
                name={nameOf(source, 'applications_share')}
                width={applications / mostApplications}
                share={shareOf(applications, total.applications)}
              />
            ),
          },
          interviewed !== undefined && {
            key: 'interviewed',
            title: (
              <>
                Reached interview <Now />
              </>
            ),
            kind: 'figure',
            className: styles.interviewed,
            cell: ({ source }) => (
              <Figure
                name={nameOf(source, 'interviewed')}
                value={reached.get(source) ?? 0}
                link={link(source, { reached: 'interview' })}
              />
            ),
          },
          {
            key: 'hired',
            title: (
              <>
                Hired <Now />
              </>
            ),
            kind: 'figure',
            cell: ({ source, hired }) => (
              <Figure name={nameOf(source, 'hired')} value={hired} link={link(source, { status: 'hired' })} />
            ),
          },
          {
            key: 'hired bar',
            kind: 'picture',
            className: styles.bars,
            cell: ({ source, hired }) => (
              <ShareBar
                name={nameOf(source, 'hired_share')}
                width={hired / mostHired}
                share={shareOf(hired, total.hired)}
                isHires
              />
            ),
          },
          {
            key: 'per 1,000 ended',
            title: (
              <>
                per 1,000 ended <Now />
              </>
            ),
            kind: 'figure',
            cell: ({ source, hiredShare }) =>
              hiredShare === undefined ? (
                <span className="muted">under {minRateSample}</span>
              ) : (
                <Figure
                  name={nameOf(source, 'hired_per_1000')}
                  value={hiredShare * 1_000}
                  link={link(source, { status: endedStatuses })}
                >
                  {formatOneDecimal(hiredShare * 1_000)}
                </Figure>
              ),
          },
          times !== undefined && {
            title: 'Days to hire',
            kind: 'figure',
            className: styles.days,
            cell: ({ source }) => <DaysToHire name={nameOf(source, 'time')} time={timeOf.get(source)} />,
          },
        ]}
      />
    </div>
  )
}

/** The part of a whole; nothing if the whole is too small for a rate. */
const shareOf = (part: number, whole: number): number | undefined => (whole < minRateSample ? undefined : part / whole)

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
        <Figure name={name} value={share} what={isHires ? 'of the hires' : 'of the applications'}>
          {formatWholeShare(share)}
        </Figure>
      )}
    </span>
  </span>
)

const DaysToHire = ({ name, time }: { readonly name: string; readonly time: ReturnType<typeof spreadOf> }) =>
  time === undefined ? undefined : (
    <>
      <Figure name={`${name}.median`} value={time.median} link={time.link}>
        {formatDecimal(time.median)}
      </Figure>{' '}
      <span className={styles.sample}>
        n <Figure name={`${name}.n`} value={time.n} link={time.link} what={plural(time.n, 'hire', 'hires')} />
      </span>
    </>
  )
