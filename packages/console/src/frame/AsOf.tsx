import { lazy, Suspense } from 'react'
import { formatShortDay, formatWeekday, today } from '../format/dates.ts'
import { Button } from '../kit/Button.tsx'
import { Popover } from '../kit/Popover.tsx'
import { useAsOf, useIsDated } from '../service/use-as-of.ts'
import styles from './TopBar.module.css'

const loadCalendar = () => import('./AsOfCalendar.tsx')
const AsOfCalendar = lazy(() => loadCalendar().then(({ AsOfCalendar: component }) => ({ default: component })))

/** The day for which all figures are shown, on screens that have one. */
export const AsOf = () => {
  const asOf = useAsOf()
  const isDated = useIsDated()
  const day = formatShortDay(asOf)
  // `Fri 13 Nov 2026`, of which phones show only `13 Nov`.
  const [weekday, year] = formatWeekday(asOf).split(day)
  return !isDated ? undefined : (
    <Popover
      label="Day of the figures"
      placement="bottom end"
      className={styles.calendar}
      trigger={
        <Button
          kind="own"
          className={styles.tool}
          onHoverStart={() => void loadCalendar()}
          onFocus={() => void loadCalendar()}
        >
          <span className="visually-hidden-on-phones">As of</span>
          <b className={asOf === today() ? undefined : styles.chosen}>
            <span className="visually-hidden-on-phones">{weekday}</span>
            {day}
            <span className="visually-hidden-on-phones">{year}</span>
          </b>
        </Button>
      }
    >
      {(close) => (
        <Suspense>
          <AsOfCalendar close={close} />
        </Suspense>
      )}
    </Popover>
  )
}
