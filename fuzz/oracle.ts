/** In charge of the judgement on every answer: all that must hold whatever was asked. */
import type { ErrorObject } from 'ajv'
import type { Case, Deviation } from './case.ts'
import type { Contract, Header, Operation, Response } from './contract.ts'
import { expectationChecks } from './expectation-checks.ts'
import type { Validators } from './response-validators.ts'
import type { RecordShape } from './shapes.ts'
import { memberChecks, shapeOf } from './shapes.ts'
import type { Answer } from './wire.ts'

export interface Oracle {
  judge(asked: Case, answer: Answer): Deviation[]
  /** Operation and status of every answer so far, such as `getLeave 404`. */
  readonly seen: ReadonlySet<string>
}

/** No answer may take longer. */
const patienceMs = 2_000

/** Header fields of the transport and of browser policy, which a description of the interface does not list. */
const unlistedHeaders =
  /^(content-type|content-length|date|connection|keep-alive|transfer-encoding|vary|allow|access-control-.*|x-content-type-options|content-security-policy|referrer-policy|x-robots-tag|cross-origin-.*)$/

export const openOracle = (contract: Contract, validators: Validators, token: string): Oracle => {
  const seen = new Set<string>()
  const requestIds = new Set<string>()
  // Every run of 23 characters of the token holds one of these whole.
  const secrets = token.match(/.{12}/g) ?? []
  const envelope = { $ref: '#/components/schemas/ErrorEnvelope' }

  const schemaCheck = (schema: Parameters<Validators['faultsOf']>[0], body: unknown): Deviation[] =>
    validators.faultsOf(schema, body).map((fault) => ({
      check: fault.keyword === 'additionalProperties' ? 'no undeclared key' : 'body schema',
      message: faultText(fault),
    }))

  const declaredChecks = (asked: Case, operation: Operation, answer: Answer, body: unknown): Deviation[] => {
    const response = operation.responses.get(answer.status) ?? {}
    const content = response.content?.['application/json']
    const shape = answer.status === 200 ? shapeOf(contract, operation, asked) : undefined
    const faults = content === undefined || shape?.isPartial ? [] : schemaCheck(content.schema, body)
    return [
      ...faults,
      ...(shape === undefined || faults.length > 0 ? [] : shapeChecks(shape, recordsIn(operation, body))),
      ...headerChecks(validators, response, answer),
      ...(operation.kind === 'list' && answer.status === 200 ? pageChecks(body, isSorted(asked)) : []),
    ]
  }

  /** A record without all its fields is judged member by member. */
  const shapeChecks = (shape: RecordShape, records: readonly Record<string, unknown>[]): Deviation[] => [
    ...memberChecks(shape, records),
    ...(shape.isPartial ? records.flatMap(Object.entries) : []).flatMap(([name, value]) =>
      schemaCheck(shape.schema.properties?.[name] ?? {}, value),
    ),
  ]

  const requestIdChecks = (answer: Answer): Deviation[] => {
    const id = answer.headers.get('x-request-id')
    if (id === undefined || id === '') return [{ check: 'request id', message: 'the answer has no X-Request-Id' }]
    if (requestIds.has(id)) return [{ check: 'request id', message: `X-Request-Id ${id} was given before` }]
    requestIds.add(id)
    return []
  }

  const statusChecks = ({ operation }: Case, { status, text }: Answer): Deviation[] => {
    if (status >= 500 && status !== 503)
      return [{ check: 'no server error', message: `answered ${status}: ${text.slice(0, 300)}` }]
    if (operation === undefined || contract.operation(operation).responses.has(status)) return []
    return [{ check: 'status declared', message: `${operation} does not declare ${status}: ${text.slice(0, 300)}` }]
  }

  return {
    seen,
    judge(asked, answer) {
      const operation = asked.operation === undefined ? undefined : contract.operation(asked.operation)
      if (operation !== undefined) seen.add(`${operation.id} ${answer.status}`)
      const parsed = parseBody(answer.text)
      const response = operation?.responses.get(answer.status)
      const hasBody = asked.request.method !== 'HEAD' && answer.status !== 204 && answer.status !== 304
      const isJson = asked.expect.contentType === undefined
      return [
        ...statusChecks(asked, answer),
        ...requestIdChecks(answer),
        ...(answer.ms > patienceMs ? [{ check: 'in time', message: `took ${Math.round(answer.ms)} ms` }] : []),
        ...secretChecks(secrets, answer, operation !== undefined),
        ...(hasBody ? contentTypeChecks(asked, answer) : []),
        ...(hasBody && isJson && parsed === undefined
          ? [{ check: 'body schema', message: `no JSON: ${answer.text.slice(0, 300)}` }]
          : []),
        ...(hasBody && isJson && operation !== undefined && response !== undefined && parsed !== undefined
          ? declaredChecks(asked, operation, answer, parsed.value)
          : []),
        ...(hasBody && operation === undefined && answer.status >= 400 && parsed !== undefined
          ? schemaCheck(envelope, parsed.value)
          : []),
        ...(parsed === undefined ? [] : envelopeChecks(answer, parsed.value)),
        ...expectationChecks(asked, answer, parsed?.value),
      ]
    },
  }
}

