/** On SIGTERM with open keep-alive connections, the service handles every request it received and exits in time. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Environment } from '../environment.ts'
import { token } from '../environment.ts'

const clientCount = 20

interface ClientResults {
  servedCount: number
  /** Statuses and error codes that must not occur during a graceful shutdown. */
  failures: string[]
  slowestMs: number
}

/**
 * Sends requests on one keep-alive connection until a response says `Connection: close` or the connection is refused.
 */
const sendRequests = async (origin: string, clientIndex: number, results: ClientResults): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; ; turn += 1) {
    const startedAt = performance.now()
    const isWrite = (clientIndex + turn) % 4 === 0
    const clientRequest = request(`${origin}/api/v1/leave${isWrite ? '' : `?q=${clientIndex}x${turn}`}`, {
      agent,
      method: isWrite ? 'POST' : 'GET',
      headers: isWrite ? { authorization: `Bearer ${token}`, 'content-type': 'application/json' } : {},
    })
    clientRequest.end(isWrite ? '{"leave_type":"annual"}' : undefined)
    try {
      const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
      const text = Buffer.concat(await response.toArray()).toString()
      results.slowestMs = Math.max(results.slowestMs, performance.now() - startedAt)
      if (response.statusCode === 200 || response.statusCode === 201) results.servedCount += 1
      // On a busy machine a search may wait too long for a connection. This has nothing to do with the shutdown.
      else if (!text.startsWith('{"error":{"code":"overloaded"')) results.failures.push(`${response.statusCode}`)
      if (response.headers.connection === 'close') break
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      // A refused connection is no failure: nothing was sent, so the client can safely retry on another server.
      if (code !== 'ECONNREFUSED') results.failures.push(code)
      break
    }
  }
  agent.destroy()
}

const shutDownRepeatedly = async (
  environment: Environment,
  rounds: number,
  signal: NodeJS.Signals,
): Promise<Outcome> => {
  // A run with --short may share the machine with other programs, so it gets more time.
  const maxShutdownMs = environment.size(2_000, 5_000)
  const { url } = await environment.cluster()
  const results: ClientResults = { servedCount: 0, failures: [], slowestMs: 0 }
  const shutdownTimes: number[] = []
  const exitCodes: (number | null)[] = []
  let faultCount = 0
  for (let round = 0; round < rounds; round += 1) {
    const service = await environment.service({ databaseUrl: url })
    const servedBefore = results.servedCount
    const clients = Array.from({ length: clientCount }, (_, clientIndex) =>
      sendRequests(service.origin, clientIndex, results),
    )
    await waitUntil(
      'the clients have received several responses each',
      async () => results.servedCount - servedBefore > clientCount * 5,
    )
    const startedAt = performance.now()
    service.signal(signal)
    exitCodes.push(await service.ended)
    shutdownTimes.push(performance.now() - startedAt)
    await Promise.all(clients)
    faultCount += 1
  }
  const slowestShutdownMs = Math.max(...shutdownTimes)
  return {
    ...emptyOutcome,
    faultCount,
    acknowledgedCount: results.servedCount,
    slowestMs: results.slowestMs,
    violations: failedChecks(
      [
        results.failures.length === 0,
        'expected responses',
        `${results.failures.length} requests failed: ${[...new Set(results.failures)].join(', ')}`,
      ],
      [exitCodes.every((code) => code === 0), 'stays up', `exit codes ${exitCodes.join(', ')}`],
      [slowestShutdownMs <= maxShutdownMs, 'in time', `the service took ${Math.round(slowestShutdownMs)} ms to exit`],
    ),
    notes: [`${results.servedCount} requests served, exit within ${Math.round(slowestShutdownMs)} ms`],
  }
}

export const gracefulShutdown: ChaosCase = {
  name: 'graceful-shutdown',
  run: (environment) => shutDownRepeatedly(environment, environment.size(10, 2), 'SIGTERM'),
  control: {
    description: 'killed without SIGTERM',
    brokenGuarantee: 'expected responses',
    run: (environment) => shutDownRepeatedly(environment, 1, 'SIGKILL'),
  },
}
