import { formatDay, today } from '../format/dates.ts'
import { Button } from '../kit/Button.tsx'
import { Calendar } from '../kit/Calendar.tsx'
import { useAsOf, useSetAsOf } from '../service/use-as-of.ts'
import { endOfLastMonth } from './data-age.ts'
import { useNewestDay } from './frame-queries.ts'
import styles from './TopBar.module.css'

export const AsOfCalendar = ({ close }: { readonly close: () => void }) => {
  const asOf = useAsOf()
  const setAsOf = useSetAsOf()
  const newestDay = useNewestDay()
  const choose = (day: string): void => {
    setAsOf(day)
    close()
  }
  const shortcuts = [
    { label: 'Today', day: today() },
    ...(typeof newestDay === 'string' ? [{ label: 'Newest data', day: newestDay }] : []),
    { label: 'End of last month', day: endOfLastMonth(today()) },
  ]
  return (
    <>
      <p className={styles.calendarTitle}>Show the company as of</p>
      <Calendar label="Day of the figures" value={asOf} onChange={choose} />
      <ul className={styles.shortcuts}>
        {shortcuts.map(({ label, day }) => (
          <li key={label}>
            <Button kind="choice" onPress={() => choose(day)}>
              {label} <span className="muted number">{formatDay(day)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