const recordsIn = ({ kind }: Operation, body: unknown): readonly Record<string, unknown>[] => {
  const found = kind === 'get' ? [body] : (body as { data?: unknown } | null)?.data
  return Array.isArray(found) ? found.filter((record) => typeof record === 'object' && record !== null) : []
}

/** An offset may have more digits than a number can hold: such digits are valid JSON, and Infinity to JavaScript. */
const parseBody = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text.replace(/"offset":\d{300,}/, '"offset":1e300')) }
  } catch {
    return undefined
  }
}

const faultText = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`

const contentTypeChecks = ({ expect }: Case, { headers }: Answer): Deviation[] => {
  const expected = expect.contentType ?? 'application/json'
  const actual = headers.get('content-type')
  return actual === expected ? [] : [{ check: 'content type', message: `Content-Type is ${actual}, not ${expected}` }]
}

const headerChecks = (validators: Validators, response: Response, answer: Answer): Deviation[] => {
  const declared = Object.entries(response.headers ?? {})
  const names = new Set(declared.map(([name]) => name.toLowerCase()))
  const strangers = [...answer.headers.keys()].filter((name) => !names.has(name) && !unlistedHeaders.test(name))
  return [
    ...strangers.map((name) => ({ check: 'headers declared', message: `the header ${name} is not declared` })),
    ...declared.flatMap(([name, header]) => headerCheck(validators, name, header, answer)),
  ]
}

const headerCheck = (validators: Validators, name: string, header: Header, { headers }: Answer): Deviation[] => {
  const text = headers.get(name.toLowerCase())
  if (text === undefined)
    return header.required ? [{ check: 'headers declared', message: `the header ${name} is missing` }] : []
  if (header.schema === undefined) return []
  const isNumber = header.schema.type === 'integer' || header.schema.type === 'number'
  return validators.faultsOf(header.schema, isNumber ? Number(text) : text).map((fault) => ({
    check: 'headers declared',
    message: `the header ${name} (${text}): ${faultText(fault)}`,
  }))
}

/** The descriptions speak of password_hash; in a record it is null. */
const secretChecks = (secrets: readonly string[], { text }: Answer, isDeclared: boolean): Deviation[] => {
  const found: Deviation[] = []
  if (secrets.some((secret) => text.includes(secret)))
    found.push({ check: 'no secret', message: 'the body holds a part of the write token' })
  if (isDeclared && /"password_hash":(?!null)/.test(text))
    found.push({ check: 'no secret', message: 'password_hash is not null' })
  return found
}

const envelopeChecks = ({ headers }: Answer, body: unknown): Deviation[] => {
  const error = (body as { error?: { code?: unknown; details?: { request_id?: unknown } } } | null)?.error
  if (error?.code === undefined) return []
  return error.details?.request_id === headers.get('x-request-id')
    ? []
    : [{ check: 'request id', message: 'the envelope does not repeat the X-Request-Id of its answer' }]
}

const isSorted = ({ request }: Case): boolean => new URLSearchParams(request.target.split('?')[1]).has('sort')

/** A page holds what its own figures say, in the order of the ids unless another is asked for. */
const pageChecks = (body: unknown, isInOtherOrder: boolean): Deviation[] => {
  const { data, meta } = body as {
    data: { id?: number }[]
    meta: { total: number; limit: number; offset: number }
  }
  if (!Array.isArray(data) || meta === undefined) return []
  const due = Math.max(0, Math.min(meta.limit, meta.total - meta.offset))
  const isOrdered =
    isInOtherOrder || data.every(({ id }, at) => at === 0 || id === undefined || Number(data[at - 1]?.id) < id)
  return [
    ...(data.length === due
      ? []
      : [{ check: 'page', message: `${data.length} records, and by total, limit and offset ${due}` }]),
    ...(isOrdered ? [] : [{ check: 'page', message: 'the ids do not ascend' }]),
  ]
}
