/** A trace collector for tests: an HTTP server that accepts OTLP in JSON and stores the spans. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
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
  /** The body of every request received. */
  readonly bodies: readonly string[]
  /** The headers of every request received. */
  readonly headers: readonly IncomingHttpHeaders[]
  /** The resource attributes of the last request. */
  readonly resource: Readonly<Record<string, string>>
  readonly spans: readonly ReceivedSpan[]
  /** Resolves when the spans received so far satisfy the condition. */
  waitForSpans(isComplete: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]>
  close(): void
}

type EncodedAttributes = readonly { key: string; value: { stringValue?: string; intValue?: string } }[]

interface EncodedSpan extends Omit<ReceivedSpan, 'attributes'> {
  readonly attributes: EncodedAttributes
}

/** Requests for other paths than this one are rejected. */
export const startCollector = async (path = '/v1/traces'): Promise<Collector> => {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const spans: ReceivedSpan[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isTraceRequest = request.url === path && request.headers['content-type'] === 'application/json'
      response.writeHead(isTraceRequest ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
      if (!isTraceRequest) return
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      headers.push(request.headers)
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scopeSpan of scopeSpans) spans.push(...(scopeSpan.spans as EncodedSpan[]).map(decodeSpan))
      for (const listener of listeners) listener()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    get resource() {
      return decodeAttributes(JSON.parse(bodies.at(-1) ?? '').resourceSpans[0].resource.attributes)
    },
    spans,
    waitForSpans: (isComplete) =>
      new Promise((resolve) => {
        const checkSpans = () => {
          if (!isComplete(spans)) return
          listeners.delete(checkSpans)
          resolve(spans)
        }
        listeners.add(checkSpans)
        checkSpans()
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const decodeSpan = ({ attributes, ...span }: EncodedSpan): ReceivedSpan => ({
  ...span,
  attributes: decodeAttributes(attributes),
})

const decodeAttributes = (attributes: EncodedAttributes): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))

/** Formats a trace as an indented tree of spans with their attributes. Values that vary between runs become "…". */
export const formatTrace = (spans: readonly ReceivedSpan[]): string => {
  const spanLines = (span: ReceivedSpan, depth: number): string[] => {
    const indent = '  '.repeat(depth)
    const attributes = Object.entries(span.attributes).map(
      ([key, value]) => `${indent}    ${key}: ${key === 'muster.request_id' ? '…' : value}`,
    )
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
    const kind = span.kind === 2 ? 'server' : 'client'
    return [
      `${indent}${span.name} (${kind}, … ms)`,
      ...attributes,
      ...children.flatMap((child) => spanLines(child, depth + 1)),
    ]
  }
  const rootSpans = spans.filter(({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId))
  return rootSpans.flatMap((root) => spanLines(root, 0)).join('\n')
}
