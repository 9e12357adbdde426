/** In charge of commands of ours that run as real processes: starts them, reads what they say, waits for words and ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Command {
  /** Everything said so far, standard output and error together. */
  readonly said: string
  /** Resolves with the text so far once it matches; rejects when the process ends without having said it. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

/** Runs a file of service/bin with only the given environment beside PATH; `flags` are Node's own. */
export const runCommand = (
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): Command => {
  const path = fileURLToPath(new URL(`../../bin/${file}`, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, ...args], { env: { PATH: process.env.PATH, ...env } })
  let said = ''
  const listeners = new Set<() => void>()
  const hear = (chunk: string) => {
    said += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    get said() {
      return said
    },
    ended,
    signal: (name) => child.kill(name),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(said)
          if (match === null) return
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`ended without saying ${pattern}: ${said}`)))
      }),
  }
}
