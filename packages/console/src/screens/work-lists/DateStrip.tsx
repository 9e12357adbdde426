import { addDays } from '@muster/model'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { formatShortDay, formatWeekday } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import { mondayOf } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { Swatch } from '../../kit/Legend.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import styles from './DateStrip.module.css'
import type { CountedKind, DatePeriod } from './dates.ts'
import { sumOf, sumOfDays } from './dates.ts'

export const KindMark = ({ kind }: { readonly kind: string }) => <Swatch className={styles[kind]} />

/** With more dates than this, a part of a column is a kind instead of a person. */
const maxSquares = 200

interface DateStripProps {
  readonly kinds: readonly CountedKind[]
  readonly period: DatePeriod
  readonly asOf: string
}

/** One column for each day, with a square for each date. */
export const DateStrip = ({ kinds, period, asOf }: DateStripProps) => {
  const totals = sumOfDays(kinds, period)
  const most = Math.max(1, ...totals.values())
  const areSquares = sumOf(totals) <= maxSquares
  const days: string[] = []
  for (let day = period.from; day <= period.to; day = addDays(day, 1)) days.push(day)
  const [firstWithDates] = days.filter((day) => totals.has(day))
  return (
    <div className={styles.strip} style={{ '--days': days.length } as CSSProperties}>
      {/* biome-ignore lint/a11y/useSemanticElements: the days of a chart are no fieldset */}
      <div className={styles.days} role="group" aria-label="Dates per day" onKeyDown={moveBetweenMarks()}>
        {days.map((day) => {
          const ofDay = kinds.flatMap(({ kind, label, days: counts }) => {
            const count = counts.get(day) ?? 0
            return count === 0 ? [] : [{ kind, label, count }]
          })
          const isWeekend = mondayOf(day) <= addDays(day, -5)
          if (ofDay.length === 0) return <span key={day} data-weekend={isWeekend || undefined} />
          return (
            <Link
              key={day}
              to="."
              search={(old: SearchOf<'/today/dates'>) => ({
                ...old,
                from: day,
                to: day,
                group: undefined,
                offset: undefined,
              })}
              resetScroll={false}
              data-weekend={isWeekend || undefined}
              data-mark
              data-figure={`dates.day.${day}`}
              data-value={totals.get(day)}
              tabIndex={day === firstWithDates ? 0 : -1}
              aria-label={`${formatWeekday(day)}: ${ofDay.map(({ label, count }) => `${label} ${formatInteger(count)}`).join(', ')}`}
            >
              {ofDay.flatMap(({ kind, count }) =>
                areSquares
                  ? Array.from({ length: count }, (_, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the squares of a kind are all the same
                      <i key={`${kind} ${index}`} className={styles[kind]} />
                    ))
                  : [
                      <i
                        key={kind}
                        className={`${styles[kind]} ${styles.part}`}
                        style={{ blockSize: `${(count / most) * 4.5}rem` }}
                      />,
                    ],
              )}
            </Link>
          )
        })}
      </div>
      <div className={styles.axis} aria-hidden>
        {days.map((day) => (
          <span key={day}>
            {day === asOf ? <b>today</b> : isLabelled(day, days.length) ? formatShortDay(day) : undefined}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Mondays; in longer periods, only the first of a month. */
const isLabelled = (day: string, count: number): boolean => (count > 60 ? day.endsWith('-01') : mondayOf(day) === day)
