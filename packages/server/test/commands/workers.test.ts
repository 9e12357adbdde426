import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { serve, serviceOrigin, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
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
  let folder: string
  let tokenFile: string
  let database: TestDatabase
  let service: Command
  let origin: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-workers-'))
    tokenFile = join(folder, 'token')
    await writeFile(tokenFile, token)
    database = await createTestDatabase()
    const writeUrlFile = async (name: keyof typeof database.env): Promise<string> => {
      await writeFile(join(folder, name), `${database.env[name]}\n`)
      return join(folder, name)
    }
    const env = {
      DATABASE_URL_FILE: await writeUrlFile('DATABASE_URL'),
      DATABASE_READ_URL_FILE: await writeUrlFile('DATABASE_READ_URL'),
      MUSTER_API_TOKEN_FILE: tokenFile,
    }
    service = serve(env, { args: ['--workers', '2'] })
    origin = await serviceOrigin(service)
    await service.waitForOutput(/(its schema is up to date.*){2}/s)
    await untilListening(service, 2)
  })
  after(async () => {
    service.signal('SIGKILL')
    await service.exitPromise
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('share one port, and all of them respond', async () => {
    const pids = listeningPids(service)
    assert.equal(new Set(pids).size, 2)
    // The kernel distributes connections by a hash, so each worker receives at least one of forty connections.
    await Promise.all(
      Array.from({ length: 40 }, () => sendRequest(`${origin}/livez`, { headers: { connection: 'close' } })),
    )
    for (const pid of pids) await service.waitForOutput(new RegExp(`"pid":${pid},[^\n]*"route":"/livez"`))
  })

  /** Waits until the death of a worker is logged, and returns the pause before the next one starts. */
  const restartPauseMs = async (pid: number): Promise<number> => {
    const [, pauseMs] = await service.waitForOutput(
      new RegExp(`Worker ${pid} exited \\(SIGKILL\\); a new one starts in (\\d+) ms\\.`),
    )
    return Number(pauseMs)
  }
  let firstPauseMs: number

  it('do not leave the connections of a killed worker open', async () => {
    const [stoppedPid = 0] = listeningPids(service)
    // A stopped process accepts no more connections, and those in its accept queue stay there.
    process.kill(stoppedPid, 'SIGSTOP')
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').resume()
      socket.on('error', () => {})
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return socket
    })
    await waitUntil('the sockets are connected', async () => sockets.every(({ connecting }) => !connecting))
    process.kill(stoppedPid, 'SIGKILL')
    firstPauseMs = await restartPauseMs(stoppedPid)
    await waitUntil('no connection is open', async () => sockets.every(({ destroyed }) => destroyed))
  })

  it('are restarted when they die, after a pause that doubles with each early death', async () => {
    // A worker that lived for five seconds is replaced at once.
    assert.ok(firstPauseMs === 0 || firstPauseMs === 200, `${firstPauseMs} ms`)
    const newestPid = (await untilListening(service, 3)).at(-1) as number
    process.kill(newestPid, 'SIGKILL')
    assert.equal(await restartPauseMs(newestPid), firstPauseMs === 0 ? 200 : 400)
    await waitForStatus(`${origin}/livez`, 200)
  })

  it('have permissions that suffice for everything they serve, with the database URLs and the token in files', async () => {
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
    assert.doesNotMatch(service.output, /ERR_ACCESS_DENIED|Experimental/)
  })

  it('do not start if the workers of another muster process use the same port, which is logged only once', async () => {
    const { port } = new URL(origin)
    const secondService = serve({ DATABASE_URL: unreachableUrl, PORT: port }, { args: ['--workers', '2'] })
    assert.equal(await secondService.exitPromise, 1)
    assert.equal(secondService.output.match(/is already in use: stop the other process/g)?.length, 1)
  })

  it('are not started if their number is invalid', async () => {
    const { code, err } = await muster(['serve', '--workers', 'many'], { DATABASE_URL: unreachableUrl })
    assert.deepEqual([code, err], [1, 'MUSTER_WORKERS must be a whole number from 1 to 256, not "many".\n'])
  })

  it('read the token files again when the parent process receives SIGHUP', async () => {
    await untilListening(service, 4)
    const sendCreate = () => post(`${origin}/api/v1/leave`, { leave_type: 'annual' }, { connection: 'close' })
    await writeFile(tokenFile, 'another-token-of-more-than-thirty-two-characters')
    service.signal('SIGHUP')
    await service.waitForOutput(/(tokens were reloaded.*){2}/s)
    const statuses = (await Promise.all(Array.from({ length: 6 }, sendCreate))).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([401]))
    assert.doesNotMatch(service.output, /ERR_ACCESS_DENIED/)
  })

  it('exit when the parent process is killed', async () => {
    service.signal('SIGKILL')
    // The workers inherit the standard output of the parent, which closes only when all of them have exited.
    await service.exitPromise
    await assert.rejects(sendRequest(`${origin}/livez`))
  })
})

describe('the permission flags of a serving process', () => {
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
  it('do not allow the process anything else', () => {
    const attempts = forbiddenActions.map(
      ([action, code]) => `try { ${code}; results[${JSON.stringify(action)}] = 'done' }
        catch (error) { results[${JSON.stringify(action)}] = error.code }`,
    )
    const script = `const fs = require('node:fs'), results = {}; ${attempts.join('\n')}; console.log(JSON.stringify(results))`
    const flags = [...permissionFlags({}), '--input-type=commonjs', '--eval', script]
    const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
    assert.deepEqual(
      JSON.parse(stdout),
      Object.fromEntries(forbiddenActions.map(([action]) => [action, 'ERR_ACCESS_DENIED'])),
    )
  })

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
