/**
 * The service closes connections that send nothing, send one byte per second or do not read. Other clients are served.
 */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import { openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { token } from '../environment.ts'
import { mutations } from '../mutations.ts'

interface SlowClientKind {
  readonly name: string
  readonly firstBytes: string
  readonly keepsSending: boolean
  readonly maxOpenMs: number
}

const slowSenders: readonly SlowClientKind[] = [
  { name: 'silent', firstBytes: '', keepsSending: false, maxOpenMs: 7_000 },
  {
    name: 'slow header',
    firstBytes: 'GET /api/v1/leave HTTP/1.1\r\nHost: here\r\nX-Slow: ',
    keepsSending: true,
    maxOpenMs: 7_000,
  },
  {
    name: 'slow body',
    firstBytes: `POST /api/v1/leave HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    keepsSending: true,
    maxOpenMs: 12_000,
  },
]

/** A client that requests more data than the socket buffers hold, and reads nothing. */
const slowReader: SlowClientKind = {
  name: 'slow reader',
  firstBytes: 'GET /api/openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(60),
  keepsSending: false,
  // The service checks the read rate once per period. In the first period the data still fits into the socket buffers.
  maxOpenMs: 45_000,
}

interface SlowSocket {
  readonly kind: SlowClientKind
  readonly socket: Socket
  readonly localPort: number
  readonly openedAt: number
  /** Undefined while the socket is open. */
  closedAfterMs?: number
}

const openSlowSocket = async (port: number, kind: SlowClientKind): Promise<SlowSocket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const sendTimer = kind.keepsSending ? setInterval(() => socket.write('x'), 1_000) : undefined
  socket.on('error', () => {})
  socket.on('close', () => clearInterval(sendTimer))
  if (kind !== slowReader) socket.resume()
  socket.write(kind.firstBytes)
  return { kind, socket, localPort: socket.localPort as number, openedAt: performance.now() }
}

/** Finds closed sockets in /proc/net/tcp: a socket that does not read never notices that its peer has closed. */
const recordClosedSockets = async (port: number, slowSockets: readonly SlowSocket[]): Promise<void> => {
  const connectedPorts = new Set<number>()
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)) {
    const [, local, remote, state] = line.trim().split(/\s+/)
    if (state === '01' && portOf(local) === port) connectedPorts.add(portOf(remote))
  }
  for (const slowSocket of slowSockets)
    if (slowSocket.closedAfterMs === undefined && !connectedPorts.has(slowSocket.localPort))
      slowSocket.closedAfterMs = performance.now() - slowSocket.openedAt
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(':')[1] ?? '', 16)

/** Makes the service open all of its database connections, so that the later descriptor counts can be compared. */
const openAllConnections = async (origin: string): Promise<void> => {
  const client = openClient(origin)
  for (const query of ['offset', 'q'])
    await Promise.all(
      Array.from({ length: 60 }, (_, requestIndex) => client.send(`/api/v1/leave?${query}=${requestIndex}`)),
    )
  client.close()
}

const countDescriptors = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

const runWithSlowClients = async (
  environment: Environment,
  kinds: readonly SlowClientKind[],
  mutation?: Mutation,
): Promise<Outcome> => {
  const { url } = await environment.cluster()
  const service = await environment.service({ databaseUrl: url, mutation })
  const client = openClient(service.origin, 4)
  const responseTimes: number[] = []
  const failedStatuses: string[] = []
  let isReading = true
  const normalReaders = Array.from({ length: 4 }, async () => {
    while (isReading) {
      const response = await client.send('/api/v1/leave?limit=10').catch(() => undefined)
      if (response?.status === 200) responseTimes.push(response.ms)
      else failedStatuses.push(String(response?.status ?? 'nothing'))
      await pause(10)
    }
  })
  await openAllConnections(service.origin)
  await waitUntil('the service is warm', async () => responseTimes.length > 200)
  const descriptorsBefore = await countDescriptors(service.pid)
  responseTimes.length = 0
  failedStatuses.length = 0
  const port = Number(new URL(service.origin).port)
  const socketsPerKind = Math.floor(environment.size(500, 60) / kinds.length)
  const slowSockets = await Promise.all(
    kinds.flatMap((kind) => Array.from({ length: socketsPerKind }, () => openSlowSocket(port, kind))),
  )
  // A run with --short may share the machine with other programs, so it gets more time.
  const slackMs = environment.size(0, 5_000)
  const maxP99Ms = environment.size(200, 1_000)
  const timeoutMs = Math.max(...kinds.map(({ maxOpenMs }) => maxOpenMs)) + slackMs
  const deadline = performance.now() + timeoutMs
  await waitUntil(
    'all slow connections are closed',
    async () => {
      await recordClosedSockets(port, slowSockets)
      return slowSockets.every(isClosed) || performance.now() > deadline
    },
    timeoutMs + 10_000,
  )
  const lateSockets = slowSockets.filter(
    ({ kind, closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs > kind.maxOpenMs + slackMs,
  )
  const closedSummary = summarize(slowSockets.filter(isClosed))
  const lateSummary = summarize(lateSockets)
  for (const { socket } of slowSockets) socket.destroy()
  await Promise.all(slowSockets.map(({ socket }) => socket.closed || once(socket, 'close')))
  const descriptorsAfter = await waitUntil(
    'the service has closed its sockets',
    async () => (await countDescriptors(service.pid)) <= descriptorsBefore,
  ).then(
    () => descriptorsBefore,
    () => countDescriptors(service.pid),
  )
  isReading = false
  await Promise.all(normalReaders)
  client.close()
  const sortedTimes = responseTimes.toSorted((a, b) => a - b)
  const p99Ms = sortedTimes[Math.floor(sortedTimes.length * 0.99)] ?? 0
  return {
    ...emptyOutcome,
    faultCount: slowSockets.length,
    slowestMs: sortedTimes.at(-1) ?? 0,
    violations: failedChecks(
      [lateSockets.length === 0, 'in time', `not closed in time: ${lateSummary}`],
      [p99Ms < maxP99Ms, 'in time', `the 99th percentile of normal reads was ${Math.round(p99Ms)} ms`],
      [
        descriptorsAfter <= descriptorsBefore,
        'bounded resources',
        `${descriptorsBefore} descriptors before, ${descriptorsAfter} after`,
      ],
      [failedStatuses.length === 0, 'expected responses', `normal reads responded ${failedStatuses.join(', ')}`],
    ),
    notes: [
      `p99 of ${sortedTimes.length} normal reads ${p99Ms.toFixed(1)} ms; descriptors ${descriptorsBefore} before, ${descriptorsAfter} after`,
      `closed: ${closedSummary}`,
    ],
  }
}

const isClosed = ({ closedAfterMs }: SlowSocket): boolean => closedAfterMs !== undefined

const summarize = (slowSockets: readonly SlowSocket[]): string =>
  [...Map.groupBy(slowSockets, ({ kind }) => kind.name)]
    .map(([name, sockets]) => {
      const slowestMs = Math.max(...sockets.map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs))
      return `${sockets.length} ${name}${Number.isFinite(slowestMs) ? ` within ${(slowestMs / 1_000).toFixed(1)} s` : ''}`
    })
    .join(', ')

export const slowClients: ChaosCase = {
  name: 'slow-clients',
  runsBesideControl: true,
  run: (environment) =>
    runWithSlowClients(environment, environment.isShort ? slowSenders : [...slowSenders, slowReader]),
  control: {
    description: 'no time limits on requests',
    brokenGuarantee: 'in time',
    run: (environment) => runWithSlowClients(environment, slowSenders, mutations.noRequestLimits),
  },
}
