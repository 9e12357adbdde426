import { ChevronDown } from 'lucide-react'
import type { Period, PeriodChoice } from '../format/periods.ts'
import { formatMonths } from '../format/periods.ts'
import { Button } from '../kit/Button.tsx'
import { TextField } from '../kit/Field.tsx'
import { Icon } from '../kit/Icon.tsx'
import { Popover } from '../kit/Popover.tsx'
import styles from './PeriodMenu.module.css'

interface PeriodMenuProps {
  /** What happens in the period: `Applied`. */
  readonly label: string
  readonly period: Period
  readonly choices: readonly PeriodChoice[]
  readonly onChange: (period: Period) => void
  /** The text on the button, if it is not the label and the period. */
  readonly text?: string
}

/** Chooses a period: one of the usual ones, or any two days. */
export const PeriodMenu = ({ label, period, choices, onChange, text }: PeriodMenuProps) => {
  return (
    <Popover
      label={`${label}: period`}
      padding="tight"
      className={styles.popover}
      trigger={
        <Button>
          {text ?? `${label} ${formatMonths(period)}`}
          <Icon of={ChevronDown} size={13} />
        </Button>
      }
    >
      {(close) => {
        const choose = (next: Period) => {
          onChange(next)
          close()
        }
        return (
          <>
            <ul>
              {choices.map((choice) => (
                <li key={choice.label}>
                  <Button
                    kind="choice"
                    aria-pressed={choice.from === period.from && choice.to === period.to}
                    onPress={() => choose({ from: choice.from, to: choice.to })}
                  >
                    {choice.label} <span className={styles.days}>{formatMonths(choice)}</span>
                  </Button>
                </li>
              ))}
            </ul>
            <form
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault()
                const fields = new FormData(event.currentTarget)
                const day = (name: string) => String(fields.get(name) ?? '') || undefined
                choose({ from: day('from'), to: day('to') })
              }}
            >
              {(['from', 'to'] as const).map((name) => (
                <TextField
                  key={name}
                  label={name === 'from' ? 'From' : 'To'}
                  labelPlace="start"
                  name={name}
                  type="date"
                  {...(period[name] === undefined ? {} : { defaultValue: period[name] })}
                  max="9999-12-31"
                />
              ))}
              <Button type="submit" kind="main">
                Apply
              </Button>
            </form>
          </>
        )
      }}
    </Popover>
  )
}
