/** Runs the service inside the test process, with a real socket and a real database. */
import type { AddressInfo } from 'node:net'
import type { ReadMode } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { openDependencies } from '../../packages/server/src/dependencies.ts'
import type { NamedToken } from '../../packages/server/src/http/access/callers.ts'
import type { RateLimitSettings } from '../../packages/server/src/http/access/rate-limits.ts'
import type { RequestTimeLimits } from '../../packages/server/src/http/server.ts'
import { buildApp } from '../../packages/server/src/http/server.ts'
import { openLog } from '../../packages/server/src/observability/log.ts'
import type { Database } from '../../packages/server/src/postgres/connection/database.ts'
import type { ReplicaState } from '../../packages/server/src/postgres/replicas.ts'
import { roleUrls } from './database.ts'

export const token = 'a-token-for-tests-of-more-than-32-characters'

export interface RunningService {
  readonly app: FastifyInstance
  readonly database: Database
  readonly replicas: readonly ReplicaState[]
  readonly port: number
  /** URL of the API, ending in /api. */
  readonly baseUrl: string
  stop(): Promise<void>
}

export interface ServiceSettings {
  readonly tokens?: readonly string[]
  readonly readTokens?: readonly string[]
  readonly namedTokens?: readonly NamedToken[]
  readonly reads?: ReadMode
  readonly poolSize?: number
  readonly cacheBytes?: number
  readonly replicaUrls?: readonly string[]
  readonly limits?: RateLimitSettings
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
  readonly console?: boolean
  readonly consoleFolder?: URL
  readonly documentsFolder?: URL
  readonly careerSites?: boolean
  readonly publicUrl?: string
  readonly mcp?: { readonly writes: boolean }
  readonly timeLimits?: Partial<RequestTimeLimits>
}

export const startService = async (
  databaseUrl: string,
  {
    tokens = [token],
    readTokens = [],
    namedTokens = [],
    reads = 'public',
    poolSize = 4,
    cacheBytes = 8_000_000,
    replicaUrls = [],
    limits = {},
    trustedProxies = [],
    corsOrigins = [],
    timeLimits = {},
    ...pages
  }: ServiceSettings = {},
): Promise<RunningService> => {
  const dependencies = openDependencies({
    ...roleUrls(databaseUrl),
    replicaUrls,
    poolSize,
    cacheBytes,
    reads,
    tokens: { write: tokens, read: readTokens, named: namedTokens },
    limits,
    trustedProxies,
    corsOrigins,
    ...pages,
  })
  const app = buildApp(dependencies, openLog('silent'), undefined, timeLimits)
  await new Promise<void>((resolve, reject) => dependencies.watch(() => resolve(), reject))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    database: dependencies.database,
    replicas: dependencies.replicas,
    port,
    baseUrl: `http://127.0.0.1:${port}/api`,
    async stop() {
      // A test that failed may have left a response that nobody reads.
      const timer = setTimeout(() => app.server.closeAllConnections(), 10_000)
      await app.close()
      clearTimeout(timer)
      await dependencies.close()
    },
  }
}
