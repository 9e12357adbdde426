/** In charge of sending spans to a collector, as OTLP in JSON over HTTP: in batches, beside the requests, and never at their cost. */
import type { TraceContext } from './trace-context.ts'

export const spanKinds = { server: 2, client: 3 } as const

export interface Span extends TraceContext {
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  /** In milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
}

export interface ExporterOptions {
  /** Where the collector listens, without `/v1/traces`. */
  readonly endpoint: string
  /** What is said of the process with every batch. */
  readonly resource: Readonly<Record<string, string>>
  /** Told once when spans cannot be delivered, and not again until they could. */
  readonly onFault: (sentence: string) => void
}

export interface Exporter {
  add(span: Span): void
  /** Sends what is left, as far as that is quick. */
  close(): Promise<void>
}

const batchSpans = 512
/** Where the collector takes none, no more than these wait; later ones are lost, and the service goes on. */
const maxWaiting = 4_096
const pauseMs = 1_000
const deliveryMs = 5_000
const lastDeliveryMs = 1_000

export const openExporter = ({ endpoint, resource, onFault }: ExporterOptions): Exporter => {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  let waiting: Span[] = []
  let sending: Promise<void> | undefined
  let isFaulty = false
  const closing = new AbortController()

  const deliver = async (spans: readonly Span[]): Promise<void> => {
    const reason = await post(url, batchOf(resource, spans), closing.signal)
    if (reason !== undefined && !isFaulty) onFault(`Spans cannot be delivered to ${new URL(url).origin}: ${reason}.`)
    isFaulty = reason !== undefined
  }
  const send = (): void => {
    if (sending !== undefined || waiting.length === 0) return
    const spans = waiting.slice(0, batchSpans)
    waiting = waiting.slice(batchSpans)
    sending = deliver(spans).finally(() => {
      sending = undefined
      if (waiting.length >= batchSpans) send()
    })
  }
  const timer = setInterval(send, pauseMs).unref()
  return {
    add(span) {
      if (waiting.length >= maxWaiting) return
      waiting.push(span)
      if (waiting.length === batchSpans) send()
    },
    async close() {
      clearInterval(timer)
      const patience = setTimeout(() => closing.abort(), lastDeliveryMs)
      while ((waiting.length > 0 || sending !== undefined) && !closing.signal.aborted) {
        send()
        await sending
      }
      clearTimeout(patience)
    },
  }
}

/** The reason why it was not delivered. */
const post = async (url: string, batch: object, closing: AbortSignal): Promise<string | undefined> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(deliveryMs), closing]),
    })
    await response.arrayBuffer()
    return response.ok ? undefined : `it answers ${response.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'it takes too long' : 'it does not answer'
  }
}

const batchOf = (resource: ExporterOptions['resource'], spans: readonly Span[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues(resource) },
      scopeSpans: [{ scope: { name: 'muster' }, spans: spans.map(encoded) }],
    },
  ],
})

const encoded = ({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, failed }: Span): object => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: keyValues(attributes),
  status: failed ? { code: 2 } : {},
})

const keyValues = (attributes: Span['attributes']): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))

/** Written as text: so many nanoseconds are beyond what a number holds. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1_000))}000`
