/** Each command is declared as data, from which its arguments are parsed and its help text is generated. */
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../config/read-setting.ts'
import { OperatorError } from '../errors.ts'

export interface Terminal {
  readonly isTTY?: boolean
}

/** The standard streams of a command. Only bin/ accesses the streams of the process directly. */
export interface Io {
  readonly stdin: Readable & Terminal
  readonly stdout: Writable & Terminal
  readonly stderr: Writable & Terminal
}

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** Placeholder for the option's value in the help text, such as FILE. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Whether the option may be given several times. */
  readonly multiple?: true
  readonly about: string
}

export type Options = Readonly<Record<string, Option>>
export type Values<O extends Options> = { readonly [K in keyof O]?: ValueOf<O[K]> }
type ValueOf<T extends Option> = T['type'] extends 'boolean'
  ? boolean
  : T extends { readonly multiple: true }
    ? readonly string[]
    : string

export interface Argument {
  readonly name: string
  readonly optional?: true
  readonly about: string
}

export interface CommandCall<O extends Options = Options> {
  readonly values: Values<O>
  readonly positionals: readonly string[]
  readonly env: Environment
  readonly io: Io
}

/** `changes`: a dry run found something to change. */
export const exitCodes = { success: 0, failure: 1, usage: 2, changes: 3, interrupted: 130 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface Command<O extends Options = Options> {
  readonly name: string
  /** One line about the command, shown in the list of commands. */
  readonly summary: string
  /** Further paragraphs of the command's help text. */
  readonly details: readonly string[]
  readonly arguments: readonly Argument[]
  /** The usage lines of the help text, if they cannot be generated from the arguments. */
  readonly usage?: readonly string[]
  readonly options: O
  readonly examples: readonly (readonly [line: string, about: string])[]
  run(call: CommandCall<O>): Promise<ExitCode>
}

export const command = <const O extends Options>(declaration: Command<O>): Command => declaration as unknown as Command

/** An invalid command line: printed as one sentence, followed by the command that prints the help. */
export class UsageError extends OperatorError {}
