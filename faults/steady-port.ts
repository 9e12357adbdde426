/** In charge of ports for servers that go down and come back: none that an outgoing connection may be given meanwhile. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range that systems take ports of outgoing connections from. A client that keeps knocking at a port of that
 * range is sooner or later given that very port, is connected to itself, and the server cannot come back.
 */
const range = [20_000, 30_000] as const

export const steadyPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...range)
    const probe = createServer().listen(port, '127.0.0.1')
    try {
      await once(probe, 'listening')
    } catch {
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}
