/** In charge of the sentences for a port that cannot be listened on. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { OperatorError } from '../errors.ts'

interface Place {
  readonly host: string
  readonly port: number
}

/** Returns the port if it is free, and any free port for 0. Otherwise throws an error for the operator. */
export const freePortAt = async ({ host, port }: Place): Promise<number> => {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return (probe.address() as AddressInfo).port
  } catch (error) {
    throw listenFault(error, { host, port }) ?? error
  } finally {
    if (probe.listening) {
      probe.close()
      await once(probe, 'close')
    }
  }
}

export const listenFault = (
  error: unknown,
  { host, port }: Place,
  settings = { host: 'HOST', port: 'PORT' },
): OperatorError | undefined => {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new OperatorError(`Port ${port} on ${host} is taken: stop what listens there, or set ${settings.port}.`)
    case 'EACCES':
      return new OperatorError(`Port ${port} on ${host} is not for this user: set ${settings.port} to 1024 or more.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(`This machine has no address ${host}: correct ${settings.host}.`)
    default:
      return undefined
  }
}
