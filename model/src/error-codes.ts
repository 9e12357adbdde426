/** In charge of the closed list of error codes: the status each is sent with and what it tells a person. */

export const errorCodes = {
  bad_request: { status: 400, message: 'The request is not a well-formed HTTP message.' },
  unauthorized: { status: 401, message: 'A valid bearer token is required.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not take this method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, message: 'The body is larger than one mebibyte.' },
  validation_error: { status: 422, message: 'The request body is not acceptable.' },
  idempotency_key_reused: { status: 422, message: 'This idempotency key stands for another request.' },
  rate_limited: { status: 429, message: 'Too many requests; try again when Retry-After has passed.' },
  headers_too_large: { status: 431, message: 'The header fields are too large.' },
  internal_error: { status: 500, message: 'The service failed to answer; the request id helps to find out why.' },
  writes_disabled: { status: 503, message: 'This deployment has no write token, so nothing can be created.' },
  overloaded: { status: 503, message: 'The service is busy; try again shortly.' },
  database_unavailable: { status: 503, message: 'The database cannot serve this now; try again shortly.' },
} as const

export type ErrorCode = keyof typeof errorCodes
