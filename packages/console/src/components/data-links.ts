import { parseSearch } from '../search-parameters.ts'

/**
 * Converts the path of a list in the API, such as `/api/v1/jobs?status=open`, to the place of the same list in the
 * explorer. The explorer has the parameters of the API.
 */
export const dataLocation = (path: string) => {
  const { pathname, search } = new URL(path, 'http://muster.invalid')
  const resource = pathname.slice(pathname.lastIndexOf('/') + 1)
  return { to: '/data/$resource', params: { resource }, search: parseSearch(search) } as const
}
