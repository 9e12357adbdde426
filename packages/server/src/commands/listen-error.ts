import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { OperatorError } from '../errors.ts'

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Returns the given port if it is free, or some free port if the given one is 0. Otherwise throws an `OperatorError`.
 */
export const requireFreePort = async ({ host, port }: ListenAddress): Promise<number> => {
  const probeServer = createServer()
  try {
    probeServer.listen(port, host)
    await once(probeServer, 'listening')
    return (probeServer.address() as AddressInfo).port
  } catch (error) {
    throw explainListenError(error, { host, port }) ?? error
  } finally {
    if (probeServer.listening) {
      probeServer.close()
      await once(probeServer, 'close')
    }
  }
}

export const explainListenError = (
  error: unknown,
  { host, port }: ListenAddress,
  settings = { host: 'HOST', port: 'PORT' },
): OperatorError | undefined => {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} on ${host} is already in use: stop the other process, or set ${settings.port}.`,
      )
    case 'EACCES':
      return new OperatorError(
        `This user may not listen on port ${port} of ${host}: set ${settings.port} to 1024 or more.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(`This machine has no address ${host}: correct ${settings.host}.`)
    default:
      return undefined
  }
}
