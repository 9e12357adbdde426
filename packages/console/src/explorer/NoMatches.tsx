import type { ReactNode } from 'react'
import { formatInteger } from '../format/numbers.ts'
import { Button, ButtonRow } from '../kit/Button.tsx'
import { EmptyState } from '../kit/EmptyState.tsx'
import type { SearchParameters } from '../search-parameters.ts'

export interface Removal {
  readonly key: string
  readonly label: string
  /** How many records there would be without this filter. Undefined until they are counted. */
  readonly remaining: number | undefined
  readonly without: SearchParameters
}

interface NoMatchesProps {
  /** The beginning of the title: `Nobody matches`. */
  readonly what: string
  /** How many filters the title says that there are. Several may be removed by one button. */
  readonly count: number
  readonly unit?: (total: number) => string
  readonly removals: readonly Removal[]
  readonly onRemove: (without: SearchParameters) => void
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Says which filters leave nothing, and how many records there would be without each of them. */
export const NoMatches = ({ what, count, unit, removals, onRemove, onClear, children }: NoMatchesProps) => (
  <EmptyState title={`${what} ${count === 1 ? 'this filter' : `these ${formatInteger(count)} filters`}`}>
    <p>{children}</p>
    <ButtonRow>
      {removals.map(({ key, label, remaining, without }) => (
        <Button key={key} onPress={() => onRemove(without)}>
          Remove <bdi>{label.slice(0, 60)}</bdi>
          {remaining === undefined ? undefined : (
            <span className="number muted">
              {formatInteger(remaining)} {unit?.(remaining)}
            </span>
          )}
        </Button>
      ))}
      {removals.length > 1 ? (
        <Button kind="bare" onPress={onClear}>
          Clear all
        </Button>
      ) : undefined}
    </ButtonRow>
  </EmptyState>
)
