import { readMcpSettings } from '../config/mcp-settings.ts'
import { printableLines } from '../printable.ts'
import { command, exitCodes } from './command.ts'
import { shutdownSignal } from './signals.ts'

export const mcpCommand = command({
  name: 'mcp',
  summary: 'Let an AI agent read the data of a running service, on standard input and output.',
  details: [
    'Serves the Model Context Protocol. An agent program starts this command and calls its tools, which send requests to the API at MUSTER_MCP_URL. No database connection is needed.',
    'With MUSTER_MCP_TOKEN the agent sees what this token may see. With MUSTER_MCP_WRITES=on it may also create records, if the token is the write token.',
    'Messages for people go to standard error. Ends when standard input ends.',
  ],
  arguments: [],
  options: {},
  examples: [['mcp', 'Started by an agent program; see docs/mcp.md']],
  async run({ env, io }) {
    const { url, token, writes } = readMcpSettings(env)
    // Loaded here, so that other commands do not load the SDK.
    const [{ openStdioSession }, { openFetchSend }] = await Promise.all([
      import('../mcp/stdio.ts'),
      import('../mcp/fetch-send.ts'),
    ])
    const print = (line: string): boolean => io.stderr.write(`${printableLines(line)}\n`)
    const session = openStdioSession(io.stdin, io.stdout, {
      send: openFetchSend({ url, token }),
      writes: writes && token !== undefined,
      onError: (error) => print(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    if (writes && token === undefined)
      print('MUSTER_MCP_WRITES is on, but MUSTER_MCP_TOKEN is not set, so the tool create is not offered.')
    print(`Serving the Model Context Protocol on standard input and output, for ${url}`)
    await Promise.race([session.closed, shutdownSignal(() => process.exit(exitCodes.interrupted))])
    await session.close()
    return exitCodes.success
  },
})
