/** A reverse proxy that passes on only the beginning of each response. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FaultyProxyOptions {
  /** Port of the service on the loopback interface. */
  readonly targetPort: number
  /** The proxy passes on whole lines until it has received this many bytes from the service. */
  readonly passedBytes: number
  /** What the proxy does afterwards: end the response as if it were complete, or send nothing more. */
  readonly afterwards: 'end' | 'silence'
}

export interface FaultyProxy {
  readonly baseUrl: string
  close(): Promise<void>
}

export const openFaultyProxy = async ({
  targetPort,
  passedBytes,
  afterwards,
}: FaultyProxyOptions): Promise<FaultyProxy> => {
  const server = createServer(({ url, headers }, response) => {
    if (passedBytes === 0) return
    const upstream = request({ host: '127.0.0.1', port: targetPort, path: url, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, { ...received.headers, 'transfer-encoding': 'chunked' })
      let receivedBytes = 0
      received.on('data', (chunk: Buffer) => {
        if (receivedBytes >= passedBytes) return
        receivedBytes += chunk.length
        response.write(receivedBytes < passedBytes ? chunk : chunk.subarray(0, chunk.lastIndexOf('\n') + 1))
        if (receivedBytes < passedBytes) return
        if (afterwards === 'end') response.end()
        received.destroy()
      })
    })
    upstream.on('error', () => {})
    upstream.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
