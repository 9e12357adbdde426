/** An upgrade needs no pause: the release before the newest migration serves on over the new schema, beside the new one. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { ServerProcess } from '../../bench/child-server.ts'
import { startServer } from '../../bench/child-server.ts'
import type { TestDatabase } from '../../service/test/support/database.ts'
import { createEmptyDatabase, createSeededDatabase } from '../../service/test/support/database.ts'
import { ask, post } from '../../service/test/support/http.ts'
import { token } from '../../service/test/support/service.ts'
import type { EarlierRelease } from './earlier-release.ts'
import { unpackEarlierRelease } from './earlier-release.ts'

describe('the release before the newest migration', () => {
  let earlier: EarlierRelease
  const databases: TestDatabase[] = []
  const services: ServerProcess[] = []
  /** A service of the release in a folder; of this one where none is given. */
  const start = async ({ env }: TestDatabase, folder = '', secret = token): Promise<ServerProcess> => {
    const service = await startServer({
      args: [join(folder, 'service/bin/muster.js'), 'serve'],
      env: { ...env, MUSTER_API_TOKEN: secret, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
    services.push(service)
    return service
  }
  /** Runs the suite of the earlier release against its services; the names of what failed, and how much passed. */
  const accept = async (writing: ServerProcess, reading: ServerProcess) => {
    const files = globSync('acceptance/**/*.test.ts', { cwd: earlier.folder })
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const suite = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
      cwd: earlier.folder,
      env: {
        ...env,
        BASE_URL: `${writing.origin}/api`,
        BASE_URL_WITHOUT_TOKEN: `${reading.origin}/api`,
        MUSTER_API_TOKEN: token,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    suite.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    await once(suite, 'close')
    return {
      failed: [...said.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name),
      passed: Number(/^# pass (\d+)$/m.exec(said)?.[1]),
    }
  }
  /** A database of the earlier release, with the tables and records that it makes itself. */
  const ownDatabase = async (): Promise<TestDatabase> => {
    const database = await createEmptyDatabase()
    databases.push(database)
    for (const command of [['migrate'], ['seed', '--size', 'small']])
      await promisify(execFile)(process.execPath, [join(earlier.folder, 'service/bin/muster.js'), ...command], {
        env: { ...process.env, ...database.env },
      })
    return database
  }
  before(async () => {
    earlier = await unpackEarlierRelease()
  })
  after(async () => {
    for (const service of services) await service.stop()
    for (const database of databases) await database.drop()
    await earlier?.remove()
  })

  it('passes its own acceptance suite over the new schema, while the new release serves beside it', async (t) => {
    const database = await createSeededDatabase()
    databases.push(database)
    const present = await start(database)
    const old = await start(database, earlier.folder)
    const { failed, passed } = await accept(old, await start(database, earlier.folder, ''))
    t.diagnostic(`${earlier.commit.slice(0, 7)} over ${earlier.newest}: ${passed} passed, ${failed.length} failed`)
    assert.ok(passed > 1_000)
    if (failed.length > 0) {
      // What it fails at home is no fault of the new schema.
      const home = await ownDatabase()
      const atHome = await accept(await start(home, earlier.folder), await start(home, earlier.folder, ''))
      t.diagnostic(`over its own: ${atHome.passed} passed, ${atHome.failed.length} failed`)
      assert.deepEqual(failed, atHome.failed)
    }
    for (const [writer, reader] of [
      [old, present],
      [present, old],
    ] as const) {
      const slug = `both-${writer.pid}`
      const created = await post(`${writer.origin}/api/v1/organizations`, { name: 'Both', slug })
      assert.equal(created.status, 201)
      assert.equal((await ask(`${reader.origin}/api/v1/organizations?slug=${slug}`)).json.meta.total, 1)
    }
  })
})
