/** Runs the program with the process's arguments, environment and streams, and sets its exit code. */
import { exitCodes } from '../src/commands/command.ts'
import { runProgram } from '../src/commands/program.ts'

const { stdin, stdout, stderr } = process

const exitCode = await runProgram(process.argv.slice(2), process.env, { stdin, stdout, stderr })
// What was interrupted may still hold connections open; nobody waits for them.
if (exitCode === exitCodes.interrupted) process.exit(exitCode)
process.exitCode = exitCode
