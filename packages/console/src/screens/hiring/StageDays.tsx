import { Loadable } from '../../components/Loadable.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { useHistory } from '../../service/queries.ts'
import styles from './StageDays.module.css'
import { stageColors } from './stage-colors.ts'
import type { StageStay, StageStays, StayApplication } from './stage-stays.ts'
import { stageStays, waitedStays } from './stage-stays.ts'

interface StageHistoryProps {
  readonly application: StayApplication & { readonly id: number }
  readonly asOf: string
}

/** The days of an application in each stage, as a bar and as a list. */
export const StageHistory = ({ application, asOf }: StageHistoryProps) => (
  <Loadable result={useHistory('applications', application.id)} asked="the stages of this application">
    {(history) => <StageDays {...stageStays(application, history, asOf)} />}
  </Loadable>
)

const StageDays = ({ stays, isCut }: StageStays) => {
  const shown = waitedStays(stays)
  const drawn = shown.filter(({ days = 0 }) => days > 0)
  return (
    <div className={styles.stages}>
      {drawn.length === 0 ? undefined : (
        <div className={styles.bar} aria-hidden>
          {drawn.map((stay, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stage can occur twice, and the order never changes
            <span key={index} className={stay.goesOn ? `hatch ${styles.goesOn}` : undefined} style={partStyle(stay)} />
          ))}
        </div>
      )}
      <ol className={styles.list}>
        {shown.map((stay, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={index}>
            <bdi>{valueLabel(stay.stage ?? 'No stage')}</bdi>
            <span className={styles.period}>{periodText(stay)}</span>
            <span className={styles.days}>{daysText(stay)}</span>
          </li>
        ))}
      </ol>
      {isCut ? <p className="note">Earlier stages are not recorded.</p> : undefined}
    </div>
  )
}

const partStyle = ({ stage, days = 0, goesOn }: StageStay) => ({
  flexGrow: days,
  ...(goesOn ? {} : stageColors(stage ?? '')),
})

const periodText = ({ from, to, goesOn }: StageStay): string => {
  if (from === null) return to === null ? '' : `until ${formatDay(to)}`
  return to === null || goesOn ? `since ${formatDay(from)}` : `${formatDay(from)} – ${formatDay(to)}`
}

const daysText = ({ days, goesOn }: StageStay): string =>
  days === undefined ? 'unknown' : `${formatInteger(days)} ${plural(days, 'day', 'days')}${goesOn ? ' so far' : ''}`
