import assert from 'node:assert/strict'
import { sendRequest } from './http.ts'
import type { Command } from './process.ts'
import { runCommand } from './process.ts'
import { waitUntil } from './wait.ts'

export interface ServeOptions {
  readonly args?: readonly string[]
  /** Options of Node.js. */
  readonly flags?: readonly string[]
}

export const serve = (env: Record<string, string>, { args = [], flags = [] }: ServeOptions = {}): Command =>
  runCommand('muster.ts', ['serve', ...args], { PORT: '0', ...env }, flags)

export const serviceOrigin = async (service: Command): Promise<string> => {
  const [, origin] = await service.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
  return origin as string
}

export const stopService = async (service: Command): Promise<void> => {
  service.signal('SIGTERM')
  assert.equal(await service.exitPromise, 0)
}

/** Repeats a request until it gets this status. Readiness changes with a delay, because it is checked periodically. */
export const waitForStatus = async (url: string, status: number): Promise<void> => {
  const currentStatus = () =>
    sendRequest(url).then(
      (response) => response.status,
      () => undefined,
    )
  await waitUntil(`${url} responds ${status}`, async () => (await currentStatus()) === status, 30_000)
}
