/** In charge of the sentences for a port that cannot be listened on. */
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'

export const listenFault = (
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
): OperatorError | undefined => {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new OperatorError(`Port ${port} on ${host} is taken: stop what listens there, or set PORT.`)
    case 'EACCES':
      return new OperatorError(`Port ${port} on ${host} is not for this user: set PORT to 1024 or more.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(`This machine has no address ${host}: correct HOST.`)
    default:
      return undefined
  }
}
