import { connect } from 'node:net'

export interface ParsedResponse {
  readonly status: number
  /** Header values by lower-case name. Of repeated headers only the last value is kept. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A valid request sent after every message. It gets a response only if the message was parsed to its end. */
const lastRequest = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** Sends a message followed by `lastRequest` and returns all responses. Rejects if the received bytes are not HTTP. */
export const sendMessage = (port: number, message: string): Promise<ParsedResponse[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(message + lastRequest, 'latin1')))
    let receivedText = ''
    socket.setEncoding('latin1')
    socket.setTimeout(20_000, () => socket.destroy(new Error(`never closed, after ${JSON.stringify(receivedText)}`)))
    socket.on('data', (chunk: string) => {
      receivedText += chunk
    })
    socket.on('error', (error: Error & { code?: string }) => {
      // The server closed the connection without reading all bytes. The responses received before that still count.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => {
      try {
        resolve(splitResponses(receivedText))
      } catch (error) {
        reject(error)
      }
    })
  })

const splitResponses = (receivedText: string): ParsedResponse[] => {
  const responses: ParsedResponse[] = []
  for (let remaining = receivedText; remaining !== ''; ) {
    const headEnd = remaining.indexOf('\r\n\r\n')
    const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(remaining)?.[1]
    if (headEnd < 0 || status === undefined)
      throw new Error(`not an HTTP response: ${JSON.stringify(remaining.slice(0, 200))}`)
    const headers = new Map(
      remaining
        .slice(0, headEnd)
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => {
          const colonIndex = line.indexOf(':')
          return [line.slice(0, colonIndex).toLowerCase(), line.slice(colonIndex + 1).trim()]
        }),
    )
    const length = bodyLength(Number(status), headers, remaining.length - headEnd - 4)
    responses.push({ status: Number(status), headers, body: remaining.slice(headEnd + 4, headEnd + 4 + length) })
    remaining = remaining.slice(headEnd + 4 + length)
  }
  return responses
}

/** The body of a response without Content-Length extends to the end of the connection. */
const bodyLength = (status: number, headers: ReadonlyMap<string, string>, remainingLength: number): number =>
  status < 200 || status === 204 || status === 304 ? 0 : Number(headers.get('content-length') ?? remainingLength)
