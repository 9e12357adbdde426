/** In charge of a service that runs: its database watched, its port open, and its orderly end. */
import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { WriteAccess } from '../http/write-access.ts'
import type { Log } from '../log.ts'
import { openServices } from '../services.ts'
import { listenFault } from './listen-fault.ts'

export interface Serving {
  readonly port: number
  readonly access: WriteAccess
  /** Resolves once the database has answered for the first time that it can serve. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export const startServing = async (config: Config, tokens: readonly string[], log: Log): Promise<Serving> => {
  const { logger } = log
  const services = openServices({ ...config, tokens })
  const app = buildApp(services, log)
  const firstReady = Promise.withResolvers<void>()
  services.watch(
    ({ ready, sentence }) => {
      if (ready) firstReady.resolve()
      if (ready) logger.info(sentence)
      else logger.error(sentence)
    },
    (err) => logger.error({ err }, 'the upkeep of the database failed'),
  )
  const close = async (): Promise<void> => {
    services.drain()
    await app.close()
    await services.close()
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await close()
    throw listenFault(error, config) ?? error
  }
  return { port: (app.server.address() as AddressInfo).port, access: services.access, ready: firstReady.promise, close }
}
