import type { ReactNode } from 'react'
import { EmptyState } from '../kit/EmptyState.tsx'

interface NoSuchRecordProps {
  /** What the record would be, as in `person`. */
  readonly name: string
  /** The id as it stands in the URL, which may be any text. */
  readonly id: string
  /** A link to the list of all. */
  readonly children: ReactNode
}

/** Stands in place of a record that does not exist. */
export const NoSuchRecord = ({ name, id, children }: NoSuchRecordProps) => (
  <EmptyState title={`There is no such ${name}`}>
    <p>
      No {name} has the id {id}. The record may have been deleted. {children}
    </p>
  </EmptyState>
)
