/** In charge of a running service for a test: the real app on a real socket over a real database. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/database.ts'
import { readMigrationFiles } from '../../src/database/migrate.ts'
import { watchDatabase } from '../../src/database/watch.ts'
import { writeAccess } from '../../src/http/write-access.ts'

export const token = 'a-token-for-tests-of-more-than-32-characters'

export interface RunningService {
  readonly app: FastifyInstance
  readonly database: Database
  readonly port: number
  /** Address of the interface, ending in /api. */
  readonly base: string
  stop(): Promise<void>
}

export const startService = async (
  databaseUrl: string,
  { tokens = [token] }: { tokens?: readonly string[] } = {},
): Promise<RunningService> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 4 })
  const app = buildApp({ database, access: writeAccess(tokens) }, pino({ level: 'silent' }))
  const stopped = new AbortController()
  const firstLook = Promise.withResolvers<void>()
  const watching = watchDatabase({
    database,
    url: databaseUrl,
    files: await readMigrationFiles(),
    onChange: () => firstLook.resolve(),
    signal: stopped.signal,
  })
  await firstLook.promise
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    database,
    port,
    base: `http://127.0.0.1:${port}/api`,
    async stop() {
      stopped.abort()
      await app.close()
      await watching
      await database.close()
    },
  }
}
