/** Examples are requests to a service with demo data and its responses. They are recorded and stored by operation. */
import type { Content, NamedExample, Schema } from './document.ts'
import { jsonMedia } from './document.ts'

export interface Exchange {
  /** The request line, such as `GET /v1/departments?limit=2`. */
  readonly request: string
  /** The response body. */
  readonly value: unknown
}

export interface OperationExamples {
  /** The request body. */
  readonly body?: unknown
  /** The responses to the operation, by status. */
  readonly answers: Readonly<Record<string, Exchange>>
}

export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>
  /** Examples of responses that several operations share, by response name and then by example name. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, Exchange>>>>
}

export const noExamples: Examples = { operations: {}, responses: {} }

export const jsonContent = (
  schema: Schema,
  exchanges: Readonly<Record<string, Exchange | undefined>> = {},
): Content => {
  const examples: Record<string, NamedExample> = {}
  for (const [name, exchange] of Object.entries(exchanges)) {
    if (exchange !== undefined) examples[name] = { summary: exchange.request, value: exchange.value }
  }
  return { [jsonMedia]: Object.keys(examples).length === 0 ? { schema } : { schema, examples } }
}
