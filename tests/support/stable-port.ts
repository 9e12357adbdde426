import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports for servers that restart must lie below the ephemeral port range. Otherwise a client that keeps connecting
 * while the server is down can get the same port as its source port. It then connects to itself (TCP simultaneous
 * open), and the server cannot bind the port again.
 */
const portRange = [20_000, 30_000] as const

export const stablePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...portRange)
    const probeServer = createServer().listen(port, '127.0.0.1')
    try {
      await once(probeServer, 'listening')
    } catch {
      continue
    }
    probeServer.close()
    await once(probeServer, 'close')
    return port
  }
}
