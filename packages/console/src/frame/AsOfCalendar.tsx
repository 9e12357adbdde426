import { parseDate, toCalendarDate, toZoned } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarMonthPicker,
  CalendarYearPicker,
} from 'react-aria-components'
import buttonStyles from '../components/Button.module.css'
import { Icon } from '../components/Icon.tsx'
import overlayStyles from '../components/Overlay.module.css'
import { formatDay, today } from '../format/dates.ts'
import { useAsOf, useSetAsOf } from '../service/as-of.ts'
import styles from './AsOf.module.css'
import { endOfLastMonth } from './data-age.ts'
import { useNewestDay } from './frame-queries.ts'

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
      <p className={overlayStyles.title}>Show the company as of</p>
      <Calendar
        aria-label="Day of the figures"
        autoFocus
        // With a time zone, the calendar marks today in UTC instead of today at the reader's place.
        value={toZoned(parseDate(asOf), 'UTC')}
        onChange={(date) => choose(toCalendarDate(date).toString())}
      >
        <header className={styles.head}>
          <Button slot="previous" className={buttonStyles.icon}>
            <Icon of={ChevronLeft} />
          </Button>
          <CalendarMonthPicker format="long">{(picker) => <Picker {...picker} />}</CalendarMonthPicker>
          <CalendarYearPicker visibleYears={20}>{(picker) => <Picker {...picker} />}</CalendarYearPicker>
          <Button slot="next" className={buttonStyles.icon}>
            <Icon of={ChevronRight} />
          </Button>
        </header>
        <CalendarGrid weekdayStyle="short" className={styles.grid}>
          {(date) => <CalendarCell date={date} className={styles.day} />}
        </CalendarGrid>
      </Calendar>
      <ul className={styles.shortcuts}>
        {shortcuts.map(({ label, day }) => (
          <li key={label}>
            <Button className={styles.shortcut} onPress={() => choose(day)}>
              {label} <span className="muted number">{formatDay(day)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface PickerProps {
  readonly 'aria-label': string
  readonly value: string | number
  readonly onChange: (value: string | number) => void
  readonly items: readonly { readonly id: number; readonly formatted: string }[]
}

const Picker = ({ 'aria-label': label, value, onChange, items }: PickerProps) => (
  <select
    className={styles.picker}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(Number(event.target.value))}
  >
    {items.map(({ id, formatted }) => (
      <option key={id} value={id}>
        {formatted}
      </option>
    ))}
  </select>
)
