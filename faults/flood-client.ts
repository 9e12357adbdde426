/** Sends one kind of flood to a service until it is killed: node faults/flood-client.ts NAME PORT TOKEN */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [name = '', port = '', token = ''] = process.argv.slice(2)
const address = '127.0.0.2'

interface Sending {
  readonly connections: number
  /** Bytes to send on a connection, at first and after each response; a flood that does not read sends only the first. */
  next(connection: number, turn: number): string
  readonly reads: boolean
  /** Source address, for floods that need more connections than one address may open. */
  from?(connection: number): string
}

const get = (path: string, headers = ''): string => `GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const post = (body: string): string =>
  `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const unknownNames = Array.from({ length: 20 }, (_, at) => `${String(at).padStart(2, '0')}${'n'.repeat(98)}=1`).join(
  '&',
)
/** Half a mebibyte each. */
const deepBody = `{"reason":${'['.repeat(250_000)}${']'.repeat(250_000)}}`
const wideBody = `{${Array.from({ length: 30_000 }, (_, at) => `"field_${at}":${at}`).join(',')}}`

const floods: Readonly<Record<string, Sending>> = {
  pipelining: {
    connections: 110,
    reads: false,
    next: (connection) =>
      Array.from({ length: 700 }, (_, at) => get(`employees?limit=200&offset=${(connection * 700 + at) % 9_800}`)).join(
        '',
      ),
  },
  idle: {
    connections: 9_000,
    reads: true,
    next: (_, turn) => (turn === 0 ? get('health') : ''),
    from: (connection) => `127.0.2.${1 + (connection % 10)}`,
  },
  'slow-parameter': {
    connections: 8,
    reads: true,
    next: () => get(`candidates?years_experience_from=${'1'.repeat(15_000)}x`),
  },
  'strict-names': {
    connections: 8,
    reads: true,
    next: () => get(`employees?${unknownNames}`, 'Prefer: handling=strict\r\n'),
  },
  searches: {
    connections: 64,
    reads: true,
    next: (connection, turn) => get(`candidates?limit=1&q=${(connection % 16).toString(16)}e+${turn.toString(16)}`),
  },
  expanded: {
    connections: 200,
    reads: true,
    next: (connection, turn) =>
      get(`employees?limit=200&offset=${(connection * 97 + turn * 13) % 9_800}&expand=department,manager,candidate`),
  },
  bodies: { connections: 32, reads: true, next: (connection) => post(connection % 2 === 0 ? deepBody : wideBody) },
}

const flood = floods[name]
if (flood === undefined) throw new Error(`no flood "${name}"; there are ${Object.keys(floods).join(', ')}`)

/** Opens a connection again whenever the service has closed it. */
const send = async (connection: number): Promise<never> => {
  for (let turn = 0; ; ) {
    const localAddress = flood.from?.(connection) ?? address
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    const closed = new Promise<void>((resolve) => {
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
    const write = (): void => {
      socket.write(flood.next(connection, turn))
      turn += 1
    }
    socket.on('connect', write)
    if (flood.reads) onEachResponse(socket, write)
    else socket.pause()
    await closed
    await pause(100)
  }
}

/** Counts the bytes that `Content-Length` announces; every response of the service has one. */
const onEachResponse = (socket: ReturnType<typeof connect>, done: () => void): void => {
  let head = ''
  let missing = 0
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk
    while (rest.length > 0) {
      if (missing === 0) {
        const before = head.length
        head += rest.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        rest = rest.subarray(end + 4 - before)
        head = ''
      }
      const taken = Math.min(missing, rest.length)
      missing -= taken
      rest = rest.subarray(taken)
      if (missing === 0) done()
    }
  })
}

for (let connection = 0; connection < flood.connections; connection += 1) {
  void send(connection)
  // Not all at once: the backlog of a listening socket is a few hundred.
  if (connection % 50 === 49) await pause(20)
}
console.log('sending')
