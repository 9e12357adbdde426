import { Badge } from '../../components/Badge.tsx'
import { personState } from '../person/person-state.ts'

interface StateBadgeProps {
  readonly person: Parameters<typeof personState>[0]
  readonly outUntil: string | undefined
  readonly asOf: string
}

export const StateBadge = ({ person, outUntil, asOf }: StateBadgeProps) => {
  const state = personState(person, outUntil, asOf)
  return state === undefined ? undefined : <Badge kind={state.kind}>{state.text}</Badge>
}
