/** Runs programs to their end, and passes on to them the signals that end this process, so that they stop their services. */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const children = new Set<ChildProcess>()
let receivedSignal: NodeJS.Signals | undefined

/** After a signal, no further program starts. */
export const forwardSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      receivedSignal = signal
      // On Ctrl+C a terminal signals the programs itself.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      for (const child of children) child.kill(signal)
    })
}

const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** Returns the exit code. The program has the standard streams of this process, unless the options say otherwise. */
export const runProgram = async (
  [command = '', ...args]: readonly string[],
  options: SpawnOptions = {},
  onStart: (child: ChildProcess) => void = () => {},
): Promise<number> => {
  if (receivedSignal !== undefined) return exitCodeOf(receivedSignal)
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  children.add(child)
  onStart(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve(code ?? exitCodeOf(signal as NodeJS.Signals))
    })
  })
}
