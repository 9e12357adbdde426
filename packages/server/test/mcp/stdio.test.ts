import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { freePort } from '@muster/demo-data/embedded-postgres'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { Agent } from '../../../../tests/support/mcp.ts'
import { callMessage, connectInProcess, connectStdio, musterFile, readResult } from '../../../../tests/support/mcp.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { openStdioSession } from '../../src/mcp/stdio.ts'

let database: TestDatabase
let service: RunningService
before(async () => {
  database = await createSeededDatabase()
  service = await startService(database.url, { reads: 'redacted' })
})
after(async () => {
  await service.stop()
  await database.drop()
})

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** Starts `muster mcp` with exactly these environment variables. */
const start = (env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [musterFile, 'mcp'], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', MUSTER_MCP_URL: service.baseUrl, ...env },
  })
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output.err += chunk
  })
  const lines = () => output.out.split('\n').filter((line) => line !== '')
  return {
    child,
    output,
    exit: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    send: (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    waitForResponses: (count: number) => waitUntil(`${count} responses`, async () => lines().length >= count, 60_000),
    // biome-ignore lint/suspicious/noExplicitAny: tests read any property of a message
    responses: (): any[] => lines().map((line) => JSON.parse(line)),
  }
}

describe('muster mcp', () => {
  it('writes nothing but messages of the protocol to standard output', async () => {
    const process = start({ MUSTER_LOG_LEVEL: 'trace', NODE_DEBUG: 'http' })
    process.send(initialize)
    process.send('this is no JSON')
    process.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    process.send(callMessage('count', { resource: 'employees' }, 1))
    process.send(callMessage('nothing', {}, 2))
    process.send({ jsonrpc: '2.0', id: 3, method: 'nothing' })
    // Calls that are sent at once are all answered.
    for (let id = 4; id <= 103; id += 1) process.send(callMessage('count', { resource: 'departments' }, id))
    await process.waitForResponses(104)
    process.child.stdin.end()
    assert.deepEqual(await process.exit, [0, null])
    const responses = process.responses()
    assert.deepEqual(
      responses.map(({ id }) => id).toSorted((a, b) => a - b),
      Array.from({ length: 104 }, (_, id) => id),
    )
    assert.ok(responses.every(({ jsonrpc }) => jsonrpc === '2.0'))
    assert.match(process.output.err, /Serving the Model Context Protocol .* for http:/)
  })

  it('ends when standard input ends, also at once', async () => {
    const process = start()
    process.child.stdin.end()
    assert.deepEqual(await process.exit, [0, null])
    assert.equal(process.output.out, '')
  })

  it('ends when standard output is closed', async () => {
    const process = start()
    process.child.stdin.on('error', () => {})
    process.send(initialize)
    await process.waitForResponses(1)
    process.child.stdout.destroy()
    await waitUntil('the process ends', async () => {
      process.child.stdin.write(`${JSON.stringify(callMessage('describe', {}))}\n`)
      return process.child.exitCode !== null
    })
  })

  // The same function handles both signals (see graceful-shutdown.test.ts).
  it('ends with 0 on SIGTERM, also with a call in progress', async () => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    const process = start({ MUSTER_MCP_URL: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/api` })
    process.send(initialize)
    await process.waitForResponses(1)
    process.send(callMessage('count', { resource: 'employees' }))
    await once(hanging, 'request')
    process.child.kill('SIGTERM')
    assert.deepEqual(await process.exit, [0, null])
    hanging.closeAllConnections()
    hanging.close()
  })

  it('ends when a message is longer than 10 MB', async () => {
    const input = new PassThrough()
    const options = { send: () => assert.fail(), writes: false, onError: () => {} }
    const { closed } = openStdioSession(input, new PassThrough(), options)
    input.write(`${'x'.repeat(11_000_000)}\n`)
    await closed
  })
})

describe('the token of muster mcp', () => {
  const nameOfFirst = async (
    env: Readonly<Record<string, string>>,
    { connect = connectStdio, work = async (_agent: Agent) => {} } = {},
  ) => {
    const agent = await connect({ MUSTER_MCP_URL: service.baseUrl, ...env })
    const tools = (await agent.tools()).map(({ name }) => name)
    const { json } = await agent.call('get', { resource: 'employees', id: 1 })
    await work(agent)
    await agent.close()
    return { name: json.rows[0].first_name, tools }
  }

  it('is only MUSTER_MCP_TOKEN, not a token of the service', async () => {
    const { name, tools } = await nameOfFirst({
      MUSTER_API_TOKEN: token,
      MUSTER_READ_TOKEN: token,
      MUSTER_MCP_WRITES: 'on',
    })
    assert.equal(name, null)
    assert.ok(!tools.includes('create'))
  })

  it('is not read from an empty file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'muster-mcp-')), 'token')
    writeFileSync(file, '\n')
    const { code, err } = await muster(['mcp'], { MUSTER_MCP_TOKEN_FILE: file })
    assert.equal(code, 1)
    assert.match(err, /^MUSTER_MCP_TOKEN_FILE names .*, which is empty/)
  })

  it('shows personal fields', async () => {
    const { name, tools } = await nameOfFirst({ MUSTER_MCP_TOKEN: token }, { connect: connectInProcess })
    assert.equal(typeof name, 'string')
    assert.ok(!tools.includes('create'))
  })

  it('can be in a file, and creates if that is on', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'muster-mcp-')), 'token')
    writeFileSync(file, `${token}\n`)
    const env = { MUSTER_MCP_TOKEN_FILE: file, MUSTER_MCP_WRITES: 'on' }
    const { name, tools } = await nameOfFirst(env, {
      work: async (agent) => {
        const { json, isError } = await agent.call('create', { resource: 'leave', record: { leave_type: 'annual' } })
        assert.deepEqual([isError, json.replayed], [false, false])
      },
    })
    assert.equal(typeof name, 'string')
    assert.ok(tools.includes('create'))
  })
})

describe('the service of muster mcp', () => {
  const errorWith = async (url: string): Promise<string> => {
    const agent = await connectInProcess({ MUSTER_MCP_URL: url, MUSTER_MCP_TOKEN: token })
    const { isError, json } = await agent.call('count', { resource: 'employees' })
    await agent.close()
    assert.equal(isError, true)
    assert.doesNotMatch(JSON.stringify(json), new RegExp(token))
    return json.message
  }

  const withServer = async (
    respond: Parameters<typeof createServer>[1],
    work: (origin: string, paths: readonly string[]) => Promise<void>,
  ) => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(String(request.url))
      respond?.(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths)
    server.closeAllConnections()
    server.close()
  }

  it('may be down', async () => {
    const url = `http://127.0.0.1:${await freePort()}/api`
    assert.equal(await errorWith(url), `The service at ${url} cannot be reached: ECONNREFUSED.`)
  })

  for (const [status, text] of [
    [200, '<html>'],
    [502, '<html>'],
    [500, '{"error":"failed"}'],
    [500, '{"error":{"code":1,"message":{}}}'],
    [422, '{"detail":[null,{"loc":1}]}'],
    [500, JSON.stringify({ error: { code: 'x'.repeat(100_000), message: 'y' } })],
  ] as const)
    it(`may be something else, which responds ${status} ${text.slice(0, 40)}`, async () => {
      await withServer(
        (_, response) => response.writeHead(status).end(text),
        async (origin) =>
          assert.match(await errorWith(`${origin}/api`), new RegExp(`^The response with status ${status} is not from`)),
      )
    })

  it('may be slow: tools send no further request after 5 seconds, and say what they left out', async (test) => {
    const rules = [
      { rule: 'first', broken: null },
      { rule: 'second', broken: null },
    ]
    const bodyOf = (path: string) => {
      if (path.includes('rule=first')) return { data: [{ rule: 'first', broken: 3 }], meta: {} }
      return path.includes('data-health') ? { data: rules, meta: {} } : { data: [], meta: { total: 0 } }
    }
    // A request takes 2.6 s of a clock that the test moves. `find` sends two requests at a time.
    let msAdded = 0
    const pending: (() => void)[] = []
    const now = performance.now.bind(performance)
    test.mock.method(performance, 'now', () => now() + msAdded)
    await withServer(
      ({ url = '' }, response) => {
        pending.push(() => response.end(JSON.stringify(bodyOf(url))))
        if (!url.includes('data-health') && pending.length < 2) return
        msAdded += 2_600
        for (const respond of pending.splice(0)) respond()
      },
      async (origin) => {
        const agent = await connectInProcess({ MUSTER_MCP_URL: `${origin}/api` })
        const callTool = async (name: string, args: Record<string, unknown>) =>
          readResult((await agent.client.callTool({ name, arguments: args })) as CallToolResult).json
        const { failed } = await callTool('find', { text: 'a' })
        assert.deepEqual(failed, ['organization-teams', 'organizations', 'brands', 'career-sites'])
        const { rows, note } = await callTool('report', { name: 'data-health' })
        assert.deepEqual(
          rows.map(({ broken }: { broken: number | null }) => broken),
          [3, null],
        )
        assert.match(note, /^Rules without "broken" were not checked/)
        await agent.close()
      },
    )
  })

  it('does not get the token by a redirect', async () => {
    await withServer(
      (_, response) => response.end('{}'),
      async (target, paths) => {
        await withServer(
          (_, response) => response.writeHead(302, { location: `${target}/api` }).end(),
          async (origin) => assert.match(await errorWith(`${origin}/api`), /status 302/),
        )
        assert.deepEqual(paths, [])
      },
    )
  })

  for (const url of ['127.0.0.1:8080', 'http://127.0.0.1:8080', 'ftp://127.0.0.1/api', 'http://127.0.0.1:8080/api/v1'])
    it(`must not be ${url}`, async () => {
      const { code, err } = await muster(['mcp'], { MUSTER_MCP_URL: url })
      assert.equal(code, 1)
      assert.match(err, /^MUSTER_MCP_URL must be the URL of the API, such as/)
    })

  it('must not have a password in its URL', async () => {
    const { code, err } = await muster(['mcp'], { MUSTER_MCP_URL: 'http://user:secret@127.0.0.1/api' })
    assert.equal(code, 1)
    assert.match(err, /must not contain a password/)
    assert.doesNotMatch(err, /secret/)
  })

  it('may have a slash at the end of its URL, and a path in front', async () => {
    await withServer(
      (_, response) => response.end('{}'),
      async (origin, paths) => {
        await errorWith(`${origin}/hr/api/`).catch(() => {})
        assert.match(String(paths[0]), /^\/hr\/api\/v1\/employees\?/)
      },
    )
  })
})
