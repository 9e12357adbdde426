/** In charge of the W3C trace context: which trace a request belongs to, as its caller says, and as the caller is told. */
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
}

export interface Parent extends TraceContext {
  /** The caller wants it recorded. */
  readonly sampled: boolean
}

/** Of a later version the first four parts are as in this one. */
const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined where there is none, or none that can be read: the trace then begins here. */
export const readTraceparent = (header: string | string[] | undefined): Parent | undefined => {
  const [, version, traceId, spanId, flags, rest] = (typeof header === 'string' && pattern.exec(header)) || []
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 }
}

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

export const traceresponse = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`
