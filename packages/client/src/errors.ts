import type { ErrorCode, ValidationError } from '@muster/model'

/** Describes one invalid parameter, header or property of the request. */
export type Problem = ValidationError

/**
 * The error codes of the service, and three codes of the client itself: `network_error` (no complete response),
 * `incomplete` (a stream ended before its last record) and `unexpected_response` (a response that is not from Muster,
 * such as the error page of a proxy).
 */
export type MusterErrorCode = ErrorCode | 'network_error' | 'incomplete' | 'unexpected_response'

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
}

interface ErrorDetails extends SentRequest {
  readonly status: number
  readonly code: MusterErrorCode
  readonly requestId?: string | null
  readonly problems?: readonly Problem[]
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

export class MusterError extends Error {
  override readonly name = 'MusterError'
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The message without the URL and the invalid values. */
  readonly reason: string
  /** HTTP status of the response, or 0 if there was no response. */
  readonly status: number
  readonly code: MusterErrorCode
  /** Id of the request in the log of the service: quote it when you report a problem. */
  readonly requestId: string | null
  /** One entry for each invalid parameter of the query or property of the body; empty for other errors. */
  readonly problems: readonly Problem[]
  /** How long the service asks the client to wait. Responses with status 429, and most with status 503, say so. */
  readonly retryAfterMs: number | undefined

  constructor(
    reason: string,
    { method, url, status, code, requestId = null, problems = [], retryAfterMs, cause }: ErrorDetails,
  ) {
    const lines = [
      reason,
      ...problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`),
      `${method} ${url}: ${status === 0 ? 'no response' : status}`,
    ]
    super(lines.join('\n  '), { cause })
    this.method = method
    this.url = url
    this.reason = reason
    this.status = status
    this.code = code
    this.requestId = requestId
    this.problems = problems
    this.retryAfterMs = retryAfterMs
  }
}

interface ErrorBody {
  readonly detail?: readonly Problem[]
  readonly error?: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: { readonly errors?: readonly Problem[] }
  }
}

/**
 * Converts a response whose status is not 2xx to an error. Its body is the error envelope, or a list of parameter
 * errors, which has no code.
 */
export const errorFromResponse = (request: SentRequest, { status, headers }: Response, text: string): MusterError => {
  const details = { ...request, status, requestId: headers.get('x-request-id'), retryAfterMs: retryAfterMs(headers) }
  const { error, detail } = parseErrorBody(text)
  if (error?.code !== undefined)
    return new MusterError(error.message + hintFor(request, status), {
      ...details,
      code: error.code,
      problems: error.details?.errors ?? [],
    })
  if (Array.isArray(detail))
    return new MusterError('The query is invalid.', { ...details, code: 'validation_error', problems: detail })
  return new MusterError(`The response is not one of Muster.${hintFor(request, status)}`, {
    ...details,
    code: 'unexpected_response',
    cause: text.slice(0, 1_000),
  })
}

const hintFor = ({ url }: SentRequest, status: number): string =>
  status === 404 && !/\/api\/v1\//.test(url) ? ' The base URL should end in /api.' : ''

const parseErrorBody = (text: string): ErrorBody => {
  try {
    return (JSON.parse(text) as ErrorBody | null) ?? {}
  } catch {
    return {}
  }
}

/** Parses the header `Retry-After`, which is a number of seconds or a date. */
const retryAfterMs = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
