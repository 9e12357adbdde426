import { Select } from '../../kit/Select.tsx'
import type { Period, PeriodKind } from './period.ts'
import { formatMonths, periodChoices } from './period.ts'

interface PeriodSelectProps {
  readonly period: Period
  readonly kind: PeriodKind
  readonly asOf: string
  readonly onChange: (from: string) => void
}

/** Chooses among periods that end today. A period of a link that is none of them is listed too. */
export const PeriodSelect = ({ period, kind, asOf, onChange }: PeriodSelectProps) => {
  const choices = periodChoices(asOf, kind)
  const isChoice = period.to === asOf.slice(0, 7) && choices.some(({ from }) => from === period.from)
  return (
    <Select
      label="Period"
      value={isChoice ? period.from : 'other'}
      text={formatMonths(period.from, period.to)}
      options={[
        ...choices.map(({ from, label }) => ({ id: from, label, remark: formatMonths(from, asOf.slice(0, 7)) })),
        ...(isChoice
          ? []
          : [{ id: 'other', label: 'Period of the link', remark: formatMonths(period.from, period.to) }]),
      ]}
      onChange={(id) => {
        if (id !== 'other') onChange(id)
      }}
      placement="bottom end"
    />
  )
}
