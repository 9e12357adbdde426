/** In charge of messages that two readers could take for two different requests: what Node's parser lets pass of them is refused. */
import type { IncomingMessage } from 'node:http'

const versions = new Set(['1.0', '1.1'])

/** Whether every reader of these bytes, a front's parser included, sees the same request. */
export const isUnambiguous = ({ httpVersion, rawHeaders, headers }: IncomingMessage): boolean => {
  if (!versions.has(httpVersion)) return false
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) return false
  const { host } = headers
  return host === undefined ? httpVersion === '1.0' : countOf('host', rawHeaders) === 1 && hostShape.test(host)
}

/** How often a header field was sent: Node keeps one of several and says nothing. */
export const countOf = (name: string, rawHeaders: readonly string[]): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string
    if (given.length === name.length && given.toLowerCase() === name) count += 1
  }
  return count
}

/** A host of RFC 3986, or nothing, and a port. */
const hostShape = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i
