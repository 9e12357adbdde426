/** The requests behind figures, as URLs and as commands that can be pasted into a terminal. */
import { apiUrl } from './urls.ts'

export { careerVisibilityPath, countPath, listPath, reportPath } from './paths.ts'

/** The full URL of an API path in this deployment, which may have a path prefix. */
export const requestUrl = (path: string): string => apiUrl.href + path.replace(/^\/api/, '')

/** The full URL of a page of a career site, from its path on this host. */
export const pageUrl = (path: string): string => apiUrl.href.replace(/\/api$/, '') + path

/** A curl command for an API path. It contains the name of a variable instead of the token. */
export const curlCommand = (path: string, withToken: boolean): string =>
  `curl -s ${withToken ? '-H "Authorization: Bearer $MUSTER_API_TOKEN" ' : ''}'${requestUrl(path).replaceAll("'", '%27')}'`
