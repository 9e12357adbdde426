import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import type { Period, PeriodChoice } from '../format/periods.ts'
import { formatMonths } from '../format/periods.ts'
import buttonStyles from './Button.module.css'
import { Icon } from './Icon.tsx'
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
  const id = useId()
  return (
    <DialogTrigger>
      <Button className={buttonStyles.button}>
        {text ?? `${label} ${formatMonths(period)}`}
        <Icon of={ChevronDown} size={13} />
      </Button>
      <Popover className={styles.popover} placement="bottom start">
        <Dialog className={styles.dialog} aria-label={`${label}: period`}>
          {({ close }) => {
            const choose = (next: Period) => {
              onChange(next)
              close()
            }
            return (
              <>
                <ul className={styles.choices}>
                  {choices.map((choice) => (
                    <li key={choice.label}>
                      <Button
                        className={styles.choice}
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
                  <label htmlFor={`${id}-from`}>From</label>
                  <input
                    className={styles.input}
                    id={`${id}-from`}
                    name="from"
                    type="date"
                    defaultValue={period.from}
                    max="9999-12-31"
                  />
                  <label htmlFor={`${id}-to`}>To</label>
                  <input
                    className={styles.input}
                    id={`${id}-to`}
                    name="to"
                    type="date"
                    defaultValue={period.to}
                    max="9999-12-31"
                  />
                  <Button type="submit" className={`${buttonStyles.button} ${buttonStyles.main}`}>
                    Apply
                  </Button>
                </form>
              </>
            )
          }}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
