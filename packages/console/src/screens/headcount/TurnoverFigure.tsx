import { Figure } from '../../components/Figure.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatShare } from '../../format/numbers.ts'
import type { LinkedValue } from './headcount-figures.ts'

interface TurnoverFigureProps {
  readonly name: string
  readonly of: LinkedValue
  readonly isWithheld: boolean
}

/** Turnover is not known before there are 13 month-ends. */
export const TurnoverFigure = ({ name, of, isWithheld }: TurnoverFigureProps) => {
  if (of.value !== null)
    return (
      <Figure name={name} value={of.value} link={of.link}>
        {formatShare(of.value)}
      </Figure>
    )
  return isWithheld ? <Withheld /> : <span className="muted">null</span>
}
