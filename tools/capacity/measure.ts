/** Measures the CPU time that one request of each kind takes in the service and in the database. */
import { get } from 'node:http'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { readCpuSecondsWithChildren, readProcessCpuSeconds } from '../bench/cpu-time.ts'
import { Databases, employeeCount, runSql } from '../bench/data.ts'
import { apiPath, fewConnections, manyConnections } from '../bench/measurement.ts'
import { startService, withServer, writeToken } from '../bench/service-process.ts'
import { leaveBody } from '../bench/statements.ts'
import { hotItemPath, hotListPath, hotRecordId, searchPath, uniqueListPath } from '../bench/urls.ts'
import type { LoadOptions } from '../bench/wrk.ts'
import { runWrk } from '../bench/wrk.ts'
import type { RequestKind, UnitCost, UnitCosts } from './model.ts'
import { requestKinds } from './model.ts'

export interface MeasureOptions {
  readonly rows: number
  readonly seconds: number
}

type CapacityRequest = Pick<LoadOptions, 'path' | 'connections'> & Partial<LoadOptions>

const requestOf = async (kind: RequestKind, origin: string): Promise<CapacityRequest> => {
  const connections = manyConnections
  switch (kind) {
    case 'unchanged': {
      const path = apiPath + hotListPath('candidates')
      const etag = (await fetch(origin + path)).headers.get('etag')
      if (etag === null) throw new Error(`The response to ${path} has no ETag`)
      return { path, connections, headers: { 'If-None-Match': etag } }
    }
    case 'hotList':
      return { path: apiPath + hotListPath('candidates'), connections }
    case 'hotGet':
      return { path: apiPath + hotItemPath('candidates', hotRecordId), connections }
    case 'page':
      return { path: apiPath + uniqueListPath('candidates'), connections }
    case 'search':
      // Five given digits occur in few telephone numbers, and nearly every search is for digits that were not searched
      // for before.
      return { path: apiPath + searchPath('candidates', '{10000..99999}'), connections: fewConnections }
    case 'create':
      return {
        path: `${apiPath}/v1/leave`,
        connections,
        post: { body: leaveBody(employeeCount), token: writeToken },
      }
  }
}

const measureKind = async (
  kind: RequestKind,
  seconds: number,
  service: ServerProcess,
  databasePid: number,
  overrides: Partial<LoadOptions> = {},
): Promise<UnitCost> => {
  const request = { ...(await requestOf(kind, service.origin)), ...overrides }
  await runWrk(service.origin, { warmUp: 0, ...request, seconds: 2 })
  const cpuSeconds = async () =>
    [await readProcessCpuSeconds(service.pid), await readCpuSecondsWithChildren(databasePid)] as const
  const [serviceBefore, databaseBefore] = await cpuSeconds()
  const { rate, requests, p50, p99, failed } = await runWrk(service.origin, { warmUp: 0, ...request, seconds })
  const [serviceAfter, databaseAfter] = await cpuSeconds()
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed (${kind})`)
  const microsPerRequest = (secondsUsed: number) => Number(((secondsUsed * 1e6) / requests).toFixed(1))
  return {
    service: microsPerRequest(serviceAfter - serviceBefore),
    database: microsPerRequest(databaseAfter - databaseBefore),
    rate: Math.round(rate),
    p50Ms: p50,
    p99Ms: p99,
  }
}

/** Returns the size of a response body, uncompressed and with gzip. */
const measureBodySizes = async (origin: string, path: string): Promise<{ plain: number; gzip: number }> => {
  const size = async (encoding: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    get(origin + path, { agent: false, headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
    return promise
  }
  // The first request puts the compressed response into the cache.
  await size('gzip')
  return { plain: await size('identity'), gzip: await size('gzip') }
}

/** Measures the unit costs with its own database server, so that no other requests use the CPU time of that server. */
export const measureUnitCosts = async ({ rows, seconds }: MeasureOptions): Promise<UnitCosts> => {
  const server = await startEmbeddedPostgres({
    settings: ['shared_buffers=1GB', 'fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB'],
  })
  try {
    const url = await new Databases(server.url).candidates(rows)
    return await withServer(startService(url), async (service) => {
      const idle = await service.memory()
      const costs: [RequestKind, UnitCost][] = []
      for (const kind of requestKinds) {
        console.error(`measuring: ${kind}`)
        costs.push([kind, await measureKind(kind, seconds, service, server.pid)])
      }
      const unshared = await measureKind('hotGet', seconds, service, server.pid, { connections: 1 })
      const [sessions] = await runSql<{ count: number }>(
        url,
        `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return {
        rows,
        seconds,
        costs: Object.fromEntries(costs) as Record<RequestKind, UnitCost>,
        listBytes: await measureBodySizes(service.origin, apiPath + hotListPath('candidates')),
        getBytes: await measureBodySizes(service.origin, apiPath + hotItemPath('candidates', hotRecordId)),
        unsharedVersionQuery: unshared.database,
        memoryMb: { idle: Math.round(idle), loaded: Math.round(await service.memory()) },
        connections: sessions?.count ?? 0,
      }
    })
  } finally {
    await server.stop()
  }
}
