/** In charge of measuring unit costs: what a request of each kind costs the service and the database in processor time. */
import { get } from 'node:http'
import { freshList, hotId, hotItem, hotList, search } from '../../bench/addresses.ts'
import type { ServerProcess } from '../../bench/child-server.ts'
import { Databases, employeeCount, sql } from '../../bench/data.ts'
import { api, fewConnections, manyConnections } from '../../bench/measurement.ts'
import { startService, using, writeToken } from '../../bench/service-process.ts'
import { leaveBody } from '../../bench/statements.ts'
import type { Load } from '../../bench/wrk.ts'
import { load } from '../../bench/wrk.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import type { RequestKind, UnitCost, UnitCosts } from './model.ts'
import { requestKinds } from './model.ts'
import { familyTime, processTime } from './processor-time.ts'

export interface Sizes {
  readonly rows: number
  readonly seconds: number
}

type Request = Pick<Load, 'path' | 'connections'> & Partial<Load>

const requestOf = async (kind: RequestKind, origin: string): Promise<Request> => {
  const connections = manyConnections
  switch (kind) {
    case 'unchanged': {
      const path = api + hotList('candidates')
      const tag = (await fetch(origin + path)).headers.get('etag')
      if (tag === null) throw new Error(`${path} was answered without an ETag`)
      return { path, connections, headers: { 'If-None-Match': tag } }
    }
    case 'hotList':
      return { path: api + hotList('candidates'), connections }
    case 'hotGet':
      return { path: api + hotItem('candidates', hotId), connections }
    case 'page':
      return { path: api + freshList('candidates'), connections }
    case 'search':
      // Digits that few telephone numbers hold, and that nobody has asked for before.
      return { path: api + search('candidates', '{10000..99999}'), connections: fewConnections }
    case 'create':
      return {
        path: `${api}/v1/leave`,
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
  more: Partial<Load> = {},
): Promise<UnitCost> => {
  const request = { ...(await requestOf(kind, service.origin)), ...more }
  await load(service.origin, { warmUp: 0, ...request, seconds: 2 })
  const clock = async () => [await processTime(service.pid), await familyTime(databasePid)] as const
  const [serviceBefore, databaseBefore] = await clock()
  const { rate, requests, p50, p99, failed } = await load(service.origin, { warmUp: 0, ...request, seconds })
  const [serviceAfter, databaseAfter] = await clock()
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed (${kind})`)
  const micros = (secondsUsed: number) => Number(((secondsUsed * 1e6) / requests).toFixed(1))
  return {
    service: micros(serviceAfter - serviceBefore),
    database: micros(databaseAfter - databaseBefore),
    rate: Math.round(rate),
    p50Ms: p50,
    p99Ms: p99,
  }
}

/** Bytes of a body, as it is and as browsers and most clients ask for it. */
const bytesOf = async (origin: string, path: string): Promise<{ plain: number; gzip: number }> => {
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
  // Asked for again, since only then the encoded form is kept.
  await size('gzip')
  return { plain: await size('identity'), gzip: await size('gzip') }
}

/** On a database server of its own, so that its processor time is that of these requests alone. */
export const measureUnitCosts = async (sizes: Sizes): Promise<UnitCosts> => {
  const server = await startEmbeddedPostgres({
    settings: ['shared_buffers=1GB', 'fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB'],
  })
  try {
    const url = await new Databases(server.url).people(sizes.rows)
    return await using(startService(url), async (service) => {
      const idle = await service.memory()
      const costs: [RequestKind, UnitCost][] = []
      for (const kind of requestKinds) {
        console.error(`measuring: ${kind}`)
        costs.push([kind, await measureKind(kind, sizes.seconds, service, server.pid)])
      }
      const alone = await measureKind('hotGet', sizes.seconds, service, server.pid, { connections: 1 })
      const [sessions] = await sql<{ count: number }>(
        url,
        `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return {
        rows: sizes.rows,
        seconds: sizes.seconds,
        costs: Object.fromEntries(costs) as Record<RequestKind, UnitCost>,
        listBytes: await bytesOf(service.origin, api + hotList('candidates')),
        getBytes: await bytesOf(service.origin, api + hotItem('candidates', hotId)),
        loneLook: alone.database,
        memoryMb: { idle: Math.round(idle), loaded: Math.round(await service.memory()) },
        connections: sessions?.count ?? 0,
      }
    })
  } finally {
    await server.stop()
  }
}
