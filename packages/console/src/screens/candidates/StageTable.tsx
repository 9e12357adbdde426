import { waitingDays } from '@muster/model'
import { Bullet } from '../../components/Bullet.tsx'
import { Figure } from '../../components/Figure.tsx'
import { formatDayNear } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { Table } from '../../kit/Table.tsx'
import type { StageMedians } from '../hiring/stage-medians.ts'
import type { StageStay } from '../hiring/stage-stays.ts'
import styles from './Applications.module.css'

interface StageTableProps {
  readonly applicationId: number
  readonly stays: readonly StageStay[]
  readonly asOf: string
  /** Undefined until they are loaded. */
  readonly medians: StageMedians | undefined
  /** The end of the scale of days, which all tables of the page share. */
  readonly longest: number
}

/** Each stage with its days beside the median of the company. */
export const StageTable = ({ applicationId, stays, asOf, medians, longest }: StageTableProps) => {
  const dayNear = (day: string) => formatDayNear(day, asOf)
  const left = ({ to, goesOn }: StageStay) => (goesOn ? 'still there' : to === null ? 'unknown' : dayNear(to))
  return (
    <Table
      className={styles.stages}
      isFlush
      hasLinesOnPhones
      rows={stays.map((stay, index) => ({ ...stay, index }))}
      rowKey={({ index }) => index}
      columns={[
        {
          title: 'Stage',
          cell: (stay) => (
            <>
              <bdi>{valueLabel(stay.stage ?? 'No stage')}</bdi>
              <span className={`${styles.period} only-phone`}>
                {stay.from === null ? 'unknown' : dayNear(stay.from)} – {left(stay)}
              </span>
            </>
          ),
        },
        {
          title: 'Entered',
          onPhones: 'hidden',
          className: styles.day,
          cell: ({ from }) => (from === null ? <span className="muted">unknown</span> : dayNear(from)),
        },
        {
          title: 'Left',
          onPhones: 'hidden',
          className: styles.day,
          cell: (stay) => <span className={stay.goesOn || stay.to === null ? 'muted' : undefined}>{left(stay)}</span>,
        },
        {
          title: 'Days',
          kind: 'figure',
          className: styles.days,
          cellClassName: ({ goesOn, days = 0 }) => goesOn && days > waitingDays && styles.late,
          cell: ({ index, days }) =>
            days === undefined ? (
              <span className="muted">unknown</span>
            ) : (
              <>
                <Figure name={`candidate.application.${applicationId}.${index}.days`} value={days}>
                  {formatInteger(days)}
                </Figure>
                <span className="only-phone"> {plural(days, 'day', 'days')}</span>
              </>
            ),
        },
        {
          title: 'Compared with the median',
          onPhones: 'line',
          cell: ({ stage, days }) => {
            const median = medians?.byStage.get(stage?.toLowerCase() ?? '')?.company
            return (
              <span className={styles.compared}>
                <Bullet value={days} usual={median?.days} end={longest} />
                <span className={styles.median}>
                  {medians === undefined ? undefined : median === undefined ? (
                    'no median'
                  ) : (
                    <>
                      median{' '}
                      <Figure
                        name={`candidate.median.${stage?.toLowerCase()}`}
                        value={median.days}
                        link={median.link}
                        what={`median days in ${valueLabel(stage ?? '')}`}
                      >
                        {formatDecimal(median.days)} d
                      </Figure>
                    </>
                  )}
                </span>
              </span>
            )
          },
        },
      ]}
    />
  )
}
