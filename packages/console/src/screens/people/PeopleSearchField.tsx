import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, Input, SearchField } from 'react-aria-components'
import { Icon } from '../../components/Icon.tsx'
import styles from './PeopleSearchField.module.css'

interface PeopleSearchFieldProps {
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
}

/** Typing changes the list after a short pause. */
const pauseMs = 250

export const PeopleSearchField = ({ value, placeholder, onChange }: PeopleSearchFieldProps) => {
  const [text, setText] = useState(value)
  // The text in the URL changes by itself if the reader goes back or removes the filter.
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <SearchField
      className={styles.field}
      aria-label="Search people"
      value={text}
      onChange={setText}
      onSubmit={() => onChange(text.trim())}
      maxLength={200}
    >
      <Icon of={Search} size={13} />
      <Input className={styles.input} placeholder={placeholder} />
      <Button className={styles.clear} aria-label="Clear">
        <Icon of={X} size={13} />
      </Button>
    </SearchField>
  )
}
