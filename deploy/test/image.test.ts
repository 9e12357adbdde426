/** What the Dockerfile puts together serves: as an account that may write nothing, with every secret in a file. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { until } from '../../faults/wait.ts'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { freePort } from '../../scripts/free-port.ts'
import { ask, post } from '../../service/test/support/http.ts'
import type { Image } from './image.ts'
import { buildImage } from './image.ts'

const isRoot = process.getuid?.() === 0
/** The account of the Dockerfile's last USER. */
const account = isRoot ? { uid: 1000, gid: 1000 } : {}

describe('the content of the image', () => {
  let server: EmbeddedPostgres
  let image: Image
  let secrets: string
  before(async () => {
    server = await startEmbeddedPostgres()
    image = await buildImage()
    secrets = mkdtempSync(join(tmpdir(), 'muster-secrets-'))
    const host = new URL(server.url).host
    execFileSync(process.execPath, [
      join(import.meta.dirname, '../make-secrets.ts'),
      '--folder',
      secrets,
      '--host',
      host,
    ])
    // Containers are given the files themselves, and not the way to them.
    chmodSync(secrets, 0o755)
    await execute('postgres', 'create database muster')
    await execute('muster', secret('roles.sql'))
    // Where the account owns the files, it may not write them either.
    if (!isRoot) execFileSync('chmod', ['-R', 'a-w', image.folder])
  })
  after(async () => {
    for (const child of started) {
      if (child.exitCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    if (!isRoot) execFileSync('chmod', ['-R', 'u+w', image.folder])
    rmSync(secrets, { recursive: true })
    await image.remove()
    await server.stop()
  })

  const secret = (name: string): string => readFileSync(join(secrets, name), 'utf8').trim()
  const execute = async (database: string, sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(server.url), { pathname: database }).href })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  const started: ChildProcess[] = []
  const start = (args: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(image.node, args, {
      ...account,
      cwd: image.workingFolder,
      env: {
        NODE_ENV: 'production',
        DATABASE_URL_FILE: join(secrets, 'writer_url'),
        DATABASE_READ_URL_FILE: join(secrets, 'reader_url'),
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    started.push(child)
    return child
  }
  /** Nothing was compiled before, which on a busy machine takes its time. */
  const ready = (url: string): Promise<number> =>
    until(
      `${url} is 200`,
      () =>
        ask(url).then(
          ({ status }) => status === 200,
          () => false,
        ),
      60_000,
    )
  const ended = async (child: ChildProcess): Promise<number | null> => (await once(child, 'exit'))[0] as number | null

  it('holds neither tests nor packages of development', () => {
    const all = readdirSync(image.workingFolder, { recursive: true, encoding: 'utf8' })
    assert.ok(all.includes('service/bin/muster.js'))
    assert.deepEqual(
      all.filter((path) => /^(service|model)\/test|^node_modules\/(typescript|@biomejs)/.test(path)),
      [],
    )
  })

  it('migrates as the owner', async () => {
    const env = { DATABASE_MIGRATE_URL_FILE: join(secrets, 'owner_url') }
    assert.equal(await ended(start(['service/bin/muster.js', 'migrate'], env)), 0)
  })

  for (const workers of ['1', '2']) {
    it(`serves from files that it cannot write, with ${workers} at work`, async () => {
      const PORT = String(await freePort())
      const service = start(['service/bin/muster.js', 'serve'], {
        PORT,
        MUSTER_WORKERS: workers,
        MUSTER_API_TOKEN_FILE: join(secrets, 'api_token'),
        MUSTER_LOG_LEVEL: 'warn',
      })
      await ready(`http://127.0.0.1:${PORT}/readyz`)
      const url = `http://127.0.0.1:${PORT}/api/v1/leave`
      const created = await post(url, { leave_type: 'annual' }, { authorization: `Bearer ${secret('api_token')}` })
      assert.equal(created.status, 201)
      assert.equal((await ask(url)).json.meta.total, Number(workers))
      assert.equal((await ask(`http://127.0.0.1:${PORT}/api/docs`)).status, 200)
      assert.equal(await ended(start(['deploy/health-check.js'], { PORT })), 0)
      service.kill('SIGTERM')
      assert.equal(await ended(service), 0)
      assert.notEqual(await ended(start(['deploy/health-check.js'], { PORT })), 0)
    })
  }

  it('has written nothing of its own, not even what it compiled', () => {
    assert.ok(!readdirSync(join(image.workingFolder, 'node_modules')).includes('.cache'))
  })
})
