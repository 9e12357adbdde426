/** In charge of a running service for a test: the real app on a real socket over a real database. */
import type { AddressInfo } from 'node:net'
import type { ReadMode } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import type { Database } from '../../src/database/database.ts'
import type { ReplicaState } from '../../src/database/replicas.ts'
import type { LimitSettings } from '../../src/http/rate-limits.ts'
import { openLog } from '../../src/log.ts'
import { openServices } from '../../src/services.ts'
import { servedAs } from './database.ts'

export const token = 'a-token-for-tests-of-more-than-32-characters'

export interface RunningService {
  readonly app: FastifyInstance
  readonly database: Database
  readonly replicas: readonly ReplicaState[]
  readonly port: number
  /** Address of the interface, ending in /api. */
  readonly base: string
  stop(): Promise<void>
}

export interface ServiceSettings {
  readonly tokens?: readonly string[]
  readonly readTokens?: readonly string[]
  readonly reads?: ReadMode
  readonly poolSize?: number
  readonly cacheBytes?: number
  readonly replicaUrls?: readonly string[]
  readonly limits?: LimitSettings
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
}

export const startService = async (
  databaseUrl: string,
  {
    tokens = [token],
    readTokens = [],
    reads = 'public',
    poolSize = 4,
    cacheBytes = 8_000_000,
    replicaUrls = [],
    limits = {},
    trustedProxies = [],
    corsOrigins = [],
  }: ServiceSettings = {},
): Promise<RunningService> => {
  const services = openServices({
    ...servedAs(databaseUrl),
    replicaUrls,
    poolSize,
    cacheBytes,
    reads,
    tokens: { write: tokens, read: readTokens },
    limits,
    trustedProxies,
    corsOrigins,
  })
  const app = buildApp(services, openLog('silent'))
  await new Promise<void>((resolve, reject) => services.watch(() => resolve(), reject))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    database: services.database,
    replicas: services.replicas,
    port,
    base: `http://127.0.0.1:${port}/api`,
    async stop() {
      await app.close()
      await services.close()
    },
  }
}
