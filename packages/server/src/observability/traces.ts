/** Spans of requests and of their statements, named by the semantic conventions of OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { version } from '@muster/model'
import { summaryOf } from '../postgres/sql/statement.ts'
import type { Observer } from './observer.ts'
import type { SamplerSettings } from './sampler.ts'
import { openSampler } from './sampler.ts'
import { openExporter, spanKinds } from './span-exporter.ts'
import type { TraceContext } from './trace-context.ts'
import { newSpanId, newTraceId, readTraceparent, traceresponse } from './trace-context.ts'

export interface TraceSettings {
  /** The URL to which batches of spans are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Resource attributes; they replace those that Muster sets itself. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerSettings
}

export interface Traces extends Observer {
  close(): Promise<void>
}

interface OpenSpan extends TraceContext {
  readonly parentSpanId: string | undefined
  readonly start: number
}

const nowMs = (): number => performance.timeOrigin + performance.now()
const noop = (): void => {}

export const openTraces = (settings: TraceSettings, onError: (message: string) => void): Traces => {
  const exporter = openExporter({
    ...settings,
    resource: {
      'service.name': 'muster',
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...settings.resource,
    },
    onError,
  })
  const isSampled = openSampler(settings.sampler)
  const currentSpan = new AsyncLocalStorage<OpenSpan | undefined>()
  const spanByRequest = new WeakMap<IncomingMessage, OpenSpan>()

  return {
    wrapListener: (listener) => (request, response) => {
      const parent = readTraceparent(request.headers.traceparent)
      const traceId = parent?.traceId ?? newTraceId()
      if (!isSampled(traceId, parent)) return currentSpan.run(undefined, listener, request, response)
      const span = { traceId, spanId: newSpanId(), parentSpanId: parent?.spanId, start: nowMs() }
      spanByRequest.set(request, span)
      response.setHeader('traceresponse', traceresponse(span))
      return currentSpan.run(span, listener, request, response)
    },
    onResponse({ id, method, route, status, rows, cache, error, token }, request) {
      const span = spanByRequest.get(request)
      if (span === undefined) return
      const failed = status >= 500
      exporter.add({
        ...span,
        name: route === '' ? method : `${method} ${route}`,
        kind: spanKinds.server,
        end: nowMs(),
        attributes: {
          'http.request.method': method,
          ...(route === '' ? {} : { 'http.route': route }),
          'http.response.status_code': status,
          'url.scheme': 'http',
          'network.protocol.version': request.httpVersion,
          ...(failed ? { 'error.type': error ?? String(status) } : {}),
          'muster.request_id': id,
          'muster.rows': rows,
          'muster.cache': cache,
          ...(token === undefined ? {} : { 'muster.token': token }),
        },
        failed,
      })
    },
    onPoolWait: noop,
    onStatement(pool, statement) {
      const parent = currentSpan.getStore()
      if (parent === undefined) return noop
      const start = nowMs()
      return (rows, error) => {
        const summary = summaryOf(statement)
        exporter.add({
          traceId: parent.traceId,
          spanId: newSpanId(),
          parentSpanId: parent.spanId,
          name: summary,
          kind: spanKinds.client,
          start,
          end: nowMs(),
          attributes: {
            'db.system.name': 'postgresql',
            'db.query.summary': summary,
            'muster.pool': pool,
            ...(rows === undefined ? { 'error.type': errorTypeOf(error) } : { 'db.response.returned_rows': rows }),
          },
          failed: rows === undefined,
        })
      }
    },
    close: exporter.close,
  }
}

/**
 * The SQLSTATE of a PostgreSQL error or the code of a system error. Never the error message, which may contain a value
 * from the request.
 */
const errorTypeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '_OTHER'
  const code = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  return String(code ?? ('code' in error ? error.code : error.name))
}
