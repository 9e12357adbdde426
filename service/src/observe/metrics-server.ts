/** In charge of the port that Prometheus asks: one address, and nothing of the service behind it. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
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
  const send = async (response: ServerResponse): Promise<void> => {
    const text = exposition(await take())
    response.writeHead(200, { 'content-type': expositionType }).end(text)
  }
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const isHere = /^\/metrics(\?|$)/.test(request.url ?? '')
    if (!isHere) response.writeHead(404).end()
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
    else void send(response)
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
