/** Headers of the W3C Trace Context: `traceparent` of a request, `traceresponse` of a response. */
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
}

export interface ParentContext extends TraceContext {
  /** Whether the caller has decided that the trace is recorded. */
  readonly sampled: boolean
}

/** Version 00 of `traceparent` has four parts. Later versions may append more. */
const traceparentPattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined if the header is missing or invalid: the trace then starts here. */
export const readTraceparent = (header: string | string[] | undefined): ParentContext | undefined => {
  const [, version, traceId, spanId, flags, rest] =
    (typeof header === 'string' && traceparentPattern.exec(header)) || []
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 }
}

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

export const traceresponse = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`
