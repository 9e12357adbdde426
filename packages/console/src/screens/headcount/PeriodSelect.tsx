import { ChevronDown } from 'lucide-react'
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import styles from './PeriodSelect.module.css'
import type { Period } from './period.ts'
import { formatMonths, periodChoices } from './period.ts'

interface PeriodSelectProps {
  readonly period: Period
  readonly asOf: string
  readonly onChange: (from: string) => void
}

/** Chooses among periods that end today. A period of a link that is none of them is listed too. */
export const PeriodSelect = ({ period, asOf, onChange }: PeriodSelectProps) => {
  const choices = periodChoices(asOf)
  const isChoice = period.to === asOf.slice(0, 7) && choices.some(({ from }) => from === period.from)
  return (
    <Select
      aria-label="Period"
      value={isChoice ? period.from : 'other'}
      onChange={(key) => {
        if (key !== null && key !== 'other') onChange(String(key))
      }}
    >
      <Button className={buttonStyles.button}>
        <SelectValue>{formatMonths(period.from, period.to)}</SelectValue>
        <Icon of={ChevronDown} size={13} />
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <ListBox className={styles.list}>
          {choices.map(({ from, label }) => (
            <ListBoxItem key={from} id={from} textValue={label} className={styles.item}>
              <span>{label}</span>
              <span className="muted">{formatMonths(from, asOf.slice(0, 7))}</span>
            </ListBoxItem>
          ))}
          {isChoice ? undefined : (
            <ListBoxItem id="other" textValue="Period of the link" className={styles.item}>
              <span>Period of the link</span>
              <span className="muted">{formatMonths(period.from, period.to)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}
