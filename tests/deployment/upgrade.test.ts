/** Upgrade without downtime: the previous release works on the new schema while the new release runs beside it. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { migrate, readMigrationFiles } from '../../packages/server/src/postgres/schema/migrate.ts'
import type { TestDatabase } from '../support/database.ts'
import { createEmptyDatabase, createSeededDatabase } from '../support/database.ts'
import type { EarlierRelease } from '../support/earlier-release.ts'
import { unpackEarlierRelease } from '../support/earlier-release.ts'
import { post, sendRequest } from '../support/http.ts'
import { muster } from '../support/muster.ts'
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
    for (const command of [['migrate'], ['seed', '--size', 'small']]) await runEarlier(database, ...command)
    return database
  }
  /** Runs a command of the earlier release. */
  const runEarlier = ({ env }: TestDatabase, ...command: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(earlierRelease.folder, 'packages/server/bin/muster.js'), ...command], {
      env: { ...process.env, ...env },
    })
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

  it('keeps the triggers of the history when it repairs the row counts', async () => {
    const database = await createSeededDatabase()
    databases.push(database)
    const [before] = await database.query<{ id: number }>('select max(id) as id from history')
    const repair = runEarlier(database, 'doctor', '--repair')
    // Other checks find something wrong in a test database, so the exit code says nothing.
    const { stdout } = await repair.catch((error: { stdout: string }) => error)
    assert.match(stdout, /^employees +off by 0/m)
    await database.execute(`update employees set branch = 'Graz' where id = 7`)
    assert.deepEqual(await database.query('select record_id, field, new from history where id > $1', [before?.id]), [
      { record_id: 7, field: 'branch', new: 'Graz' },
    ])
    const { out } = await muster(['doctor'], { DATABASE_URL: database.url })
    for (const check of ['triggers', 'history']) assert.match(out, new RegExp(`^ok +${check} `, 'm'))
  })
})

describe('a database from before the history', () => {
  it('has a history from the day of the migration on', async () => {
    const database = await createEmptyDatabase()
    try {
      const files = (await readMigrationFiles()).filter(({ name }) => name < '0012')
      await migrate(database.url, { files })
      await database.execute(`
        insert into employees (status, branch) values ('active', 'Wien'), ('active', 'Rom');
        update employees set branch = 'Linz' where id = 1`)
      await migrate(database.url)
      const entries = () => database.query('select record_id, field, old, new from history')
      assert.deepEqual(await entries(), [])
      const [days] = await database.query<Record<string, number>>(
        `select count(*) as resources, count(*) filter (where day < (now() at time zone 'utc')::date - 1) as earlier from muster_history_from`,
      )
      assert.deepEqual(days, { resources: 6, earlier: 0 })
      assert.deepEqual(await database.query(`select branch from muster_values_on_employees('2020-01-01') order by 1`), [
        { branch: 'Linz' },
        { branch: 'Rom' },
      ])
      await database.execute(`update employees set branch = 'Graz' where id = 1`)
      assert.deepEqual(await entries(), [{ record_id: 1, field: 'branch', old: 'Linz', new: 'Graz' }])
      const { out } = await muster(['doctor'], { DATABASE_URL: database.url })
      for (const check of ['triggers', 'counts', 'history']) assert.match(out, new RegExp(`^ok +${check} `, 'm'))
    } finally {
      await database.drop()
    }
  })
})
