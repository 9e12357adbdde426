import type { Api } from './api.ts'
import type { Result } from './result.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schemas of the arguments by name. */
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly writes?: true
  run(args: Arguments, api: Api): Promise<Result>
}

// biome-ignore lint/suspicious/noExplicitAny: validated against the JSON Schema of the tool before `run` is called
type Arguments = any

/** Declares a tool. The type of its arguments must agree with their JSON Schemas. */
export const tool = <A>(declaration: Omit<Tool, 'run'> & { run(args: A, api: Api): Promise<Result> }): Tool =>
  declaration
