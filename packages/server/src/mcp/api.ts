/** Requests of the tools to the HTTP API. The transport that serves the agent decides how they are sent. */
import { createHash } from 'node:crypto'
import { idempotencyKey, replayedHeader, strictHandling } from '@muster/model'
import { cut } from './result.ts'
import { ToolError } from './tool-error.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query below the base URL of the API, such as `/v1/employees?limit=20`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ApiResponse {
  readonly status: number
  readonly text: string
  /** Undefined if the response does not have the header. Names are in lower case. */
  header(name: string): string | undefined
}

/** Aborted when the agent cancels the call or disconnects. */
export type Send = (request: ApiRequest, signal: AbortSignal) => Promise<ApiResponse>

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows the response of the operation that it calls
  get(path: string, query?: Query): Promise<any>
  create(
    path: string,
    record: object,
  ): Promise<{ readonly record: Readonly<Record<string, unknown>>; readonly replayed: boolean }>
}

/** Over HTTP, the headers of a request may have 16 kB. In the process of the service the same limit applies. */
const maxPathLength = 8_000

export const openApi = (send: Send, signal: AbortSignal): Api => ({
  async get(path, query = {}) {
    const response = await send({ method: 'GET', path: pathWithQuery(path, query), headers: strictHeaders }, signal)
    return bodyOf(response, 200)
  },
  async create(path, record) {
    // An agent may repeat a call with the same fields in another order.
    const body = JSON.stringify(record, Object.keys(record).toSorted())
    const key = createHash('sha256').update(`${path} ${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', [idempotencyKey.header]: key }
    const response = await send({ method: 'POST', path, headers, body }, signal)
    return { record: bodyOf(response, 201), replayed: response.header(replayedHeader.toLowerCase()) === 'true' }
  },
})

/** An unknown filter is an error: ignoring it would count records that the agent meant to exclude. */
const strictHeaders = { [strictHandling.header]: strictHandling.value }

export const pathWithQuery = (path: string, query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  if (text.length > maxPathLength) throw new ToolError('The arguments are too long: name fewer values or fields.')
  return text === '' ? path : `${path}?${text}`
}

const bodyOf = (response: ApiResponse, expectedStatus: number) => {
  const body = parseJson(response.text)
  if (response.status === expectedStatus && body !== undefined) return body
  throw errorOf(response, body)
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON
const parseJson = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const maxProblems = 10
const maxCodeLength = 100

interface Problem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

// biome-ignore lint/suspicious/noExplicitAny: either of the two error formats of the API, or anything from a proxy
const errorOf = (response: ApiResponse, body: any): ToolError => {
  const { code, message = 'The arguments are invalid.', details } = body?.error ?? {}
  const problems: unknown = body?.detail ?? details?.errors
  const isListed = Array.isArray(problems) && problems.every(isProblem)
  if (typeof message !== 'string' || !(isListed || (typeof code === 'string' && code.length <= maxCodeLength)))
    return new ToolError(
      `The response with status ${response.status} is not from Muster: the URL of the service is wrong, or a proxy does not reach it.`,
    )
  const retryAfter = Number(response.header('retry-after') ?? Number.NaN)
  return new ToolError(message, {
    error: code ?? 'invalid_arguments',
    ...(isListed ? { problems: problems.slice(0, maxProblems).map(problemText) } : {}),
    ...(Number.isNaN(retryAfter) ? {} : { retry_after_seconds: retryAfter }),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON
const isProblem = (value: any): value is Problem => Array.isArray(value?.loc) && typeof value?.msg === 'string'

const problemText = ({ loc: [, ...names], msg }: Problem): string => `${cut(names.join('.'), 100)}: ${cut(msg, 500)}`
