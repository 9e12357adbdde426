/** In charge of a service that runs: its database watched, its port open, and its orderly end. */
import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.ts'
import type { Config, TokenLists } from '../config.ts'
import type { Log } from '../log.ts'
import { holdsRealAddresses } from '../operations/real-addresses.ts'
import { openServices } from '../services.ts'
import { listenFault } from './listen-fault.ts'

export interface Serving {
  readonly port: number
  /** Takes other tokens into use, as after a change of the files that hold them. */
  replaceTokens(tokens: TokenLists): void
  /** Resolves once the database has answered for the first time that it can serve. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

const realPeopleWarning =
  'Everybody who reaches this port can read everything, and there are e-mail addresses of what may be real people: set MUSTER_READS to redacted or token.'

export const startServing = async (config: Config, tokens: TokenLists, log: Log): Promise<Serving> => {
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
  const warnOfRealPeople = async (): Promise<void> => {
    await firstReady.promise
    if (config.reads === 'public' && (await holdsRealAddresses(services.database))) log.logger.warn(realPeopleWarning)
  }
  warnOfRealPeople().catch((err) => log.logger.warn({ err }, 'e-mail addresses of real people were not looked for'))
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
  return {
    port: (app.server.address() as AddressInfo).port,
    replaceTokens: services.replaceTokens,
    ready: firstReady.promise,
    close,
  }
}
