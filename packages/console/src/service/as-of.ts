import { useNavigate, useSearch } from '@tanstack/react-router'
import { isDay, today } from '../format/dates.ts'

/** The day for which figures are shown: the parameter `as_of`, which all screens share, or today in UTC. */
export const useAsOf = (): string => {
  const { as_of: asOf } = useSearch({ strict: false })
  return typeof asOf === 'string' && isDay(asOf) ? asOf : today()
}

/** Returns a function that sets the parameter `as_of`, or removes it for today. */
export const useSetAsOf = (): ((day: string) => void) => {
  const navigate = useNavigate()
  return (day) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, as_of: day === today() ? undefined : day }) })
}
