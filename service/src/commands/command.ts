/** In charge of what a command is: a declaration from which its arguments are read and its help is written. */
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../config.ts'
import { OperatorError } from '../errors.ts'

export interface Terminal {
  readonly isTTY?: boolean
}

/** Where a command reads and writes; only bin/ knows the process's own. */
export interface Io {
  readonly stdin: Readable & Terminal
  readonly stdout: Writable & Terminal
  readonly stderr: Writable & Terminal
}

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** What stands for the value in the help, such as FILE. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>
export type Values<O extends Options> = { readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }

export interface Argument {
  readonly name: string
  readonly optional?: true
  readonly about: string
}

export interface Call<O extends Options = Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  readonly env: Environment
  readonly io: Io
}

export const exitCodes = { done: 0, refused: 1, usage: 2, interrupted: 130 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface Command<O extends Options = Options> {
  readonly name: string
  /** One line in the list of commands. */
  readonly summary: string
  /** What the summary leaves open, as paragraphs. */
  readonly details: readonly string[]
  readonly arguments: readonly Argument[]
  /** The usage lines, where the arguments alone do not say it. */
  readonly usage?: readonly string[]
  readonly options: O
  readonly examples: readonly (readonly [line: string, about: string])[]
  run(call: Call<O>): Promise<ExitCode>
}

export const command = <const O extends Options>(declaration: Command<O>): Command => declaration as unknown as Command

/** The command line itself is wrong: answered with one sentence and where the help is. */
export class UsageError extends OperatorError {}
