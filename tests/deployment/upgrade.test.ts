/** Upgrade without downtime: the previous release works on the new schema while the new release runs beside it. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { TestDatabase } from '../support/database.ts'
import { createEmptyDatabase, createSeededDatabase } from '../support/database.ts'
import type { EarlierRelease } from '../support/earlier-release.ts'
import { unpackEarlierRelease } from '../support/earlier-release.ts'
import { post, sendRequest } from '../support/http.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'
import { token } from '../support/service.ts'

describe('the release before the newest migrations', () => {
  let earlierRelease: EarlierRelease
  const databases: TestDatabase[] = []
  const services: ServerProcess[] = []
  /** Starts the release in the folder, or the current sources if no folder is given. */
  const startService = async ({ env }: TestDatabase, folder = '', writeToken = token): Promise<ServerProcess> => {
    const service = await startServer({
      args: [join(folder, 'packages/server/bin/muster.js'), 'serve'],
      env: { ...env, MUSTER_API_TOKEN: writeToken, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
    services.push(service)
    return service
  }
  /**
   * Runs the acceptance tests of the earlier release. Returns the names of failed tests and the number of passed ones.
   */
  const runAcceptanceTests = async (serviceWithToken: ServerProcess, serviceWithoutToken: ServerProcess) => {
    const files = globSync('tests/acceptance/**/*.test.ts', { cwd: earlierRelease.folder })
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const testProcess = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
      cwd: earlierRelease.folder,
      env: {
        ...env,
        BASE_URL: `${serviceWithToken.origin}/api`,
        BASE_URL_WITHOUT_TOKEN: `${serviceWithoutToken.origin}/api`,
        MUSTER_API_TOKEN: token,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    testProcess.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    await once(testProcess, 'close')
    return {
      failed: [...output.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name),
      passed: Number(/^# pass (\d+)$/m.exec(output)?.[1]),
    }
  }
  /** Creates a database with the schema and the demo data of the earlier release. */
  const createEarlierDatabase = async (): Promise<TestDatabase> => {
    const database = await createEmptyDatabase()
    databases.push(database)
    for (const command of [['migrate'], ['seed', '--size', 'small']])
      await promisify(execFile)(
        process.execPath,
        [join(earlierRelease.folder, 'packages/server/bin/muster.js'), ...command],
        {
          env: { ...process.env, ...database.env },
        },
      )
    return database
  }
  before(async () => {
    earlierRelease = await unpackEarlierRelease()
  })
  after(async () => {
    for (const service of services) await service.stop()
    for (const database of databases) await database.drop()
    await earlierRelease?.remove()
  })

  it('passes its own acceptance tests on the new schema while the new release runs', async (t) => {
    const database = await createSeededDatabase()
    databases.push(database)
    const currentService = await startService(database)
    const earlierService = await startService(database, earlierRelease.folder)
    const { failed, passed } = await runAcceptanceTests(
      earlierService,
      await startService(database, earlierRelease.folder, ''),
    )
    const { commit, missingMigrations } = earlierRelease
    const newMigrations = missingMigrations.length === 0 ? 'no new migration' : missingMigrations.join(', ')
    t.diagnostic(`${commit.slice(0, 7)} on ${newMigrations}: ${passed} passed, ${failed.length} failed`)
    assert.ok(passed > 1_000)
    if (failed.length > 0) {
      // Only tests that pass on the schema of the earlier release count: other failures have nothing to do with the
      // upgrade.
      const earlierDatabase = await createEarlierDatabase()
      const resultOnOwnSchema = await runAcceptanceTests(
        await startService(earlierDatabase, earlierRelease.folder),
        await startService(earlierDatabase, earlierRelease.folder, ''),
      )
      t.diagnostic(`on its own schema: ${resultOnOwnSchema.passed} passed, ${resultOnOwnSchema.failed.length} failed`)
      assert.deepEqual(failed, resultOnOwnSchema.failed)
    }
    for (const [writer, reader] of [
      [earlierService, currentService],
      [currentService, earlierService],
    ] as const) {
      const slug = `both-${writer.pid}`
      const createResponse = await post(`${writer.origin}/api/v1/organizations`, { name: 'Both', slug })
      assert.equal(createResponse.status, 201)
      assert.equal((await sendRequest(`${reader.origin}/api/v1/organizations?slug=${slug}`)).json.meta.total, 1)
    }
  })
})
