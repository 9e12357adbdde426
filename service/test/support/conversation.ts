/** In charge of one connection byte for byte: sends a message and a well-formed request after it, and reads every answer. */
import { connect } from 'node:net'

export interface ReadAnswer {
  readonly status: number
  /** Names in small letters; the last of a repeated one counts. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Ends every conversation: answered where the message before it was understood to its end, else lost with it. */
const farewell = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** All answers on one connection until the other side closes it; what is no answer makes it reject. */
export const converse = (port: number, message: string): Promise<ReadAnswer[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(message + farewell, 'latin1')))
    let received = ''
    socket.setEncoding('latin1')
    socket.setTimeout(20_000, () => socket.destroy(new Error(`never closed, after ${JSON.stringify(received)}`)))
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('error', (error: Error & { code?: string }) => {
      // Closed with bytes of ours unread: what was answered before that counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => {
      try {
        resolve(splitAnswers(received))
      } catch (error) {
        reject(error)
      }
    })
  })

const splitAnswers = (received: string): ReadAnswer[] => {
  const answers: ReadAnswer[] = []
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(rest)?.[1]
    if (end < 0 || status === undefined) throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const headers = new Map(
      rest
        .slice(0, end)
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
    )
    const length = bodyLength(Number(status), headers, rest.length - end - 4)
    answers.push({ status: Number(status), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/** An answer that gives no length ends with the connection. */
const bodyLength = (status: number, headers: ReadonlyMap<string, string>, rest: number): number =>
  status < 200 || status === 204 || status === 304 ? 0 : Number(headers.get('content-length') ?? rest)
