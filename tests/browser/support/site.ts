import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Site {
  readonly origin: string
  readonly host: string
  /** How many connections browsers and other clients have opened. */
  readonly connectionCount: number
  stop(): Promise<void>
}

const emptyPage = '<!doctype html><title>A page</title>'

/** Starts a web server on an origin of its own. Paths that are not among `files` show an empty page. */
export const startSite = async (files: Readonly<Record<string, string>> = {}): Promise<Site> => {
  let connectionCount = 0
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(files[url] ?? emptyPage)
  })
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('connection', () => {
    connectionCount += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${host}`,
    host,
    get connectionCount() {
      return connectionCount
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
