import type { SelectOption } from '../kit/Select.tsx'
import { Select } from '../kit/Select.tsx'

interface FilterSelectProps {
  /** What is chosen: `Department`. */
  readonly label: string
  /** The text of the choice that removes the filter: `All departments`. */
  readonly all: string
  readonly value: string | undefined
  /** Undefined until they are loaded. */
  readonly options: readonly SelectOption[] | undefined
  readonly onChange: (value: string | undefined) => void
}

const allId = ''
/** A filter by one value of a list. */
export const FilterSelect = ({ label, all, value, options, onChange }: FilterSelectProps) => {
  const known = options ?? []
  // The value in the URL may be unknown, or its label may not be loaded yet.
  const missing =
    value === undefined || known.some(({ id }) => id === value)
      ? []
      : [{ id: value, label: options === undefined ? label : value }]
  return (
    <Select
      label={label}
      value={value ?? allId}
      options={[{ id: allId, label: all }, ...known, ...missing]}
      onChange={(id) => onChange(id === allId ? undefined : id)}
      isSet={value !== undefined}
    />
  )
}
