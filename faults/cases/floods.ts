/** Floods by one client: others are served, health checks pass, and memory stays within bounds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { token } from '../house.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'

const allFloods = ['pipelining', 'idle', 'slow-parameter', 'strict-names', 'searches', 'expanded', 'bodies'] as const
type Flood = (typeof allFloods)[number]

const maxMemoryRatio = 1.5
/** A flood of six seconds is compared with a normal load of two, which has not filled the heap yet. */
const maxShortMemoryRatio = 1.85
const maxProbeMs = 100
const minHonestRatio = 0.5
const honestConnections = 8
const probeEveryMs = 25

/** Measurements of the honest client, the health checks and the process over one period. */
interface Seen {
  readonly perSecond: number
  readonly failed: number
  readonly probeP99: number
  readonly probesFailed: number
  readonly peakMb: number
}

const ask = (port: number, path: string, options: { agent: Agent | false; localAddress: string }): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ port, host: '127.0.0.1', path, timeout: 10_000, ...options }, (response) => {
      response.on('error', () => resolve(false)).on('end', () => resolve(response.statusCode === 200))
      response.resume()
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
  })

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const observe = async (port: number, pid: number, seconds: number): Promise<Seen> => {
  const agent = new Agent({ keepAlive: true, maxSockets: honestConnections })
  const end = performance.now() + seconds * 1_000
  let answered = 0
  let failed = 0
  let probesFailed = 0
  let peakMb = 0
  const probeMs: number[] = []
  const honest = async (connection: number): Promise<void> => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const path = turn % 2 === 0 ? 'employees?limit=20' : `employees/${connection + 1}`
      if (await ask(port, `/api/v1/${path}`, { agent, localAddress: '127.0.0.1' })) answered += 1
      else failed += 1
    }
  }
  const probe = async (path: string): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now()
      if (!(await ask(port, path, { agent: false, localAddress: '127.0.0.3' }))) probesFailed += 1
      probeMs.push(performance.now() - started)
      peakMb = Math.max(peakMb, memoryMb(pid))
      await pause(probeEveryMs)
    }
  }
  const clients = Array.from({ length: honestConnections }, (_, connection) => honest(connection))
  await Promise.all([...clients, probe('/livez'), probe('/readyz')])
  agent.destroy()
  const sorted = probeMs.toSorted((a, b) => a - b)
  const probeP99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return { perSecond: answered / seconds, failed, probeP99, probesFailed, peakMb }
}

/**
 * The service runs on one core and the clients on the other, if there are two. The flooding client has a low priority, so
 * that it does not take CPU time from the honest client on the same core.
 */
const pin = async (pid: number, core: number): Promise<void> => {
  const child = spawn('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
  await once(child, 'exit')
}

const startFlood = async (house: House, name: Flood, port: number) => {
  const args = ['-n', '10', 'taskset', '-c', '1', process.execPath, 'faults/flood-client.ts', name, String(port), token]
  const child = spawn('nice', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const sending = once(child.stdout, 'data')
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  house.afterwards(stop)
  await Promise.race([sending, exited])
  return stop
}

const fill = (rows: number): string => `
  insert into departments (name) select 'Department ' || n from generate_series(1, 50) n;
  insert into candidates (status, first_name, notes)
    select 'active', md5(n::text), repeat(md5(n::text), 8) from generate_series(1, ${rows}) n;
  insert into employees (first_name, last_name, designation, status, alumni, dept_id, candidate_id)
    select md5(n::text), md5((n + 1)::text), repeat(md5(n::text), 4), 'active', 0,
           (select min(id) + n % 50 from departments), (select min(id) + n - 1 from candidates)
    from generate_series(1, ${rows}) n`

const flooded = async (house: House, floods: readonly Flood[], seconds: number, plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  await withClient(url, (client) => client.query(fill(house.size(25_000, 10_000))))
  const results: { name: Flood; memory: number; probe: number; honest: number; seen: Seen }[] = []
  for (const name of floods) {
    // A new service for each flood, so that none is affected by what the one before left behind.
    const service = await house.service({ databaseUrl: url, plant })
    const port = Number(new URL(service.origin).port)
    await pin(service.pid, 0)
    await observe(port, service.pid, 2)
    const normal = await observe(port, service.pid, Math.max(seconds / 3, 2))
    const stop = await startFlood(house, name, port)
    const seen = await observe(port, service.pid, seconds)
    await stop()
    const [memory, honest] = [seen.peakMb / normal.peakMb, seen.perSecond / normal.perSecond]
    results.push({ name, memory, probe: seen.probeP99, honest, seen })
    service.signal('SIGKILL')
    await service.ended
  }
  const table = results.map(
    ({ name, memory, probe, honest, seen }) =>
      `${name.padEnd(15)} memory × ${memory.toFixed(2)} (peak ${Math.round(seen.peakMb)} MB), probe p99 ${Math.round(probe)} ms, honest client ${Math.round(100 * honest)} % (${Math.round(seen.perSecond)}/s)`,
  )
  // Rates and times mean nothing on a machine that is busy with other work, as it may be in the short form.
  const isTimed = !house.isShort
  return {
    ...nothing,
    fired: results.length,
    slowestMs: Math.max(...results.map(({ probe }) => probe)),
    broken: results.flatMap(({ name, memory, probe, honest, seen }) =>
      unless(
        [
          memory <= (house.isShort ? maxShortMemoryRatio : maxMemoryRatio),
          'level',
          `${name}: memory × ${memory.toFixed(2)}`,
        ],
        [!isTimed || probe <= maxProbeMs, 'in time', `${name}: 99 % of health checks within ${Math.round(probe)} ms`],
        [seen.probesFailed === 0, 'in time', `${name}: ${seen.probesFailed} health checks failed`],
        [!isTimed || honest >= minHonestRatio, 'answers', `${name}: honest client at ${Math.round(100 * honest)} %`],
        [!isTimed || seen.failed === 0, 'answers', `${name}: ${seen.failed} honest requests failed`],
      ),
    ),
    notes: table,
  }
}

export const floods: Fault = {
  name: 'floods',
  run: (house) => flooded(house, house.isShort ? ['pipelining', 'expanded'] : allFloods, house.size(30, 6)),
  control: {
    about: 'every request admitted at once',
    breaks: 'level',
    run: (house) => flooded(house, ['pipelining'], house.size(15, 6), plants.noAdmission),
  },
}

export const idleFlood: Fault = {
  name: 'idle-connections',
  onlyLong: true,
  run: (house) => flooded(house, ['idle'], 15),
  control: {
    about: 'idle connections never give way',
    breaks: 'in time',
    run: (house) => flooded(house, ['idle'], 15, plants.noRoom),
  },
}
