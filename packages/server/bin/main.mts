/** Runs the program with the process's arguments, environment and streams, and sets its exit code. */
import { exitCodes } from '../src/commands/command.ts'
import { runProgram } from '../src/commands/program.ts'

const { stdin, stdout, stderr } = process

const exitCode = await runProgram(process.argv.slice(2), process.env, { stdin, stdout, stderr })
// An interrupted command may still have open connections, which would keep the process alive.
if (exitCode === exitCodes.interrupted) process.exit(exitCode)
process.exitCode = exitCode
