/** Paths of requests, as they stand in links of reports and in commands. */
import { queryString } from '@muster/client'

/** The path of a list request, as in `/api/v1/employees?status=active`. */
export const listPath = (resource: string, query: object = {}): string => `/api/v1/${resource}${queryString(query)}`

export const countPath = (resource: string, query: object): string => `/api/v1/counts/${resource}${queryString(query)}`

/** Without an id, the path of all career sites. */
export const careerVisibilityPath = (siteId?: number, query: object = {}): string =>
  `/api/v1/career-visibility${siteId === undefined ? '' : `/${siteId}`}${queryString(query)}`

export const reportPath = (name: string, query: object = {}): string => `/api/v1/reports/${name}${queryString(query)}`
