import { CornerDownRight } from 'lucide-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Icon } from '../../components/Icon.tsx'
import styles from './DataScreen.module.css'
import { parseRowNumber } from './scroll-position.ts'

interface GoToRowProps {
  readonly total: number
  readonly onGoTo: (row: number) => void
}

export const GoToRow = ({ total, onGoTo }: GoToRowProps) => {
  const [text, setText] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const row = parseRowNumber(text, total)
    if (row === undefined) return
    onGoTo(row)
    setText('')
  }
  return (
    <form className={styles.field} onSubmit={submit}>
      <Icon of={CornerDownRight} size={13} />
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Go to row"
        aria-label="Go to row"
        inputMode="numeric"
        enterKeyHint="go"
      />
    </form>
  )
}
