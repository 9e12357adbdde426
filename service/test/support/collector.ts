/** In charge of a collector for traces: a real HTTP server that takes OTLP in JSON and keeps the spans. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string>>
  readonly status: { readonly code?: number }
}

export interface Collector {
  readonly endpoint: string
  /** Every body as it came. */
  readonly bodies: readonly string[]
  readonly spans: readonly ReceivedSpan[]
  /** Resolves once the spans are as wanted. */
  received(wanted: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]>
  close(): void
}

interface Encoded extends Omit<ReceivedSpan, 'attributes'> {
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[]
}

export const startCollector = async (): Promise<Collector> => {
  const bodies: string[] = []
  const spans: ReceivedSpan[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isOurs = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json'
      response.writeHead(isOurs ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
      if (!isOurs) return
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const each of scopeSpans) spans.push(...(each.spans as Encoded[]).map(decoded))
      for (const listener of listeners) listener()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans,
    received: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!wanted(spans)) return
          listeners.delete(look)
          resolve(spans)
        }
        listeners.add(look)
        look()
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const decoded = ({ attributes, ...span }: Encoded): ReceivedSpan => ({
  ...span,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ''])),
})

/** A trace as text: a line for each span under its parent, its attributes below; what differs from run to run as an ellipsis. */
export const traceText = (spans: readonly ReceivedSpan[]): string => {
  const linesOf = (span: ReceivedSpan, depth: number): string[] => {
    const margin = '  '.repeat(depth)
    const attributes = Object.entries(span.attributes).map(
      ([key, value]) => `${margin}    ${key}: ${key === 'muster.request_id' ? '…' : value}`,
    )
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
    const kind = span.kind === 2 ? 'server' : 'client'
    return [
      `${margin}${span.name} (${kind}, … ms)`,
      ...attributes,
      ...children.flatMap((each) => linesOf(each, depth + 1)),
    ]
  }
  const roots = spans.filter(({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId))
  return roots.flatMap((root) => linesOf(root, 0)).join('\n')
}
