/** The oracle decides whether a response is correct. These checks apply to every response. */
import type { ErrorObject } from 'ajv'
import type { Case, Deviation } from './case.ts'
import type { Contract, Header, Operation, Response } from './contract.ts'
import { expectationChecks } from './expectation-checks.ts'
import type { HttpResponse } from './http-client.ts'
import type { ExpectedProjection } from './projections.ts'
import { memberChecks, projectionOf } from './projections.ts'
import type { Validators } from './response-validators.ts'

export interface Oracle {
  check(testCase: Case, response: HttpResponse): Deviation[]
  /** Operation id and status of every response so far, such as "getLeave 404". */
  readonly seenResponses: ReadonlySet<string>
  /** By operation id. */
  readonly operationCounts: ReadonlyMap<string, OperationCounts>
}

export interface OperationCounts {
  /** Responses by status. */
  readonly statuses: Map<number, number>
  /** Responses with at least one deviation. */
  deviating: number
}

const maxResponseMs = 10_000

/** Transport and browser security headers, which the OpenAPI document does not declare. */
const unlistedHeaders =
  /^(content-type|content-length|date|connection|keep-alive|transfer-encoding|vary|allow|access-control-.*|x-content-type-options|content-security-policy|referrer-policy|x-robots-tag|cross-origin-.*)$/

export const openOracle = (contract: Contract, validators: Validators, token: string): Oracle => {
  const seenResponses = new Set<string>()
  const operationCounts = new Map<string, OperationCounts>()
  const requestIds = new Set<string>()
  // The token in pieces of 12 characters: any 23 consecutive characters of it contain a whole piece.
  const tokenPieces = token.match(/.{12}/g) ?? []
  const envelopeSchema = { $ref: '#/components/schemas/ErrorEnvelope' }

  const schemaDeviations = (schema: Parameters<Validators['errorsOf']>[0], body: unknown): Deviation[] =>
    validators.errorsOf(schema, body).map((error) => ({
      check: error.keyword === 'additionalProperties' ? 'no undeclared key' : 'body schema',
      message: schemaErrorText(error),
    }))

  const declaredChecks = (testCase: Case, operation: Operation, response: HttpResponse, body: unknown): Deviation[] => {
    const declaredResponse = operation.responses.get(response.status) ?? {}
    const content = declaredResponse.content?.['application/json']
    const projection = response.status === 200 ? projectionOf(contract, operation, testCase) : undefined
    const errors = content === undefined || projection?.isPartial ? [] : schemaDeviations(content.schema, body)
    return [
      ...errors,
      ...(projection === undefined || errors.length > 0
        ? []
        : projectionChecks(projection, recordsIn(operation, body))),
      ...headerChecks(validators, declaredResponse, response),
      ...(operation.kind === 'list' && response.status === 200 ? pageChecks(body, isSorted(testCase)) : []),
    ]
  }

  /** The schema requires all fields, so a record with only some of them is validated field by field. */
  const projectionChecks = (
    projection: ExpectedProjection,
    records: readonly Record<string, unknown>[],
  ): Deviation[] => [
    ...memberChecks(projection, records),
    ...(projection.isPartial ? records.flatMap(Object.entries) : []).flatMap(([name, value]) =>
      schemaDeviations(projection.schema.properties?.[name] ?? {}, value),
    ),
  ]

  const requestIdChecks = (response: HttpResponse): Deviation[] => {
    const id = response.headers.get('x-request-id')
    if (id === undefined || id === '') return [{ check: 'request id', message: 'the response has no X-Request-Id' }]
    if (requestIds.has(id)) return [{ check: 'request id', message: `X-Request-Id ${id} was used before` }]
    requestIds.add(id)
    return []
  }

  const statusChecks = ({ operation }: Case, { status, text }: HttpResponse): Deviation[] => {
    if (status >= 500 && status !== 503)
      return [{ check: 'no server error', message: `status ${status}: ${text.slice(0, 300)}` }]
    if (operation === undefined || contract.operation(operation).responses.has(status)) return []
    return [{ check: 'status declared', message: `${operation} does not declare ${status}: ${text.slice(0, 300)}` }]
  }

  const countResponse = ({ id }: Operation, status: number, deviations: readonly Deviation[]): void => {
    seenResponses.add(`${id} ${status}`)
    const counts = operationCounts.get(id) ?? { statuses: new Map<number, number>(), deviating: 0 }
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (deviations.length > 0) counts.deviating += 1
    operationCounts.set(id, counts)
  }

  return {
    seenResponses,
    operationCounts,
    check(testCase, response) {
      const operation = testCase.operation === undefined ? undefined : contract.operation(testCase.operation)
      const parsed = parseBody(response.text)
      const declaredResponse = operation?.responses.get(response.status)
      const hasBody = testCase.request.method !== 'HEAD' && response.status !== 204 && response.status !== 304
      const isJson = testCase.expect.contentType === undefined
      const deviations = [
        ...statusChecks(testCase, response),
        ...requestIdChecks(response),
        ...(response.ms > maxResponseMs ? [{ check: 'in time', message: `took ${Math.round(response.ms)} ms` }] : []),
        ...secretChecks(tokenPieces, response, operation !== undefined),
        ...(hasBody ? contentTypeChecks(testCase, response) : []),
        ...(hasBody && isJson && parsed === undefined
          ? [{ check: 'body schema', message: `invalid JSON: ${response.text.slice(0, 300)}` }]
          : []),
        ...(hasBody && isJson && operation !== undefined && declaredResponse !== undefined && parsed !== undefined
          ? declaredChecks(testCase, operation, response, parsed.value)
          : []),
        ...(hasBody && operation === undefined && response.status >= 400 && parsed !== undefined
          ? schemaDeviations(envelopeSchema, parsed.value)
          : []),
        ...(parsed === undefined ? [] : envelopeChecks(response, parsed.value)),
        ...expectationChecks(testCase, response, parsed?.value),
      ]
      if (operation !== undefined) countResponse(operation, response.status, deviations)
      return deviations
    },
  }
}

