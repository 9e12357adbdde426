export const errorCodes = {
  bad_request: { status: 400, message: 'The request is not a well-formed HTTP message.' },
  unauthorized: { status: 401, message: 'A valid bearer token is required.' },
  forbidden: { status: 403, message: 'The token lacks a right that the request needs.' },
  not_found: { status: 404, message: 'Nothing exists at this URL.' },
  method_not_allowed: { status: 405, message: 'This URL does not support this method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  cursor_gone: {
    status: 410,
    message: 'The changes after this cursor are no longer available; copy the records again.',
  },
  payload_too_large: { status: 413, message: 'The request body is larger than 1 MiB.' },
  validation_error: { status: 422, message: 'The request body is invalid.' },
  idempotency_key_reused: { status: 422, message: 'This idempotency key was used for a different request.' },
  rate_limited: { status: 429, message: 'Too many requests; try again after Retry-After seconds.' },
  headers_too_large: { status: 431, message: 'The header fields are too large.' },
  internal_error: {
    status: 500,
    message: 'The service failed to process the request; quote the request id when you report it.',
  },
  writes_disabled: { status: 503, message: 'This deployment has no write token, so creates are disabled.' },
  overloaded: { status: 503, message: 'The service is busy; try again shortly.' },
  query_timeout: { status: 503, message: 'The query took too long; narrow it, or try again later.' },
  database_unavailable: { status: 503, message: 'The database is unavailable; try again shortly.' },
} as const

export type ErrorCode = keyof typeof errorCodes
