/** In charge of the sentences for a port that cannot be listened on. */
import { OperatorError } from '../errors.ts'

export const listenFault = (
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
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
