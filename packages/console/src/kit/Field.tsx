import type { LucideIcon } from 'lucide-react'
import { Search, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { TextFieldProps as AriaTextFieldProps } from 'react-aria-components'
import {
  SearchField as AriaSearchField,
  TextField as AriaTextField,
  Button,
  FieldError,
  Input,
  Label,
} from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Icon } from './Icon.tsx'

interface TextFieldProps
  extends Pick<
    AriaTextFieldProps,
    'type' | 'name' | 'defaultValue' | 'value' | 'onChange' | 'autoFocus' | 'autoComplete'
  > {
  readonly label: string
  /** Above the field, or at its left. */
  readonly labelPlace?: 'above' | 'start'
  readonly placeholder?: string
  readonly max?: string
  /** What is wrong with the text. */
  readonly problem?: string | undefined
  /** A button at the end of the field. */
  readonly button?: ReactNode
}

/** A field for a text, with its label. */
export const TextField = (props: TextFieldProps) => {
  const { label, labelPlace = 'above', placeholder, max, problem, button, ...field } = props
  const input = <Input className={styles.input} placeholder={placeholder} max={max} spellCheck="false" />
  return (
    <AriaTextField
      {...field}
      className={labelPlace === 'start' ? styles.start : undefined}
      isInvalid={problem !== undefined}
    >
      <Label className={styles.label}>{label}</Label>
      <div className={styles.box}>
        {input}
        {button}
      </div>
      <FieldError className={styles.problem}>{problem}</FieldError>
    </AriaTextField>
  )
}

interface SearchFieldProps {
  /** The name for screen readers. */
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly maxLength?: number
  readonly className?: string | undefined
}

/** The search applies when the reader pauses. */
const pauseMs = 250

/** Searches a list. */
export const SearchField = ({ label, placeholder, value, onChange, maxLength = 200, className }: SearchFieldProps) => {
  const [text, setText] = useState(value)
  /** The last search of this field. The reader may have typed more by the time it arrives as `value`. */
  const applied = useRef(value)
  // The text in the URL changes by itself if the reader goes back or removes the filter.
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    setText(value)
  }, [value])
  const apply = useCallback(
    (term: string) => {
      if (term === applied.current) return
      applied.current = term
      onChange(term)
    },
    [onChange],
  )
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text, apply])
  return (
    <AriaSearchField
      className={classes(styles.search, className)}
      aria-label={label}
      value={text}
      onChange={setText}
      onSubmit={() => apply(text.trim())}
      maxLength={maxLength}
    >
      <Icon of={Search} size={13} />
      <Input className={styles.bare} placeholder={placeholder} />
      <Button className={styles.clear} aria-label="Clear">
        <Icon of={X} size={13} />
      </Button>
    </AriaSearchField>
  )
}

interface BareSearchProps {
  readonly label: string
  /** Shows the label above the field. */
  readonly isLabelShown?: boolean
  readonly placeholder?: string
  readonly value?: string
  readonly onChange?: (value: string) => void
  readonly className?: string | undefined
}

/** Searches the options of a list below it. The first thing in a popover has the focus. */
export const BareSearch = ({
  label,
  isLabelShown = false,
  placeholder = 'Search',
  className,
  ...props
}: BareSearchProps) => (
  <AriaSearchField {...props} {...(isLabelShown ? {} : { 'aria-label': label })} autoFocus className={className}>
    {isLabelShown ? <Label className={styles.label}>{label}</Label> : undefined}
    <div className={styles.box}>
      <Input className={styles.input} placeholder={placeholder} />
    </div>
  </AriaSearchField>
)

interface CommandFieldProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly inputMode?: 'numeric' | 'text'
  /** Called with Enter. The field is emptied if the text was accepted. */
  readonly onSubmit: (text: string) => boolean
  readonly className?: string | undefined
}

/** A field for a text that is applied with Enter. */
export const CommandField = ({ label, icon, inputMode = 'text', onSubmit, className }: CommandFieldProps) => {
  const [text, setText] = useState('')
  return (
    <form
      className={classes(styles.search, className)}
      onSubmit={(event) => {
        event.preventDefault()
        if (onSubmit(text)) setText('')
      }}
    >
      <Icon of={icon} size={13} />
      <input
        className={styles.bare}
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={label}
        aria-label={label}
        inputMode={inputMode}
        enterKeyHint="go"
      />
    </form>
  )
}
