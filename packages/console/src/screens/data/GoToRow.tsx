import { CornerDownRight } from 'lucide-react'
import { CommandField } from '../../kit/Field.tsx'
import styles from './DataScreen.module.css'
import { parseRowNumber } from './scroll-position.ts'

interface GoToRowProps {
  readonly total: number
  readonly onGoTo: (row: number) => void
}

export const GoToRow = ({ total, onGoTo }: GoToRowProps) => (
  <CommandField
    className={styles.row}
    label="Go to row"
    icon={CornerDownRight}
    inputMode="numeric"
    onSubmit={(text) => {
      const row = parseRowNumber(text, total)
      if (row !== undefined) onGoTo(row)
      return row !== undefined
    }}
  />
)
