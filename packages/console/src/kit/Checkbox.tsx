import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  RadioGroup as AriaRadioGroup,
  Switch as AriaSwitch,
  Radio,
} from 'react-aria-components'
import styles from './Checkbox.module.css'
import { Icon } from './Icon.tsx'

interface CheckboxProps {
  /** In a group of checkboxes, the value; otherwise the state. */
  readonly value?: string
  readonly isSelected?: boolean
  readonly isDisabled?: boolean
  readonly onChange?: (isSelected: boolean) => void
  readonly children: ReactNode
  /** Stands at the end of the line. */
  readonly count?: ReactNode
}

export const Checkbox = ({ children, count, ...props }: CheckboxProps) => (
  <AriaCheckbox {...props} className={styles.choice}>
    <span className={styles.box} aria-hidden>
      <Icon of={Check} size={11} />
    </span>
    <span className={styles.label}>{children}</span>
    {count === undefined ? undefined : <span className={styles.count}>{count}</span>}
  </AriaCheckbox>
)

interface ChoicesProps {
  readonly label: string
  readonly children: ReactNode
}

/** Checkboxes below each other, which scroll if they are many. */
export const Choices = ({ label, children }: ChoicesProps) => (
  <fieldset className={styles.choices} aria-label={label}>
    {children}
  </fieldset>
)

interface RadioGroupProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [value: string, text: ReactNode])[]
  readonly onChange: (value: string) => void
}

export const RadioGroup = ({ label, value, options, onChange }: RadioGroupProps) => (
  <AriaRadioGroup aria-label={label} className={styles.choices} value={value ?? null} onChange={onChange}>
    {options.map(([option, text]) => (
      <Radio key={option} value={option} className={styles.choice}>
        <span className={`${styles.box} ${styles.round}`} aria-hidden />
        <span className={styles.label}>{text}</span>
      </Radio>
    ))}
  </AriaRadioGroup>
)

interface SwitchProps {
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly children: ReactNode
}

export const Switch = ({ children, ...props }: SwitchProps) => (
  <AriaSwitch {...props} className={styles.switch}>
    <span className={styles.track} aria-hidden />
    {children}
  </AriaSwitch>
)
