/** The service in the container image runs as an account without write permission and reads its secrets from files. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { freePort, startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { post, sendRequest } from '../support/http.ts'
import { waitUntil } from '../support/wait.ts'
import type { Image } from './image.ts'
import { buildImage } from './image.ts'

const isRoot = process.getuid?.() === 0
/** The account that the USER instruction of the Dockerfile sets. */
const account = isRoot ? { uid: 1000, gid: 1000 } : {}

describe('the content of the image', () => {
  let server: EmbeddedPostgres
  let image: Image
  let secretsFolder: string
  before(async () => {
    server = await startEmbeddedPostgres()
    image = await buildImage()
    secretsFolder = mkdtempSync(join(tmpdir(), 'muster-secrets-'))
    const host = new URL(server.url).host
    execFileSync(process.execPath, [
      join(import.meta.dirname, '..', '..', 'deploy', 'make-secrets.ts'),
      '--folder',
      secretsFolder,
      '--host',
      host,
    ])
    // Containers mount each file. Here the account reads the files through the folder, which must therefore be
    // readable.
    chmodSync(secretsFolder, 0o755)
    await execute('postgres', 'create database muster')
    await execute('muster', readSecret('roles.sql'))
    // Without root the test runs as the owner of the files, so their write permission is removed.
    if (!isRoot) execFileSync('chmod', ['-R', 'a-w', image.folder])
  })
  after(async () => {
    for (const child of startedProcesses) {
      if (child.exitCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    if (!isRoot) execFileSync('chmod', ['-R', 'u+w', image.folder])
    rmSync(secretsFolder, { recursive: true })
    await image.remove()
    await server.stop()
  })

  const readSecret = (name: string): string => readFileSync(join(secretsFolder, name), 'utf8').trim()
  const execute = async (database: string, sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(server.url), { pathname: database }).href })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  const startedProcesses: ChildProcess[] = []
  const startNode = (args: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(image.node, args, {
      ...account,
      cwd: image.workingFolder,
      env: {
        NODE_ENV: 'production',
        DATABASE_URL_FILE: join(secretsFolder, 'writer_url'),
        DATABASE_READ_URL_FILE: join(secretsFolder, 'reader_url'),
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    startedProcesses.push(child)
    return child
  }
  /** Waits up to a minute: without a compile cache the service starts slowly on a busy machine. */
  const waitUntilReady = (url: string): Promise<number> =>
    waitUntil(
      `${url} is 200`,
      () =>
        sendRequest(url).then(
          ({ status }) => status === 200,
          () => false,
        ),
      60_000,
    )
  const waitForExit = async (child: ChildProcess): Promise<number | null> =>
    (await once(child, 'exit'))[0] as number | null

  it('contains neither tests nor development packages', () => {
    const paths = readdirSync(image.workingFolder, { recursive: true, encoding: 'utf8' })
    assert.ok(paths.includes('packages/server/bin/muster.js'))
    assert.ok(paths.includes('packages/server/console/index.html'))
    assert.deepEqual(
      paths.filter((path) => /^packages\/[a-z-]+\/test\/|^node_modules\/(typescript|@biomejs|react|vite)/.test(path)),
      [],
    )
  })

  it('migrates the database as the owner of the tables', async () => {
    const env = { DATABASE_MIGRATE_URL_FILE: join(secretsFolder, 'owner_url') }
    assert.equal(await waitForExit(startNode(['packages/server/bin/muster.js', 'migrate'], env)), 0)
  })

  for (const workers of ['1', '2']) {
    it(`serves requests from read-only files with MUSTER_WORKERS=${workers}`, async () => {
      const PORT = String(await freePort())
      const service = startNode(['packages/server/bin/muster.js', 'serve'], {
        PORT,
        MUSTER_WORKERS: workers,
        MUSTER_API_TOKEN_FILE: join(secretsFolder, 'api_token'),
        MUSTER_LOG_LEVEL: 'warn',
      })
      await waitUntilReady(`http://127.0.0.1:${PORT}/readyz`)
      const url = `http://127.0.0.1:${PORT}/api/v1/leave`
      const createResponse = await post(
        url,
        { leave_type: 'annual' },
        { authorization: `Bearer ${readSecret('api_token')}` },
      )
      assert.equal(createResponse.status, 201)
      assert.equal((await sendRequest(url)).json.meta.total, Number(workers))
      assert.equal((await sendRequest(`http://127.0.0.1:${PORT}/api/docs`)).status, 200)
      const consoleUrl = `http://127.0.0.1:${PORT}/console/`
      const script = / src="([^"]+)"/.exec((await sendRequest(consoleUrl)).text)?.[1] ?? ''
      assert.equal((await sendRequest(new URL(script, consoleUrl).href)).status, 200)
      assert.equal(await waitForExit(startNode(['deploy/health-check.js'], { PORT })), 0)
      service.kill('SIGTERM')
      assert.equal(await waitForExit(service), 0)
      assert.notEqual(await waitForExit(startNode(['deploy/health-check.js'], { PORT })), 0)
    })
  }

  it('writes no compile cache into the image', () => {
    assert.ok(!readdirSync(join(image.workingFolder, 'node_modules')).includes('.cache'))
  })
})
