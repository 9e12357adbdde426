import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { killAtExit } from './kill-at-exit.ts'

export interface Command {
  /** Standard output and standard error so far. */
  readonly output: string
  /** Resolves when the output matches the pattern. Rejects if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code when the process has ended. */
  readonly exitPromise: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

/**
 * Runs a file of packages/server/bin with `env` as its environment, and PATH and the compile cache of the tests.
 * `flags` are options of Node.js.
 */
export const runCommand = (
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): Command => {
  const path = fileURLToPath(new URL(`../../packages/server/bin/${file}`, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  })
  killAtExit(child)
  let output = ''
  const listeners = new Set<() => void>()
  const appendOutput = (chunk: string) => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', appendOutput)
  child.stderr.setEncoding('utf8').on('data', appendOutput)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    get output() {
      return output
    },
    exitPromise: ended,
    signal: (name) => child.kill(name),
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const checkOutput = () => {
          const match = pattern.exec(output)
          if (match === null) return
          listeners.delete(checkOutput)
          resolve(match)
        }
        listeners.add(checkOutput)
        checkOutput()
        void ended.then(() => reject(new Error(`ended without printing ${pattern}: ${output}`)))
      }),
  }
}
