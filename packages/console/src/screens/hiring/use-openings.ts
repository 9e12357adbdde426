import type { Client, Department, JobOpening, JobSortKey, Page, ReportResult } from '@muster/client'
import { combineResults } from '../../components/Loadable.tsx'
import type { Result } from '../../service/queries.ts'
import { useList, useReport, useRequest } from '../../service/queries.ts'
import { useSession } from '../../service/session.tsx'
import type { OpeningRow } from './openings.ts'
import { byLongestWait } from './openings.ts'

export const openingsPerPage = 25

const fields = [
  'id',
  'code',
  'title',
  'dept_id',
  'headcount',
  'filled',
  'location',
  'opened_on',
  'target_date',
] as const
export type OpeningJob = Pick<JobOpening, (typeof fields)[number]> & {
  readonly department: Department | null
}
const selection = { fields, expand: ['department'] as const }

export interface OpeningsQuery {
  readonly asOf: string
  readonly deptId: number | undefined
  readonly location: string | undefined
  readonly isPastTarget: boolean
  /** A sort key of the API, or undefined for the longest wait first. */
  readonly sort: JobSortKey | undefined
  readonly offset: number
}

const sortFields = ['code', 'title', 'opened_on', 'target_date'] as const
const sortKeys: readonly JobSortKey[] = sortFields.flatMap((field) => [field, `-${field}` as const])

/** The order in the URL. Undefined, so the longest wait first, if there is none or the table has no such column. */
export const openingsSort = (sort: string | undefined): JobSortKey | undefined => sortKeys.find((key) => key === sort)

/** The filters of the list of job openings. */
export const openingsFilters = ({ asOf, deptId, location, isPastTarget }: OpeningsQuery) => ({
  status: 'open',
  dept_id: deptId,
  location,
  past_target: isPastTarget ? asOf : undefined,
})

export interface OpeningsPage {
  readonly openings: readonly { readonly job: OpeningJob; readonly wait: OpeningRow | undefined }[]
  readonly total: number
}

/**
 * One page of the openings. The API cannot sort job openings by the wait of their applications, so that order comes from
 * the report, and the list only contributes the fields of the page. With a filter that the report does not have, all
 * matching job openings are read, which are few.
 */
export const useOpenings = (query: OpeningsQuery) => {
  const { asOf, deptId, location, isPastTarget, sort, offset } = query
  const isByWait = sort === undefined
  const isInReport = deptId === undefined && location === undefined
  const waits = useReport('openings', { by: 'id', as_of: asOf })

  const ranked = byLongestWait(waits.data?.data ?? []).filter((row) => !isPastTarget || row.past_target !== 0)
  const pageIds = ranked.slice(offset, offset + openingsPerPage).map(({ group }) => Number(group))
  const ofReport = useList(
    'jobs',
    { ...selection, id: pageIds, limit: 200 },
    { enabled: isByWait && isInReport && pageIds.length > 0 },
  )
  const matching = useMatchingJobs(openingsFilters(query), isByWait && !isInReport)
  const sorted = useList(
    'jobs',
    { ...selection, ...openingsFilters(query), sort, limit: openingsPerPage, offset },
    { enabled: !isByWait },
  )

  const jobs: Result<Page<OpeningJob>> = isByWait ? (isInReport ? ofReport : matching) : sorted
  const page = combineResults(openingsPage({ query, waits: waits.data, jobs: jobs.data, ranked }), [waits, jobs])
  return { meta: waits.data?.meta, page }
}

interface PageParts {
  readonly query: OpeningsQuery
  readonly waits: ReportResult<OpeningRow> | undefined
  readonly jobs: Page<OpeningJob> | undefined
  readonly ranked: readonly OpeningRow[]
}

const openingsPage = ({ query, waits, jobs, ranked }: PageParts): OpeningsPage | undefined => {
  if (waits === undefined) return undefined
  const isInReport = query.deptId === undefined && query.location === undefined
  if (query.sort === undefined && isInReport && ranked.length === 0) return { openings: [], total: 0 }
  if (jobs === undefined) return undefined
  const waitOf = new Map(waits.data.map((row) => [Number(row.group), row]))
  if (query.sort !== undefined)
    return { openings: jobs.data.map((job) => ({ job, wait: waitOf.get(job.id) })), total: jobs.meta.total }
  const jobOf = new Map(jobs.data.map((job) => [job.id, job]))
  const inOrder = ranked.flatMap((wait) => {
    const job = jobOf.get(Number(wait.group))
    return job === undefined ? [] : [{ job, wait }]
  })
  return isInReport
    ? { openings: inOrder, total: ranked.length }
    : { openings: inOrder.slice(query.offset, query.offset + openingsPerPage), total: jobs.meta.total }
}

/** Reads all job openings that match the filters: one request for each 200. */
const useMatchingJobs = (filters: ReturnType<typeof openingsFilters>, enabled: boolean): Result<Page<OpeningJob>> => {
  const { client } = useSession()
  const request = {
    queryKey: ['jobs', 'all', filters],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readAllJobs(client, filters, signal),
  }
  return useRequest(request, { enabled })
}

const readAllJobs = async (
  client: Client,
  filters: ReturnType<typeof openingsFilters>,
  signal: AbortSignal,
): Promise<Page<OpeningJob>> => {
  const read = (offset: number) => client.jobs.list({ ...selection, ...filters, limit: 200, offset }, { signal })
  const first = await read(0)
  const data = [...first.data]
  while (data.length < first.meta.total) {
    const next = await read(data.length)
    if (next.data.length === 0) break
    data.push(...next.data)
  }
  return { data, meta: first.meta }
}
