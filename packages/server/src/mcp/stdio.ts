/** The Model Context Protocol on standard input and output. */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ServerOptions } from './server.ts'
import { createServer } from './server.ts'

export interface StdioSession {
  /** Resolves when the agent closes its end, or sends more than the SDK accepts. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export const openStdioSession = (input: Readable, output: Writable, options: ServerOptions): StdioSession => {
  const transport = new StdioServerTransport(input, output)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const session = serveStdio(() => createServer(options), { transport, onerror: options.onError })
  const onClose = transport.onclose
  transport.onclose = () => {
    onClose?.()
    resolve()
  }
  return { closed, close: () => session.close() }
}