const recordsIn = ({ kind }: Operation, body: unknown): readonly Record<string, unknown>[] => {
  const data = kind === 'get' ? [body] : (body as { data?: unknown } | null)?.data
  return Array.isArray(data) ? data.filter((record) => typeof record === 'object' && record !== null) : []
}

/** Shortens an offset with so many digits that JSON.parse would return Infinity. */
const parseBody = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text.replace(/"offset":\d{300,}/, '"offset":1e300')) }
  } catch {
    return undefined
  }
}

const schemaErrorText = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`

const contentTypeChecks = ({ expect }: Case, { headers }: HttpResponse): Deviation[] => {
  const expected = expect.contentType ?? 'application/json'
  const actual = headers.get('content-type')
  return actual === expected ? [] : [{ check: 'content type', message: `Content-Type is ${actual}, not ${expected}` }]
}

const headerChecks = (validators: Validators, declaredResponse: Response, response: HttpResponse): Deviation[] => {
  const declaredHeaders = Object.entries(declaredResponse.headers ?? {})
  const declaredNames = new Set(declaredHeaders.map(([name]) => name.toLowerCase()))
  const undeclared = [...response.headers.keys()].filter(
    (name) => !declaredNames.has(name) && !unlistedHeaders.test(name),
  )
  return [
    ...undeclared.map((name) => ({ check: 'headers declared', message: `the header ${name} is not declared` })),
    ...declaredHeaders.flatMap(([name, header]) => headerCheck(validators, name, header, response)),
  ]
}

const headerCheck = (validators: Validators, name: string, header: Header, { headers }: HttpResponse): Deviation[] => {
  const text = headers.get(name.toLowerCase())
  if (text === undefined)
    return header.required ? [{ check: 'headers declared', message: `the header ${name} is missing` }] : []
  if (header.schema === undefined) return []
  const isNumber = header.schema.type === 'integer' || header.schema.type === 'number'
  return validators.errorsOf(header.schema, isNumber ? Number(text) : text).map((error) => ({
    check: 'headers declared',
    message: `the header ${name} (${text}): ${schemaErrorText(error)}`,
  }))
}

/**
 * password_hash must be null in records. This is not checked for undeclared paths, because one of them
 * returns the OpenAPI document, which contains that name.
 */
const secretChecks = (tokenPieces: readonly string[], { text }: HttpResponse, isDeclared: boolean): Deviation[] => {
  const deviations: Deviation[] = []
  if (tokenPieces.some((piece) => text.includes(piece)))
    deviations.push({ check: 'no secret', message: 'the body contains a part of the write token' })
  if (isDeclared && /"password_hash":(?!null)/.test(text))
    deviations.push({ check: 'no secret', message: 'password_hash is not null' })
  return deviations
}

const envelopeChecks = ({ headers }: HttpResponse, body: unknown): Deviation[] => {
  const error = (body as { error?: { code?: unknown; details?: { request_id?: unknown } } } | null)?.error
  if (error?.code === undefined) return []
  return error.details?.request_id === headers.get('x-request-id')
    ? []
    : [{ check: 'request id', message: 'request_id in the error envelope differs from the X-Request-Id header' }]
}

const isSorted = ({ request }: Case): boolean => new URLSearchParams(request.target.split('?')[1]).has('sort')

/** The number of records must fit `meta`, and the ids must ascend unless the request has `sort`. */
const pageChecks = (body: unknown, isInOtherOrder: boolean): Deviation[] => {
  const { data, meta } = body as {
    data: { id?: number }[]
    meta: { total: number; limit: number; offset: number }
  }
  if (!Array.isArray(data) || meta === undefined) return []
  const expectedCount = Math.max(0, Math.min(meta.limit, meta.total - meta.offset))
  const isOrdered =
    isInOtherOrder || data.every(({ id }, index) => index === 0 || id === undefined || Number(data[index - 1]?.id) < id)
  return [
    ...(data.length === expectedCount
      ? []
      : [{ check: 'page', message: `${data.length} records, but total, limit and offset imply ${expectedCount}` }]),
    ...(isOrdered ? [] : [{ check: 'page', message: 'the ids are not ascending' }]),
  ]
}
