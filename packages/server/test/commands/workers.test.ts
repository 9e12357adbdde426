import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { permissionFlags } from '../../src/commands/permission-flags.ts'

const unreachableUrl = 'postgres://127.0.0.1:1/none'
const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))

/** The process ids of the listening workers, in the order in which they logged that they listen. */
const listeningPids = (service: Command): number[] =>
  [...service.output.matchAll(/"pid":(\d+),[^\n]*Server listening/g)].map((match) => Number(match[1]))

/** Resolves with the process ids of the workers once `count` of them listen. */
const untilListening = async (service: Command, count: number): Promise<number[]> => {
  await service.waitForOutput(new RegExp(`(Server listening.*){${count}}`, 's'))
  return listeningPids(service)
}

describe('workers', () => {
  it('share one port, and all of them respond', async () => {
    const service = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', '3'] })
    const pids = await untilListening(service, 3)
    const origin = await serviceOrigin(service)
    assert.equal(new Set(pids).size, 3)
    // The kernel distributes connections by a hash, so each worker receives at least one of sixty connections.
    await Promise.all(
      Array.from({ length: 60 }, () => sendRequest(`${origin}/livez`, { headers: { connection: 'close' } })),
    )
    for (const pid of pids) await service.waitForOutput(new RegExp(`"pid":${pid},[^\n]*"route":"/livez"`))
    await stopService(service)
  })

  it('are restarted when they die, after a pause that doubles with each early death', async () => {
    const service = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', '2'] })
    const origin = await serviceOrigin(service)
    await untilListening(service, 2)
    for (let death = 1; death <= 3; death += 1) {
      const newestPid = (await untilListening(service, death + 1)).at(-1) as number
      process.kill(newestPid, 'SIGKILL')
      const pauseMs = 200 * 2 ** (death - 1)
      await service.waitForOutput(
        new RegExp(`Worker ${newestPid} exited \\(SIGKILL\\); a new one starts in ${pauseMs} ms\\.`),
      )
      await waitForStatus(`${origin}/livez`, 200)
    }
    await untilListening(service, 5)
    await stopService(service)
  })

  it('do not leave the connections of a killed worker open', async () => {
    const service = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', '2'] })
    const port = Number(new URL(await serviceOrigin(service)).port)
    const pids = await untilListening(service, 2)
    const [stoppedPid = 0] = pids
    // A stopped process accepts no more connections, and those in its accept queue stay there.
    process.kill(stoppedPid, 'SIGSTOP')
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(port, '127.0.0.1').resume()
      socket.on('error', () => {})
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return socket
    })
    while (sockets.some(({ connecting }) => connecting)) await pause(20)
    process.kill(stoppedPid, 'SIGKILL')
    const countOpenSockets = () => sockets.filter(({ destroyed }) => !destroyed).length
    const deadline = performance.now() + 5_000
    while (countOpenSockets() > 0 && performance.now() < deadline) await pause(20)
    const openCount = countOpenSockets()
    for (const socket of sockets) socket.destroy()
    await stopService(service)
    assert.equal(openCount, 0, `${openCount} of 40 connections were still open after five seconds`)
  })

  it('do not start if the workers of another muster process use the same port', async () => {
    const firstService = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', '2'] })
    const { port } = new URL(await serviceOrigin(firstService))
    const secondService = serve({ DATABASE_URL: unreachableUrl, PORT: port }, { args: ['--workers', '2'] })
    assert.equal(await secondService.exitPromise, 1)
    assert.match(secondService.output, /is already in use: stop the other process/)
    await stopService(firstService)
  })

  it('read the token files again when the parent process receives SIGHUP', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-tokens-'))
    const file = join(folder, 'token')
    await writeFile(file, token)
    const database = await createTestDatabase()
    const service = serve({ ...database.env, MUSTER_API_TOKEN_FILE: file }, { args: ['--workers', '2'] })
    await untilListening(service, 2)
    const url = `${await serviceOrigin(service)}/api/v1/leave`
    await service.waitForOutput(/(its schema is up to date.*){2}/s)
    const sendCreate = () => post(url, { leave_type: 'annual' }, { connection: 'close' })
    assert.equal((await sendCreate()).status, 201)
    await writeFile(file, 'another-token-of-more-than-thirty-two-characters')
    service.signal('SIGHUP')
    await service.waitForOutput(/(tokens were reloaded.*){2}/s)
    const statuses = (await Promise.all(Array.from({ length: 6 }, sendCreate))).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([401]))
    await stopService(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('do not start on a port that is in use, which is logged only once', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as { port: number }
    const service = serve({ DATABASE_URL: unreachableUrl, PORT: String(port) }, { args: ['--workers', '2'] })
    assert.equal(await service.exitPromise, 1)
    assert.equal(service.output.match(/is already in use: stop the other process/g)?.length, 1)
    portHolder.close()
  })

  it('are not started if their number is invalid', async () => {
    const service = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', 'many'] })
    assert.equal(await service.exitPromise, 1)
    assert.match(service.output, /^MUSTER_WORKERS must be a whole number from 1 to 256, not "many"\.\n$/)
  })

  it('exit when the parent process is killed', async () => {
    const service = serve({ DATABASE_URL: unreachableUrl }, { args: ['--workers', '2'] })
    const origin = await serviceOrigin(service)
    await untilListening(service, 2)
    service.signal('SIGKILL')
    // The workers inherit the standard output of the parent, which closes only when all of them have exited.
    await service.exitPromise
    await assert.rejects(sendRequest(`${origin}/livez`))
  })
})

