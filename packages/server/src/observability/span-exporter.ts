/** Sends spans to an OpenTelemetry collector in batches, as OTLP/HTTP with JSON. No request waits for the delivery. */
import type { TraceContext } from './trace-context.ts'

export const spanKinds = { server: 2, client: 3 } as const

export interface Span extends TraceContext {
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  /** Start and end of the span in milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
}

export interface ExporterOptions {
  /** The URL to which batches are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Resource attributes: they describe the process in every batch. */
  readonly resource: Readonly<Record<string, string>>
  /** Called at the first failure, and again only after a delivery has succeeded. */
  readonly onError: (message: string) => void
}

export interface Exporter {
  add(span: Span): void
  /** Sends the remaining spans, within `closeTimeoutMs`. */
  close(): Promise<void>
}

const maxBatchSpans = 512
/** If the collector is slow or unavailable, at most this many spans are queued. Further ones are dropped. */
const maxQueuedSpans = 4_096
const intervalMs = 1_000
const requestTimeoutMs = 5_000
const closeTimeoutMs = 1_000

export const openExporter = ({ url, headers, resource, onError }: ExporterOptions): Exporter => {
  const allHeaders = { ...headers, 'content-type': 'application/json' }
  let queue: Span[] = []
  let runningDelivery: Promise<void> | undefined
  let isFailing = false
  const closing = new AbortController()

  const deliver = async (spans: readonly Span[]): Promise<void> => {
    const reason = await postBatch(url, allHeaders, batchOf(resource, spans), closing.signal)
    if (reason !== undefined && !isFailing) onError(`Cannot export spans to ${new URL(url).origin}: ${reason}.`)
    isFailing = reason !== undefined
  }
  const sendQueued = (): void => {
    if (runningDelivery !== undefined || queue.length === 0) return
    const spans = queue.slice(0, maxBatchSpans)
    queue = queue.slice(maxBatchSpans)
    runningDelivery = deliver(spans).finally(() => {
      runningDelivery = undefined
      if (queue.length >= maxBatchSpans) sendQueued()
    })
  }
  const timer = setInterval(sendQueued, intervalMs).unref()
  return {
    add(span) {
      if (queue.length >= maxQueuedSpans) return
      queue.push(span)
      if (queue.length === maxBatchSpans) sendQueued()
    },
    async close() {
      clearInterval(timer)
      const timeout = setTimeout(() => closing.abort(), closeTimeoutMs)
      while ((queue.length > 0 || runningDelivery !== undefined) && !closing.signal.aborted) {
        sendQueued()
        await runningDelivery
      }
      clearTimeout(timeout)
    },
  }
}

/** Returns why the delivery failed, or undefined if it succeeded. */
const postBatch = async (
  url: string,
  headers: ExporterOptions['headers'],
  batch: object,
  closing: AbortSignal,
): Promise<string | undefined> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(batch),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(requestTimeoutMs), closing]),
    })
    await response.arrayBuffer()
    return response.ok ? undefined : `it responded with status ${response.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'the request timed out' : 'the request failed'
  }
}

const batchOf = (resource: ExporterOptions['resource'], spans: readonly Span[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: encodeAttributes(resource) },
      scopeSpans: [{ scope: { name: 'muster' }, spans: spans.map(encodeSpan) }],
    },
  ],
})

const encodeSpan = ({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, failed }: Span): object => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  startTimeUnixNano: toNanoseconds(start),
  endTimeUnixNano: toNanoseconds(end),
  attributes: encodeAttributes(attributes),
  status: failed ? { code: 2 } : {},
})

const encodeAttributes = (attributes: Span['attributes']): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))

/** A string, because nanoseconds since 1970 exceed the safe integers of JavaScript. */
const toNanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1_000))}000`
