/** In charge of what examples are: exchanges that took place with the demo company, by the operation they belong to. */
import type { Content, NamedExample, Schema } from './document.ts'
import { jsonMedia } from './document.ts'

export interface Exchange {
  /** The request line, such as `GET /v1/departments?limit=2`. */
  readonly request: string
  /** The body of the answer. */
  readonly value: unknown
}

export interface OperationExamples {
  /** The body that was sent. */
  readonly body?: unknown
  /** What was answered, by status. */
  readonly answers: Readonly<Record<string, Exchange>>
}

export interface Examples {
  readonly operations: Readonly<Record<string, OperationExamples>>
  /** Of the answers that many operations share: by the name of the answer, then by the name of the example. */
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
