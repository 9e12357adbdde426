/** Floods a service with one kind of request until killed. Usage: node tests/chaos/flood-client.ts NAME PORT TOKEN */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [floodName = '', port = '', token = ''] = process.argv.slice(2)
const defaultSourceAddress = '127.0.0.2'

interface Flood {
  readonly connectionCount: number
  /**
   * Bytes to send on connecting (turn 0) and after each response. A flood that does not read responses sends only once
   * per connection.
   */
  nextBytes(connectionIndex: number, turn: number): string
  /** `slowly`: a few bytes at a time. */
  readonly readsResponses: boolean | 'slowly'
  /** Source IP address, for floods that need more connections than the service allows one address. */
  sourceAddress?(connectionIndex: number): string
}

const getRequest = (path: string, headers = ''): string => `GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const postRequest = (body: string): string =>
  `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const siteRequest = (path: string, host = 'x'): string =>
  `GET /careers/flooded${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const toolCall = (params: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 0]))
/** More names than the service reads, about 60 kB; and two messages that it reads, with nearly as many values as it allows. */
const toolCalls = [
  toolCall(names(8_000)),
  toolCall({ name: 'describe', arguments: { resource: 'leave' }, _meta: names(480) }),
  toolCall({ name: 'list', arguments: { resource: 'applications', limit: 200, fields: Array(480).fill('status') } }),
]
const unknownNames = Array.from(
  { length: 20 },
  (_, index) => `${String(index).padStart(2, '0')}${'n'.repeat(98)}=1`,
).join('&')
/** Each of the two bodies has about half a megabyte. */
const deepBody = `{"reason":${'['.repeat(250_000)}${']'.repeat(250_000)}}`
const wideBody = `{${Array.from({ length: 30_000 }, (_, index) => `"field_${index}":${index}`).join(',')}}`

const floods: Readonly<Record<string, Flood>> = {
  pipelining: {
    connectionCount: 110,
    readsResponses: false,
    nextBytes: (connection) =>
      Array.from({ length: 700 }, (_, index) =>
        getRequest(`employees?limit=200&offset=${(connection * 700 + index) % 9_800}`),
      ).join(''),
  },
  idle: {
    connectionCount: 9_000,
    readsResponses: true,
    nextBytes: (_, turn) => (turn === 0 ? getRequest('health') : ''),
    sourceAddress: (connection) => `127.0.2.${1 + (connection % 10)}`,
  },
  'slow-parameter': {
    connectionCount: 8,
    readsResponses: true,
    nextBytes: () => getRequest(`candidates?years_experience_from=${'1'.repeat(15_000)}x`),
  },
  'strict-names': {
    connectionCount: 8,
    readsResponses: true,
    nextBytes: () => getRequest(`employees?${unknownNames}`, 'Prefer: handling=strict\r\n'),
  },
  searches: {
    connectionCount: 64,
    readsResponses: true,
    nextBytes: (connection, turn) =>
      getRequest(`candidates?limit=1&q=${(connection % 16).toString(16)}e+${turn.toString(16)}`),
  },
  expanded: {
    connectionCount: 200,
    readsResponses: true,
    nextBytes: (connection, turn) =>
      getRequest(
        `employees?limit=200&offset=${(connection * 97 + turn * 13) % 9_800}&expand=department,manager,candidate`,
      ),
  },
  bodies: {
    connectionCount: 32,
    readsResponses: true,
    nextBytes: (connection) => postRequest(connection % 2 === 0 ? deepBody : wideBody),
  },
  'tool-calls': {
    connectionCount: 32,
    readsResponses: true,
    nextBytes: (connection, turn) => {
      const body = toolCalls[(connection + turn) % toolCalls.length] as string
      return `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    },
  },
  'slow-feeds': {
    connectionCount: 100,
    readsResponses: 'slowly',
    nextBytes: () => siteRequest('/jobs.xml'),
  },
  sitemaps: {
    connectionCount: 8,
    readsResponses: true,
    nextBytes: (connection, turn) => siteRequest('/sitemap.xml', `host-${connection}-${turn}.example`),
  },
  reports: {
    connectionCount: 8,
    readsResponses: true,
    nextBytes: (connection, turn) =>
      getRequest(
        `reports/headcount?by=branch&from=1976-06&as_of=${new Date(Date.UTC(2024, 0, 1 + ((connection * 97 + turn) % 700))).toISOString().slice(0, 10)}`,
      ),
  },
}

const slowReadMs = 300
const slowReadBytes = 64

const flood = floods[floodName]
if (flood === undefined) throw new Error(`unknown flood "${floodName}"; known: ${Object.keys(floods).join(', ')}`)

/** Reconnects whenever the service has closed the connection. */
const floodConnection = async (connectionIndex: number): Promise<never> => {
  for (let turn = 0; ; ) {
    const localAddress = flood.sourceAddress?.(connectionIndex) ?? defaultSourceAddress
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    const closedPromise = new Promise<void>((resolve) => {
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
    const sendNextBytes = (): void => {
      socket.write(flood.nextBytes(connectionIndex, turn))
      turn += 1
    }
    socket.on('connect', sendNextBytes)
    if (flood.readsResponses === true) onEachResponse(socket, sendNextBytes)
    else socket.pause()
    if (flood.readsResponses === 'slowly') readSlowly(socket)
    await closedPromise
    await pause(100)
  }
}

const readSlowly = (socket: ReturnType<typeof connect>): void => {
  const timer = setInterval(() => socket.read(slowReadBytes), slowReadMs)
  socket.on('close', () => clearInterval(timer))
}

/** Finds the end of each response by its `Content-Length`, which every response of the service has. */
const onEachResponse = (socket: ReturnType<typeof connect>, onResponse: () => void): void => {
  let head = ''
  let missingByteCount = 0
  socket.on('data', (chunk: Buffer) => {
    let unreadBytes = chunk
    while (unreadBytes.length > 0) {
      if (missingByteCount === 0) {
        const headLength = head.length
        head += unreadBytes.toString('latin1')
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        missingByteCount = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        unreadBytes = unreadBytes.subarray(headEnd + 4 - headLength)
        head = ''
      }
      const bodyByteCount = Math.min(missingByteCount, unreadBytes.length)
      missingByteCount -= bodyByteCount
      unreadBytes = unreadBytes.subarray(bodyByteCount)
      if (missingByteCount === 0) onResponse()
    }
  })
}

for (let connection = 0; connection < flood.connectionCount; connection += 1) {
  void floodConnection(connection)
  // Connects in steps of 50, because the accept queue of the service holds only a few hundred connections.
  if (connection % 50 === 49) await pause(20)
}
console.log('sending')