describe('the permission flags of a serving process', () => {
  it('are sufficient for everything that the process serves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-rights-'))
    const file = join(folder, 'token')
    await writeFile(file, token)
    const database = await createTestDatabase()
    const env = { ...database.env, MUSTER_API_TOKEN_FILE: file }
    const service = serve(env, { flags: permissionFlags(env) })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    for (const path of [
      '/api',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/api/v1/employees',
      '/api/v1/health',
    ])
      assert.equal((await sendRequest(`${origin}${path}`)).status, 200, path)
    assert.equal((await post(`${origin}/api/v1/leave`, { leave_type: 'annual' })).status, 201)
    service.signal('SIGHUP')
    await service.waitForOutput(/tokens were reloaded/)
    await stopService(service)
    assert.doesNotMatch(service.output, /ERR_ACCESS_DENIED|Experimental/)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const forbiddenActions: [action: string, code: string][] = [
    ['read a system file', `fs.readFileSync('/etc/passwd')`],
    [
      'read a file of the repository that is not code',
      `fs.readFileSync(${JSON.stringify(join(repositoryRoot, 'package.json'))})`,
    ],
    ['list the root folder of the repository', `fs.readdirSync(${JSON.stringify(repositoryRoot)})`],
    [
      'create a file beside its own code',
      `fs.writeFileSync(${JSON.stringify(join(repositoryRoot, 'packages/server/bin/x'))}, '')`,
    ],
    [
      'write into the folder for temporary files',
      `fs.writeFileSync(require('node:path').join(require('node:os').tmpdir(), 'muster-x'), '')`,
    ],
    [
      'change its own code',
      `fs.appendFileSync(${JSON.stringify(join(repositoryRoot, 'packages/server/bin/muster.ts'))}, '')`,
    ],
    [
      'change the timestamps of its own code',
      `fs.utimesSync(${JSON.stringify(join(repositoryRoot, 'packages/server/bin/muster.ts'))}, 0, 0)`,
    ],
    ['start a process', `require('node:child_process').spawnSync('true')`],
    ['start a thread', `new (require('node:worker_threads').Worker)('', { eval: true })`],
    ['open the debugger', `require('node:inspector').open(0)`],
  ]
  for (const [action, code] of forbiddenActions) {
    it(`do not allow the process to ${action}`, () => {
      const attemptScript = `const fs = require('node:fs'); try { ${code}; console.log('done') } catch (error) { console.log(error.code) }`
      const { stdout } = spawnSync(process.execPath, [
        ...permissionFlags({}),
        '--input-type=commonjs',
        '--eval',
        attemptScript,
      ])
      assert.equal(stdout.toString().trim(), 'ERR_ACCESS_DENIED')
    })
  }

  it('are those that docs/command-line.md documents', async () => {
    const document = await readFile(join(repositoryRoot, 'docs/command-line.md'), 'utf8')
    const [, block = ''] =
      /```sh\nnode (--permission[^`]*?)packages\/server\/bin\/muster\.js serve\n```/.exec(document) ?? []
    const documentedFlags = block.split(/[\s\\]+/).filter((word) => word !== '')
    const actualFlags = permissionFlags({ MUSTER_API_TOKEN_FILE: '/run/secrets/muster-token' })
    assert.deepEqual(
      documentedFlags,
      actualFlags.map((flag) => flag.replace(repositoryRoot, '/srv/muster/')),
    )
  })

  it('include the certificates that a database URL names', () => {
    const flags = permissionFlags({
      DATABASE_URL: 'postgres://u@h/d?sslmode=verify-full&sslrootcert=/etc/muster/ca.pem',
    })
    assert.ok(flags.includes('--allow-fs-read=/etc/muster/ca.pem'))
  })
})
