/** In charge of the port that Prometheus asks: one address, and nothing of the service behind it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exposition, expositionType } from './exposition.ts'
import type { Snapshot } from './registry.ts'

export interface MetricsServer {
  readonly port: number
  close(): void
}

export const serveMetrics = async (
  { host, port }: { readonly host: string; readonly port: number },
  take: () => Snapshot | Promise<Snapshot>,
): Promise<MetricsServer> => {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isHere = /^\/metrics(\?|$)/.test(request.url ?? '')
    if (!isHere || !isRead) {
      response.writeHead(isHere ? 405 : 404, isHere ? { allow: 'GET, HEAD' } : {}).end()
      return
    }
    response.writeHead(200, { 'content-type': expositionType }).end(exposition(await take()))
  })
  server.listen(port, host)
  await once(server, 'listening')
  // Alone it is no reason for the process to live on.
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
