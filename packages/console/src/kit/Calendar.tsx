import { parseDate, toCalendarDate, toZoned } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  Calendar as AriaCalendar,
  CalendarCell,
  CalendarGrid,
  CalendarMonthPicker,
  CalendarYearPicker,
} from 'react-aria-components'
import styles from './Calendar.module.css'
import { IconButton } from './IconButton.tsx'

interface CalendarProps {
  readonly label: string
  /** A day such as `2026-11-13`. */
  readonly value: string
  readonly onChange: (day: string) => void
}

/** Chooses a day. */
export const Calendar = ({ label, value, onChange }: CalendarProps) => (
  <AriaCalendar
    aria-label={label}
    autoFocus
    // With a time zone, the calendar marks today in UTC instead of today at the reader's place.
    value={toZoned(parseDate(value), 'UTC')}
    onChange={(date) => onChange(toCalendarDate(date).toString())}
  >
    <header className={styles.head}>
      <IconButton slot="previous" icon={ChevronLeft} />
      <CalendarMonthPicker format="long">{(picker) => <Picker {...picker} />}</CalendarMonthPicker>
      <CalendarYearPicker visibleYears={20}>{(picker) => <Picker {...picker} />}</CalendarYearPicker>
      <IconButton slot="next" icon={ChevronRight} />
    </header>
    <CalendarGrid weekdayStyle="short" className={styles.grid}>
      {(date) => <CalendarCell date={date} className={styles.day} />}
    </CalendarGrid>
  </AriaCalendar>
)

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
