/** Slow clients: sockets that say nothing, or speak or listen a byte at a time, are cut off, and nobody else notices them. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '../client.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { token } from '../house.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { until } from '../wait.ts'

/** What a socket sends at once, and whether it goes on byte by byte. */
interface Slowness {
  readonly name: string
  readonly opening: string
  readonly drips: boolean
  readonly longestMs: number
}

const hangsBack: readonly Slowness[] = [
  { name: 'silent', opening: '', drips: false, longestMs: 7_000 },
  {
    name: 'slow header',
    opening: 'GET /api/v1/leave HTTP/1.1\r\nHost: here\r\nX-Slow: ',
    drips: true,
    longestMs: 7_000,
  },
  {
    name: 'slow body',
    opening: `POST /api/v1/leave HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    drips: true,
    longestMs: 12_000,
  },
]

/** Asks for more than the sockets on the way can hold, and reads none of it: that it was cut it learns when it sends. */
const neverReads: Slowness = {
  name: 'slow reader',
  opening: 'GET /api/openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(60),
  drips: false,
  // Two of the spans in which a reader has to take its share: the buffers on the way take theirs in the first.
  longestMs: 45_000,
}

interface Slow {
  readonly kind: Slowness
  readonly socket: Socket
  readonly localPort: number
  readonly started: number
  /** How long it was let be; undefined while it is. */
  cutAfterMs?: number
}

const open = async (port: number, kind: Slowness): Promise<Slow> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const drip = kind.drips ? setInterval(() => socket.write('x'), 1_000) : undefined
  socket.on('error', () => {})
  socket.on('close', () => clearInterval(drip))
  if (kind !== neverReads) socket.resume()
  socket.write(kind.opening)
  return { kind, socket, localPort: socket.localPort as number, started: performance.now() }
}

/** Notes which are cut, by the service's side of them: a socket that does not read never hears that its peer is gone. */
const look = async (port: number, slow: readonly Slow[]): Promise<void> => {
  const connected = new Set<number>()
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)) {
    const [, local, remote, state] = line.trim().split(/\s+/)
    if (state === '01' && portIn(local) === port) connected.add(portIn(remote))
  }
  for (const each of slow)
    if (each.cutAfterMs === undefined && !connected.has(each.localPort))
      each.cutAfterMs = performance.now() - each.started
}

const portIn = (address: string | undefined): number => Number.parseInt(address?.split(':')[1] ?? '', 16)

/** The service opens connections to its database as it comes to need them, and keeps them. */
const fillPools = async (origin: string): Promise<void> => {
  const client = openClient(origin)
  for (const query of ['offset', 'q'])
    await Promise.all(Array.from({ length: 60 }, (_, number) => client.ask(`/api/v1/leave?${query}=${number}`)))
  client.close()
}

const openFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

const amongSlowClients = async (house: House, kinds: readonly Slowness[], plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  const service = await house.service({ databaseUrl: url, plant })
  const client = openClient(service.origin, 4)
  const times: number[] = []
  const failed: string[] = []
  let asking = true
  const normal = Array.from({ length: 4 }, async () => {
    while (asking) {
      const answer = await client.ask('/api/v1/leave?limit=10').catch(() => undefined)
      if (answer?.status === 200) times.push(answer.ms)
      else failed.push(String(answer?.status ?? 'nothing'))
      await pause(10)
    }
  })
  await fillPools(service.origin)
  await until('the service is warm', async () => times.length > 200)
  const filesBefore = await openFiles(service.pid)
  times.length = 0
  const port = Number(new URL(service.origin).port)
  const each = Math.floor(house.size(500, 60) / kinds.length)
  const slow = await Promise.all(kinds.flatMap((kind) => Array.from({ length: each }, () => open(port, kind))))
  const patienceMs = Math.max(...kinds.map(({ longestMs }) => longestMs))
  const given = performance.now() + patienceMs
  await until(
    'all are cut',
    async () => {
      await look(port, slow)
      return slow.every(isCut) || performance.now() > given
    },
    patienceMs + 10_000,
  )
  const late = slow.filter(({ kind, cutAfterMs = Number.POSITIVE_INFINITY }) => cutAfterMs > kind.longestMs)
  const cut = summary(slow.filter(isCut))
  const notInTime = summary(late)
  for (const { socket } of slow) socket.destroy()
  await Promise.all(slow.map(({ socket }) => socket.closed || once(socket, 'close')))
  const filesAfter = await until(
    'the service has closed its side',
    async () => (await openFiles(service.pid)) <= filesBefore,
    5_000,
  ).then(
    () => filesBefore,
    () => openFiles(service.pid),
  )
  asking = false
  await Promise.all(normal)
  client.close()
  const sorted = times.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return {
    ...nothing,
    fired: slow.length,
    slowestMs: sorted.at(-1) ?? 0,
    broken: unless(
      [late.length === 0, 'in time', `not cut in time: ${notInTime}`],
      [p99 < 200, 'in time', `the 99th percentile of normal reads was ${Math.round(p99)} ms`],
      [filesAfter <= filesBefore, 'level', `${filesBefore} descriptors before, ${filesAfter} after`],
      [failed.length === 0, 'answers', `normal reads answered ${failed.join(', ')}`],
    ),
    notes: [
      `p99 of ${sorted.length} normal reads ${p99.toFixed(1)} ms; descriptors ${filesBefore} before, ${filesAfter} after`,
      `cut: ${cut}`,
    ],
  }
}

const isCut = ({ cutAfterMs }: Slow): boolean => cutAfterMs !== undefined

const summary = (slow: readonly Slow[]): string =>
  [...Map.groupBy(slow, ({ kind }) => kind.name)]
    .map(([name, all]) => {
      const slowest = Math.max(...all.map(({ cutAfterMs = Number.POSITIVE_INFINITY }) => cutAfterMs))
      return `${all.length} ${name}${Number.isFinite(slowest) ? ` within ${(slowest / 1_000).toFixed(1)} s` : ''}`
    })
    .join(', ')

export const slowClients: Fault = {
  name: 'slow-clients',
  mostlyWaits: true,
  run: (house) => amongSlowClients(house, house.isShort ? hangsBack : [...hangsBack, neverReads]),
  control: {
    about: 'no time limits on requests',
    breaks: 'in time',
    run: (house) => amongSlowClients(house, hangsBack, plants.noRequestLimits),
  },
}
