import type { ReactNode } from 'react'
import { useId } from 'react'
import { NamedBy } from '../kit/named-by.ts'

interface LabelledFigureProps {
  readonly label: ReactNode
  /** The figure. */
  readonly children: ReactNode
}

/** A figure after its label, which says what it counts. */
export const LabelledFigure = ({ label, children }: LabelledFigureProps) => {
  const id = useId()
  return (
    <>
      <span id={id}>{label}</span>
      <NamedBy value={id}>{children}</NamedBy>
    </>
  )
}
