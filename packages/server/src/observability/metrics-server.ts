/** Serves metrics to Prometheus on a separate port. It serves only /metrics. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { prometheusContentType, prometheusText } from './prometheus-text.ts'
import type { Snapshot } from './registry.ts'

export interface MetricsServer {
  readonly port: number
  close(): void
}

export const serveMetrics = async (
  { host, port }: { readonly host: string; readonly port: number },
  takeSnapshot: () => Snapshot | Promise<Snapshot>,
): Promise<MetricsServer> => {
  const send = async (response: ServerResponse): Promise<void> => {
    const text = prometheusText(await takeSnapshot())
    response.writeHead(200, { 'content-type': prometheusContentType }).end(text)
  }
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const isMetricsUrl = /^\/metrics(\?|$)/.test(request.url ?? '')
    if (!isMetricsUrl) response.writeHead(404).end()
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
    else void send(response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  // This server alone does not keep the process running.
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
