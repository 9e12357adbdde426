import { useMatches, useNavigate, useSearch } from '@tanstack/react-router'
import { isDay, today } from '../format/dates.ts'
import { isDated } from '../frame/screens.ts'

/** Whether the reader can choose the day of the open screen. */
export const useIsDated = (): boolean => useMatches({ select: (matches) => isDated(matches.at(-1)?.fullPath) })

/**
 * The day of the open screen: the parameter `as_of`, or today in UTC. Screens of the present ignore the parameter, but
 * their links keep it for the next screen with a day.
 */
export const useAsOf = (): string => {
  const { as_of: asOf } = useSearch({ strict: false })
  return useIsDated() && typeof asOf === 'string' && isDay(asOf) ? asOf : today()
}

/** Returns a function that sets the parameter `as_of`, or removes it for today. */
export const useSetAsOf = (): ((day: string) => void) => {
  const navigate = useNavigate()
  return (day) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, as_of: day === today() ? undefined : day }) })
}
