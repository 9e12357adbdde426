/** The service is asked to end while clients hold connections open: every request that reached it is answered, and it is gone soon. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { token } from '../house.ts'
import { until } from '../wait.ts'

const clientCount = 20
const longestEndMs = 2_000

interface Told {
  answered: number
  /** Answers that no client should get from a service that ends in order. */
  failed: string[]
  slowestMs: number
}

/** One keep-alive client: asks until it is told to go elsewhere, by an answer or because nobody listens any more. */
const keepAsking = async (origin: string, number: number, told: Told): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; ; turn += 1) {
    const start = performance.now()
    const isWrite = turn % 4 === 0
    const asked = request(`${origin}/api/v1/leave${isWrite ? '' : `?q=${number}x${turn}`}`, {
      agent,
      method: isWrite ? 'POST' : 'GET',
      headers: isWrite ? { authorization: `Bearer ${token}`, 'content-type': 'application/json' } : {},
    })
    asked.end(isWrite ? '{"leave_type":"annual"}' : undefined)
    try {
      const [response] = await once(asked, 'response')
      response.resume()
      await once(response, 'end')
      told.slowestMs = Math.max(told.slowestMs, performance.now() - start)
      if (response.statusCode === 200 || response.statusCode === 201) told.answered += 1
      else told.failed.push(`${response.statusCode}`)
      if (response.headers.connection === 'close') break
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      // Refused before anything was sent: the client knows that nothing was done.
      if (code !== 'ECONNREFUSED') told.failed.push(code)
      break
    }
  }
  agent.destroy()
}

const ending = async (house: House, times: number, signal: NodeJS.Signals): Promise<Outcome> => {
  const { url } = await house.cluster()
  const told: Told = { answered: 0, failed: [], slowestMs: 0 }
  const ends: number[] = []
  const codes: (number | null)[] = []
  let fired = 0
  for (let time = 0; time < times; time += 1) {
    const service = await house.service({ databaseUrl: url })
    const before = told.answered
    const clients = Array.from({ length: clientCount }, (_, number) => keepAsking(service.origin, number, told))
    await until('every client had several answers', async () => told.answered - before > clientCount * 5)
    const start = performance.now()
    service.signal(signal)
    codes.push(await service.ended)
    ends.push(performance.now() - start)
    await Promise.all(clients)
    fired += 1
  }
  const slowestEndMs = Math.max(...ends)
  return {
    ...nothing,
    fired,
    acknowledged: told.answered,
    slowestMs: told.slowestMs,
    broken: unless(
      [
        told.failed.length === 0,
        'answers',
        `${told.failed.length} requests failed: ${[...new Set(told.failed)].join(', ')}`,
      ],
      [codes.every((code) => code === 0), 'stays up', `it ended with ${codes.join(', ')}`],
      [slowestEndMs <= longestEndMs, 'in time', `it took ${Math.round(slowestEndMs)} ms to end`],
    ),
    notes: [`${told.answered} requests answered, ended within ${Math.round(slowestEndMs)} ms`],
  }
}

export const askedToEnd: Fault = {
  name: 'asked-to-end',
  run: (house) => ending(house, house.size(10, 2), 'SIGTERM'),
  control: {
    about: 'ended without being asked',
    breaks: 'answers',
    run: (house) => ending(house, 1, 'SIGKILL'),
  },
}
