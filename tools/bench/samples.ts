/**
 * The requests that the benchmark guard and `npm run bench -- compare` send, and how they measure them: rate and CPU time per
 * request.
 */
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { readProcessCpuSeconds } from './cpu-time.ts'
import { employeeCount, frequentWord, singleWord } from './data.ts'
import { apiPath } from './measurement.ts'
import { writeToken } from './service-process.ts'
import { leaveBody, pageRows } from './statements.ts'
import {
  hotItemPath,
  hotListPath,
  hotRecordId,
  searchPath,
  uniqueItemPath,
  uniqueListPath,
  uniqueListPathBetween,
} from './urls.ts'
import type { LoadOptions } from './wrk.ts'
import { runWrk } from './wrk.ts'

export type SampledRequest = Pick<LoadOptions, 'path' | 'post' | 'headers'>

/** Returns the requests to measure. `rows` is the number of candidates in the database. */
export const serviceRequests = (rows: number) =>
  ({
    'hot list': { path: apiPath + hotListPath('candidates') },
    'hot list in br': { path: apiPath + hotListPath('candidates'), headers: { 'Accept-Encoding': 'br' } },
    'every page different': { path: apiPath + uniqueListPath('candidates') },
    'deep page': { path: apiPath + uniqueListPathBetween('candidates', 256, rows - pageRows) },
    'sorted list': { path: `${apiPath}${uniqueListPathBetween('candidates', 0, 200)}&sort=-created` },
    search: { path: apiPath + searchPath('candidates', singleWord) },
    'further pages of a search': {
      path: apiPath + searchPath('candidates', frequentWord, `{0..${rows / 20 - pageRows}}`),
    },
    // Searches for a part of an e-mail address that occurs once. Few search terms repeat, so nearly every search is
    // uncached.
    'first-time search': { path: apiPath + searchPath('candidates', `.{1..${rows}}@`) },
    'hot get': { path: apiPath + hotItemPath('candidates', hotRecordId) },
    'get of different ids': { path: apiPath + uniqueItemPath('candidates', rows) },
    create: { path: `${apiPath}/v1/leave`, post: { body: leaveBody(employeeCount), token: writeToken } },
  }) satisfies Record<string, SampledRequest>

export interface Sample {
  readonly rate: number
  /** CPU time of the server process per request, in microseconds. */
  readonly cpu: number
}

export class FailedRequestsError extends Error {}

export const measureSample = async (
  { origin, pid }: ServerProcess,
  request: SampledRequest,
  { seconds, connections }: Pick<LoadOptions, 'seconds' | 'connections'>,
): Promise<Sample> => {
  const cpuSecondsBefore = await readProcessCpuSeconds(pid)
  const { rate, requests, failed } = await runWrk(origin, { ...request, connections, seconds, warmUp: 0 })
  if (failed > 0) throw new FailedRequestsError(`${failed} of ${requests} requests for ${request.path} failed`)
  return { rate, cpu: ((await readProcessCpuSeconds(pid)) - cpuSecondsBefore) * (1_000_000 / requests) }
}
