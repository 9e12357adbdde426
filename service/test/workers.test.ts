/** Several processes on one port: the dead are replaced, signals reach all, and each has only the rights it needs. */
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
import { servingFlags } from '../src/commands/rights.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { Command } from './support/process.ts'
import { end, listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

const away = 'postgres://127.0.0.1:1/none'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The processes that have said so far that they listen, in that order. */
const listeners = (service: Command): number[] =>
  [...service.said.matchAll(/"pid":(\d+),[^\n]*Server listening/g)].map((match) => Number(match[1]))

/** Resolves with them once there are so many. */
const untilListening = async (service: Command, count: number): Promise<number[]> => {
  await service.says(new RegExp(`(Server listening.*){${count}}`, 's'))
  return listeners(service)
}

describe('several workers', () => {
  it('share one port, and each answers', async () => {
    const service = serve({ DATABASE_URL: away }, { args: ['--workers', '3'] })
    const pids = await untilListening(service, 3)
    const host = await listening(service)
    assert.equal(new Set(pids).size, 3)
    // The kernel distributes connections by a hash: of sixty, at least one reaches each worker.
    await Promise.all(Array.from({ length: 60 }, () => ask(`${host}/livez`, { headers: { connection: 'close' } })))
    for (const pid of pids) await service.says(new RegExp(`"pid":${pid},[^\n]*"route":"/livez"`))
    await end(service)
  })

  it('are replaced when they die, after pauses that grow while they die young', async () => {
    const service = serve({ DATABASE_URL: away }, { args: ['--workers', '2'] })
    const host = await listening(service)
    await untilListening(service, 2)
    for (let death = 1; death <= 3; death += 1) {
      const victim = (await untilListening(service, death + 1)).at(-1) as number
      process.kill(victim, 'SIGKILL')
      const pause = 200 * 2 ** (death - 1)
      await service.says(new RegExp(`Worker ${victim} ended \\(SIGKILL\\); another starts in ${pause} ms\\.`))
      await until(`${host}/livez`, 200)
    }
    await untilListening(service, 5)
    await end(service)
  })

  it('leave no connection open if a worker is killed before it has responded', async () => {
    const service = serve({ DATABASE_URL: away }, { args: ['--workers', '2'] })
    const port = Number(new URL(await listening(service)).port)
    const pids = await untilListening(service, 2)
    const [stopped = 0] = pids
    // A stopped worker accepts nothing more, and keeps the connections in its accept queue.
    process.kill(stopped, 'SIGSTOP')
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(port, '127.0.0.1').resume()
      socket.on('error', () => {})
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return socket
    })
    while (sockets.some(({ connecting }) => connecting)) await pause(20)
    process.kill(stopped, 'SIGKILL')
    const openSockets = () => sockets.filter(({ destroyed }) => !destroyed).length
    const deadline = performance.now() + 5_000
    while (openSockets() > 0 && performance.now() < deadline) await pause(20)
    const pending = openSockets()
    for (const socket of sockets) socket.destroy()
    await end(service)
    assert.equal(pending, 0, `${pending} of 40 connections were still open after five seconds`)
  })

  it('do not start beside another service on the same port', async () => {
    const first = serve({ DATABASE_URL: away }, { args: ['--workers', '2'] })
    const { port } = new URL(await listening(first))
    const second = serve({ DATABASE_URL: away, PORT: port }, { args: ['--workers', '2'] })
    assert.equal(await second.ended, 1)
    assert.match(second.said, /is taken: stop what listens there/)
    await end(first)
  })

  it('read the token files again when the first process is told to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-tokens-'))
    const file = join(folder, 'token')
    await writeFile(file, token)
    const database = await createTestDatabase()
    const service = serve({ ...database.env, MUSTER_API_TOKEN_FILE: file }, { args: ['--workers', '2'] })
    await untilListening(service, 2)
    const url = `${await listening(service)}/api/v1/leave`
    await service.says(/(its schema is this release’s.*){2}/s)
    const create = () => post(url, { leave_type: 'annual' }, { connection: 'close' })
    assert.equal((await create()).status, 201)
    await writeFile(file, 'another-token-of-more-than-thirty-two-characters')
    service.signal('SIGHUP')
    await service.says(/(tokens were read again.*){2}/s)
    const statuses = (await Promise.all(Array.from({ length: 6 }, create))).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([401]))
    await end(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('do not start on a port that is taken, which is said once', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const service = serve({ DATABASE_URL: away, PORT: String(port) }, { args: ['--workers', '2'] })
    assert.equal(await service.ended, 1)
    assert.equal(service.said.match(/is taken: stop what listens there/g)?.length, 1)
    other.close()
  })

  it('are not started in a number that is none', async () => {
    const service = serve({ DATABASE_URL: away }, { args: ['--workers', 'many'] })
    assert.equal(await service.ended, 1)
    assert.match(service.said, /^MUSTER_WORKERS should be a whole number from 1 to 256, and is "many"\.\n$/)
  })

  it('end when the first process is killed', async () => {
    const service = serve({ DATABASE_URL: away }, { args: ['--workers', '2'] })
    const host = await listening(service)
    await untilListening(service, 2)
    service.signal('SIGKILL')
    // Its output is theirs too, and closes when all are gone.
    await service.ended
    await assert.rejects(ask(`${host}/livez`))
  })
})

