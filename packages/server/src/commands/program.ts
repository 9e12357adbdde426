import { didYouMean, version } from '@muster/model'
import type { Environment } from '../config/read-setting.ts'
import { withUrlFiles } from '../config/secret-files.ts'
import { OperatorError } from '../errors.ts'
import { printable, printableLines } from '../printable.ts'
import { parseArguments } from './arguments.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { exitCodes, UsageError } from './command.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { commandHelp, programHelp } from './help.ts'
import { historyCommand } from './history.ts'
import { importCommand } from './import.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { rolesCommand } from './roles.ts'
import { seedCommand } from './seed.ts'
import { serve } from './serve.ts'
import { syncCommand } from './sync.ts'
import { tokenCommand } from './token.ts'
import { webhooksCommand } from './webhooks.ts'

export const commands: readonly Command[] = [
  serve,
  rolesCommand,
  migrateCommand,
  seedCommand,
  importCommand,
  syncCommand,
  historyCommand,
  exportCommand,
  eraseCommand,
  tokenCommand,
  mcpCommand,
  webhooksCommand,
  demo,
  doctor,
]

export const runProgram = async (args: readonly string[], env: Environment, io: Io): Promise<ExitCode> => {
  const [first, ...rest] = args
  // A program such as `head` may close the pipe early. The pending write reports that error, so it is ignored here.
  io.stdout.on('error', () => {})
  try {
    if (first === undefined) {
      io.stderr.write(`${programHelp(commands)}\n`)
      return exitCodes.usage
    }
    if (first === '--version') return print(io, version)
    if (first === '--help' || first === '-h') return print(io, programHelp(commands))
    if (first === 'help')
      return print(io, rest[0] === undefined ? programHelp(commands) : commandHelp(findCommand(rest[0])))
    const command = findCommand(first)
    const { help, ...call } = parseArguments(command, rest)
    return help ? print(io, commandHelp(command)) : await command.run({ ...call, env: withUrlFiles(env), io })
  } catch (error) {
    return printError(
      error,
      io,
      commands.find(({ name }) => name === first),
    )
  }
}

const print = (io: Io, text: string): ExitCode => {
  io.stdout.write(`${text}\n`)
  return exitCodes.success
}

const findCommand = (name: string): Command => {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const names = commands.map((candidate) => candidate.name)
  throw new UsageError(
    name.startsWith('-')
      ? `There is no option ${name}: name a command first (${names.join(', ')}).`
      : `There is no command "${name}"${didYouMean(name, names)}`,
  )
}

/** Prints one sentence for an error the operator can fix, and the stack trace of any other, which is a bug. */
const printError = (error: unknown, io: Io, command: Command | undefined): ExitCode => {
  if (error instanceof UsageError) {
    io.stderr.write(
      `${printable(error.message)}\nSee: muster ${command === undefined ? '' : `${command.name} `}--help\n`,
    )
    return exitCodes.usage
  }
  if (error instanceof OperatorError) {
    io.stderr.write(
      [error.message, ...error.details.map((detail) => `  ${detail}`)].map((line) => `${printable(line)}\n`).join(''),
    )
    return exitCodes.failure
  }
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return exitCodes.failure
  const message = systemMessage(error)
  io.stderr.write(
    `${printableLines(message ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)))}\n`,
  )
  return exitCodes.failure
}

/** Errors of the operating system and of the database server, such as a full disk, need no stack trace. */
const systemMessage = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ('syscall' in error && 'code' in error) return `${error.message}.`
  if ('severity' in error && 'code' in error) return `PostgreSQL error: ${error.message} (${error.code}).`
  return undefined
}
