/** In charge of the service as a process under test: starts it on a free port, waits for what it says and answers, and ends it. */
import assert from 'node:assert/strict'
import { ask } from './http.ts'
import type { Command } from './process.ts'
import { runCommand } from './process.ts'

export interface ServeOptions {
  readonly args?: readonly string[]
  /** Node's own. */
  readonly flags?: readonly string[]
}

export const serve = (env: Record<string, string>, { args = [], flags = [] }: ServeOptions = {}): Command =>
  runCommand('muster.ts', ['serve', ...args], { PORT: '0', ...env }, flags)

/** The address it serves at. */
export const listening = async (service: Command): Promise<string> => {
  const [, address] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
  return address as string
}

export const end = async (service: Command): Promise<void> => {
  service.signal('SIGTERM')
  assert.equal(await service.ended, 0)
}

/** Asks until the answer has the status: readiness is looked at by the service in its own time. */
export const until = async (url: string, status: number): Promise<void> => {
  const deadline = Date.now() + 10_000
  const answered = () =>
    ask(url).then(
      (answer) => answer.status,
      () => undefined,
    )
  while ((await answered()) !== status) assert.ok(Date.now() < deadline, `${url} never answered ${status}`)
}
