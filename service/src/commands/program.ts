/** In charge of the program as a whole: which commands there are, which one is meant, and what its end says to the shell. */
import { didYouMean, version } from '@muster/model'
import type { Environment } from '../config.ts'
import { withAddressFiles } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import type { Command, ExitCode, Io } from './command.ts'
import { exitCodes, UsageError } from './command.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { commandHelp, programHelp } from './help.ts'
import { importCommand } from './import.ts'
import { migrateCommand } from './migrate.ts'
import { rolesCommand } from './roles.ts'
import { seedCommand } from './seed.ts'
import { serve } from './serve.ts'

export const commands: readonly Command[] = [
  serve,
  rolesCommand,
  migrateCommand,
  seedCommand,
  importCommand,
  exportCommand,
  eraseCommand,
  demo,
  doctor,
]

export const runProgram = async (args: readonly string[], env: Environment, io: Io): Promise<ExitCode> => {
  const [first, ...rest] = args
  // A reader that has seen enough, such as head, closes the pipe; the write in hand reports it.
  io.stdout.on('error', () => {})
  try {
    if (first === undefined) {
      io.stderr.write(`${programHelp(commands)}\n`)
      return exitCodes.usage
    }
    if (first === '--version') return say(io, version)
    if (first === '--help' || first === '-h') return say(io, programHelp(commands))
    if (first === 'help')
      return say(io, rest[0] === undefined ? programHelp(commands) : commandHelp(commandCalled(rest[0])))
    const command = commandCalled(first)
    const { help, ...call } = readArguments(command, rest)
    return help ? say(io, commandHelp(command)) : await command.run({ ...call, env: withAddressFiles(env), io })
  } catch (error) {
    return explain(
      error,
      io,
      commands.find(({ name }) => name === first),
    )
  }
}

const say = (io: Io, text: string): ExitCode => {
  io.stdout.write(`${text}\n`)
  return exitCodes.done
}

const commandCalled = (name: string): Command => {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const names = commands.map((candidate) => candidate.name)
  throw new UsageError(
    name.startsWith('-')
      ? `There is no option ${name}: name a command first (${names.join(', ')}).`
      : `There is no command "${name}"${didYouMean(name, names)}`,
  )
}

/** One sentence for what the operator can mend; anything else is a fault of ours and shows where it happened. */
const explain = (error: unknown, io: Io, command: Command | undefined): ExitCode => {
  if (error instanceof UsageError) {
    io.stderr.write(`${error.message}\nSee: muster ${command === undefined ? '' : `${command.name} `}--help\n`)
    return exitCodes.usage
  }
  if (error instanceof OperatorError) {
    io.stderr.write(`${error.message}\n`)
    return exitCodes.refused
  }
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return exitCodes.refused
  const sentence = systemSentence(error)
  io.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : String(error))}\n`)
  return exitCodes.refused
}

/** What the operating system or the database server says of itself: a full disk, a folder nobody may write to. */
const systemSentence = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ('syscall' in error && 'code' in error) return `${error.message}.`
  if ('severity' in error && 'code' in error) return `PostgreSQL says: ${error.message} (${error.code}).`
  return undefined
}
