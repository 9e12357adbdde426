import { useServiceInfo } from './queries.ts'
import { useSession } from './session.tsx'

/**
 * Whether the service withholds personal values from this reader: the deployment redacts reads, and there is no token.
 * Undefined until the service has said how it treats reads.
 */
export const useIsWithheld = (): boolean | undefined => {
  const { token } = useSession()
  const reads = useServiceInfo().data?.reads
  return reads === undefined ? undefined : reads === 'redacted' && token === undefined
}
