import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** Returns a port that is free on the loopback interface at the moment. */
export const freePort = async (): Promise<number> => {
  const temporaryServer = createServer().listen(0, '127.0.0.1')
  await once(temporaryServer, 'listening')
  const { port } = temporaryServer.address() as AddressInfo
  temporaryServer.close()
  await once(temporaryServer, 'close')
  return port
}
