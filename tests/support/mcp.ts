/** An agent for tests: the official client, connected to a service over HTTP, or to `muster mcp` on its standard streams. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { CallToolResult, Tool, Transport } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readMcpSettings } from '../../packages/server/src/config/mcp-settings.ts'
import { openFetchSend } from '../../packages/server/src/mcp/fetch-send.ts'
import { openStdioSession } from '../../packages/server/src/mcp/stdio.ts'
import type { HttpResponse } from './http.ts'
import { sendRequest } from './http.ts'
import { waitUntil } from './wait.ts'

export interface ToolResult {
  readonly isError: boolean
  /** Parsed from the first block of the result. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any property of a result
  readonly json: any
  /** The texts in the second block, if there is one. */
  readonly texts: readonly { readonly id: number; readonly field: string; readonly text: string; length?: number }[]
  /** Size of the result as it is sent. */
  readonly bytes: number
  readonly raw: CallToolResult
}

export interface Agent {
  readonly client: Client
  tools(): Promise<readonly Tool[]>
  /** Calls a tool, again if a busy machine makes the service refuse the call. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolResult>
  close(): Promise<void>
}

/** Protocol version 2026-07-28, or the handshake of earlier versions. */
export type Era = 'modern' | 'legacy'

export const connectHttp = (origin: string, token?: string, era: Era = 'modern'): Promise<Agent> => {
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  return connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }), era)
}

export const musterFile = fileURLToPath(new URL('../../packages/server/bin/muster.ts', import.meta.url))

export const connectStdio = (env: Readonly<Record<string, string>>, era: Era = 'modern'): Promise<Agent> =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [musterFile, 'mcp'],
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env },
      stderr: 'ignore',
    }),
    era,
  )

/** Connects to what `muster mcp` runs, inside the test process. */
export const connectInProcess = async (env: Readonly<Record<string, string>>, era: Era = 'modern'): Promise<Agent> => {
  const { url, token, writes } = readMcpSettings(env)
  const input = new PassThrough()
  const output = new PassThrough()
  const session = openStdioSession(input, output, {
    send: openFetchSend({ url, token }),
    writes: writes && token !== undefined,
    onError: (error) => console.error(error),
  })
  const agent = await connect(streamTransport(output, input), era)
  return {
    ...agent,
    async close() {
      await agent.close()
      await session.close()
    },
  }
}

const streamTransport = (input: Readable, output: Writable): Transport => {
  const transport: Transport = {
    async start() {
      createInterface({ input }).on('line', (line) => transport.onmessage?.(JSON.parse(line)))
    },
    async send(message) {
      output.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      output.end()
      transport.onclose?.()
    },
  }
  return transport
}

const connect = async (transport: Transport, era: Era): Promise<Agent> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  await client.connect(transport)
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    async call(name, args = {}) {
      const send = async () => readResult((await client.callTool({ name, arguments: { ...args } })) as CallToolResult)
      let result = await send()
      if (isRefused(result))
        await waitUntil(`${name} is served`, async () => {
          result = await send()
          return !isRefused(result)
        })
      return result
    },
    close: () => client.close(),
  }
}

/** A slow machine can make the service refuse a read. */
const isRefused = ({ json }: ToolResult): boolean =>
  ['overloaded', 'database_unavailable', 'query_timeout'].includes(json.error) || json.failed !== undefined

export const readResult = (raw: CallToolResult): ToolResult => {
  const [first = '', second = '{"texts":[]}'] = raw.content.map((block) => (block.type === 'text' ? block.text : ''))
  return {
    isError: raw.isError === true,
    json: JSON.parse(first),
    texts: JSON.parse(second).texts,
    bytes: Buffer.byteLength(JSON.stringify(raw)),
    raw,
  }
}

/** Sends one message of the protocol as it is, in its 2025 form. */
export const postMessage = (
  origin: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> =>
  sendRequest(new URL('/mcp', origin).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

/** The message for a call of a tool. */
export const callMessage = (name: string, args: unknown, id: number | string = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** The message in an event stream of one event. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a message
export const messageIn = ({ text }: HttpResponse): any => JSON.parse(text.replace(/^event: message\ndata: /, ''))
