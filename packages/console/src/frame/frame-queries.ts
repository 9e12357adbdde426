import { today } from '../format/dates.ts'
import { useList, useServiceInfo } from '../service/queries.ts'
import { useSession } from '../service/session.tsx'
import { useIsAfterFirstPicture } from './use-is-after-first-picture.ts'

/** Whether this reader has to enter a token before anything can be read. */
export const useIsTokenNeeded = (): boolean => {
  const { token } = useSession()
  const { data } = useServiceInfo()
  return data?.reads === 'token' && token === undefined
}

/** The newest day with attendance, not later than today: undefined while it is loading, null if there is none. */
export const useNewestDay = (): string | null | undefined => {
  const enabled = useMayAsk()
  const { data } = useList(
    'attendance',
    { sort: '-att_date', limit: 1, fields: ['att_date'], att_date_to: today() },
    { enabled, isOfFrame: true },
  )
  return data === undefined ? undefined : (data.data[0]?.att_date ?? null)
}

export const useCompanyName = (): string | undefined => {
  const enabled = useMayAsk()
  const { data } = useList('organizations', { limit: 1, fields: ['name'] }, { enabled, isOfFrame: true })
  return data?.data[0]?.name
}

/** Whether the frame may send requests of its own. */
export const useMayAsk = (): boolean => {
  const isAfterFirstPicture = useIsAfterFirstPicture()
  const isTokenNeeded = useIsTokenNeeded()
  return isAfterFirstPicture && !isTokenNeeded
}
