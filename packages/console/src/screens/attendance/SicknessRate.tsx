import { Figure } from '../../components/Figure.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatRate } from '../../format/numbers.ts'
import type { AttendanceRow } from './attendance.ts'
import { sicknessRateOf } from './attendance.ts'

interface SicknessRateProps {
  readonly name: string
  readonly of: Pick<AttendanceRow, 'recorded' | 'sick'>
  /** Path of the list of the approved sick leave. */
  readonly link: string | undefined
  readonly what?: string
}

/** The share of the records that are sick leave. Nothing if there are too few records. */
export const SicknessRate = ({ name, of, link, what }: SicknessRateProps) => {
  const rate = sicknessRateOf(of)
  if (rate === undefined) return undefined
  return rate === null ? (
    <Withheld />
  ) : (
    <Figure name={name} value={rate} link={link} what={what}>
      {formatRate(rate)}
    </Figure>
  )
}
