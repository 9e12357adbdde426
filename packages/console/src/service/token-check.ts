import { createClient, MusterError } from '@muster/client'
import { apiUrl } from './urls.ts'

/**
 * Whether the service accepts a token for reads. Where reads are redacted, a wrong token is treated like none, so the
 * request filters by a personal field: that is refused without a valid token.
 */
export const isTokenAccepted = async (token: string, signal?: AbortSignal): Promise<boolean> => {
  const client = createClient({ baseUrl: apiUrl.href, token, retry: { attempts: 1 }, timeoutMs: 15_000 })
  try {
    await client.employees.list({ email: 'token-check@example.invalid', fields: ['id'], limit: 1 }, { signal })
    return true
  } catch (error) {
    if (error instanceof MusterError && isRefusal(error)) return false
    throw error
  }
}

const isRefusal = ({ code, problems }: MusterError): boolean =>
  code === 'unauthorized' || problems.some(({ type }) => type === 'field_redacted')
