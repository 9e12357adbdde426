import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { classes } from '../../kit/classes.ts'
import { stageColors } from '../hiring/stage-colors.ts'
import styles from './Track.module.css'
import type { TrackPart } from './tracks.ts'
import { totalDays } from './tracks.ts'

interface TrackProps {
  readonly parts: readonly TrackPart[]
  /** The days of the longest track of the page, which has the full width. */
  readonly longest: number
}

/** Narrower parts have no room for their days. */
const minShare = 0.055

/** The days of an application in each stage. Tables have the same days. */
export const Track = ({ parts, longest }: TrackProps) =>
  parts.length === 0 ? undefined : (
    <div className={styles.track} style={{ inlineSize: `${(totalDays(parts) / longest) * 100}%` }} aria-hidden>
      {parts.map(({ stay, days }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage can occur twice, and the order never changes
          key={index}
          className={classes(stay === undefined && styles.unknown, stay?.goesOn && `hatch ${styles.goesOn}`)}
          style={{
            flexGrow: days,
            ...(stay === undefined || stay.goesOn ? {} : stageColors(stay.stage ?? '')),
          }}
          title={`${stay === undefined ? 'Not recorded' : valueLabel(stay.stage ?? 'No stage')}: ${formatInteger(days)} d`}
        >
          {stay !== undefined && days / longest >= minShare ? <span>{formatInteger(days)} d</span> : undefined}
        </span>
      ))}
    </div>
  )
