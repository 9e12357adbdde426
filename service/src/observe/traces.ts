/** In charge of traces: a span for every request and for every statement that it led to, named as OpenTelemetry's conventions name them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { version } from '@muster/model'
import { summaryOf } from '../database/statement.ts'
import type { Observer } from './observer.ts'
import { openExporter, spanKinds } from './span-exporter.ts'
import type { TraceContext } from './trace-context.ts'
import { newSpanId, newTraceId, readTraceparent, traceresponse } from './trace-context.ts'

export interface Traces extends Observer {
  close(): Promise<void>
}

interface OpenSpan extends TraceContext {
  readonly parentSpanId: string | undefined
  readonly start: number
}

const now = (): number => performance.timeOrigin + performance.now()
const unobserved = (): void => {}

export const openTraces = (endpoint: string, onFault: (sentence: string) => void): Traces => {
  const resource = { 'service.name': 'muster', 'service.version': version, 'service.instance.id': randomUUID() }
  const exporter = openExporter({ endpoint, resource, onFault })
  const current = new AsyncLocalStorage<OpenSpan | undefined>()
  const requests = new WeakMap<IncomingMessage, OpenSpan>()

  return {
    around: (listener) => (request, response) => {
      const parent = readTraceparent(request.headers.traceparent)
      if (parent?.sampled === false) return current.run(undefined, listener, request, response)
      const traceId = parent?.traceId ?? newTraceId()
      const span = { traceId, spanId: newSpanId(), parentSpanId: parent?.spanId, start: now() }
      requests.set(request, span)
      response.setHeader('traceresponse', traceresponse(span))
      return current.run(span, listener, request, response)
    },
    answered({ id, method, route, status, rows, cache, error }, request) {
      const span = requests.get(request)
      if (span === undefined) return
      const failed = status >= 500
      exporter.add({
        ...span,
        name: route === '' ? method : `${method} ${route}`,
        kind: spanKinds.server,
        end: now(),
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
        },
        failed,
      })
    },
    waited: unobserved,
    began(pool, statement) {
      const parent = current.getStore()
      if (parent === undefined) return unobserved
      const start = now()
      return (rows, error) => {
        const summary = summaryOf(statement)
        exporter.add({
          traceId: parent.traceId,
          spanId: newSpanId(),
          parentSpanId: parent.spanId,
          name: summary,
          kind: spanKinds.client,
          start,
          end: now(),
          attributes: {
            'db.system.name': 'postgresql',
            'db.query.summary': summary,
            'muster.pool': pool,
            ...(rows === undefined ? { 'error.type': typeOf(error) } : { 'db.response.returned_rows': rows }),
          },
          failed: rows === undefined,
        })
      }
    },
    close: exporter.close,
  }
}

/** The state that PostgreSQL or the system gave it. Never the message: that may hold a value. */
const typeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '_OTHER'
  const state = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  return String(state ?? ('code' in error ? error.code : error.name))
}
