import type { Report } from '@muster/model'
import type { Api, Query } from './api.ts'
import type { PageArguments } from './arguments.ts'
import { pageOf, sortRows } from './pages.ts'
import type { Result, Values } from './result.ts'

export interface ReportBody {
  readonly data: readonly Values[]
  readonly meta: Values
}

export const readReport = (api: Api, name: string, query: Query): Promise<ReportBody> =>
  api.get(`/v1/reports/${name}`, query)

export const reportResult = (
  { allColumns }: Report,
  { data, meta }: ReportBody,
  sort: string | undefined,
  page: PageArguments,
): Result => {
  const columns = allColumns.map(({ name }) => name)
  // The links take three times the space of the figures.
  const rows = data.map(({ links: _, ...row }) => row)
  return { about: meta, ...pageOf(sortRows(rows, sort, columns), page) }
}
