/** In charge of a service that runs: its database watched, its port open, and its orderly end. */
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { readMigrationFiles } from '../database/migrate.ts'
import { watchDatabase } from '../database/watch.ts'
import type { WriteAccess } from '../http/write-access.ts'
import { writeAccess } from '../http/write-access.ts'
import { listenFault } from './listen-fault.ts'

export interface Serving {
  readonly port: number
  readonly access: WriteAccess
  /** Resolves once the database has answered for the first time that it can serve. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export const startServing = async (
  config: Config,
  tokens: readonly string[],
  logger: FastifyBaseLogger,
): Promise<Serving> => {
  const database = openDatabase({ url: config.databaseUrl, poolSize: config.poolSize })
  const access = writeAccess(tokens)
  const app = buildApp({ database, access }, logger)
  const stop = new AbortController()
  const firstReady = Promise.withResolvers<void>()
  const watching = watchDatabase({
    database,
    url: config.databaseUrl,
    files: await readMigrationFiles(),
    onChange: ({ ready, sentence }) => {
      if (ready) firstReady.resolve()
      if (ready) logger.info(sentence)
      else logger.error(sentence)
    },
    signal: stop.signal,
  })
  const close = async (): Promise<void> => {
    stop.abort()
    database.setReady(false)
    await app.close()
    await watching
    await database.close()
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await close()
    throw listenFault(error, config) ?? error
  }
  return { port: (app.server.address() as AddressInfo).port, access, ready: firstReady.promise, close }
}
