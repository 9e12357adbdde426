import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useServiceInfo } from '../service/queries.ts'
import { useSession } from '../service/session.tsx'
import { isTokenAccepted } from '../service/token-check.ts'
import { useIsAfterFirstPicture } from './use-is-after-first-picture.ts'

const checkEveryMs = 5 * 60_000

/**
 * Where reads are redacted, the service treats a token that is no longer valid like none: names would turn into nothing
 * without a word. So the token is checked, and forgotten once it is refused.
 */
export const useTokenWatch = (): void => {
  const { token, signOut } = useSession()
  const { data: info } = useServiceInfo()
  const isAfterFirstPicture = useIsAfterFirstPicture()
  const { data: isAccepted } = useQuery({
    queryKey: ['token-check'],
    queryFn: ({ signal }) => isTokenAccepted(token ?? '', signal),
    enabled: token !== undefined && info?.reads === 'redacted' && isAfterFirstPicture,
    refetchInterval: checkEveryMs,
  })
  useEffect(() => {
    if (isAccepted === false) signOut('refused')
  }, [isAccepted, signOut])
}