describe('the rights of a serving process', () => {
  it('are enough for everything it serves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-rights-'))
    const file = join(folder, 'token')
    await writeFile(file, token)
    const database = await createTestDatabase()
    const env = { ...database.env, MUSTER_API_TOKEN_FILE: file }
    const service = serve(env, { flags: servingFlags(env) })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    for (const path of [
      '/api',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/api/v1/employees',
      '/api/v1/health',
    ])
      assert.equal((await ask(`${host}${path}`)).status, 200, path)
    assert.equal((await post(`${host}/api/v1/leave`, { leave_type: 'annual' })).status, 201)
    service.signal('SIGHUP')
    await service.says(/tokens were read again/)
    await end(service)
    assert.doesNotMatch(service.said, /ERR_ACCESS_DENIED|Experimental/)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const attempts: [what: string, code: string][] = [
    ['read a file of the system', `fs.readFileSync('/etc/passwd')`],
    ['read the repository beside the code', `fs.readFileSync(${JSON.stringify(join(root, 'package.json'))})`],
    ['list the folder above', `fs.readdirSync(${JSON.stringify(root)})`],
    ['write into its own code', `fs.writeFileSync(${JSON.stringify(join(root, 'service/bin/x'))}, '')`],
    ['write elsewhere', `fs.writeFileSync(require('node:path').join(require('node:os').tmpdir(), 'muster-x'), '')`],
    ['change its own code', `fs.appendFileSync(${JSON.stringify(join(root, 'service/bin/muster.ts'))}, '')`],
    ['date its own code anew', `fs.utimesSync(${JSON.stringify(join(root, 'service/bin/muster.ts'))}, 0, 0)`],
    ['start a process', `require('node:child_process').spawnSync('true')`],
    ['start a thread', `new (require('node:worker_threads').Worker)('', { eval: true })`],
    ['open the debugger', `require('node:inspector').open(0)`],
  ]
  for (const [what, code] of attempts) {
    it(`do not let it ${what}`, () => {
      const script = `const fs = require('node:fs'); try { ${code}; console.log('done') } catch (error) { console.log(error.code) }`
      const { stdout } = spawnSync(process.execPath, [...servingFlags({}), '--input-type=commonjs', '--eval', script])
      assert.equal(stdout.toString().trim(), 'ERR_ACCESS_DENIED')
    })
  }

  it('are documented as they are given', async () => {
    const document = await readFile(join(root, 'docs/command-line.md'), 'utf8')
    const [, block = ''] = /```sh\nnode (--permission[^`]*?)service\/bin\/muster\.js serve\n```/.exec(document) ?? []
    const documented = block.split(/[\s\\]+/).filter((word) => word !== '')
    const given = servingFlags({ MUSTER_API_TOKEN_FILE: '/run/secrets/muster-token' })
    assert.deepEqual(
      documented,
      given.map((flag) => flag.replace(root, '/srv/muster/')),
    )
  })

  it('include the certificates that a database address names', () => {
    const flags = servingFlags({ DATABASE_URL: 'postgres://u@h/d?sslmode=verify-full&sslrootcert=/etc/muster/ca.pem' })
    assert.ok(flags.includes('--allow-fs-read=/etc/muster/ca.pem'))
  })
})
