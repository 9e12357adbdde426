/** A field is added to 50,000 employees while services of the previous release are read from and written to. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createClient } from '@muster/client'
import { name, resource, resourceAt, resources, storageMigration, storageOf } from '@muster/model'
import { migrate, readMigrationFiles, schemaState } from '../../packages/server/src/postgres/schema/migrate.ts'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase, withClient } from '../support/database.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'
import { token } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const employeeCount = 50_000

/** The migration that `npm run generate` would write for a new field of employees. */
const fieldMigration = () => {
  const employees = resourceAt('employees')
  const extended = resource({
    ...employees,
    fields: { ...employees.fields, cost_center: name('Cost center.', { filter: true }) },
  })
  const change = storageMigration(
    storageOf(resources),
    storageOf(resources.map((each) => (each.path === 'employees' ? extended : each))),
  )
  assert.equal(change.kind, 'migration')
  const sql = change.kind === 'migration' ? change.migration.sql : ''
  return { name: '9999-employees-cost-center.sql', sql, sha256: 'sum' }
}

describe(`a field added to ${employeeCount} employees`, () => {
  let database: TestDatabase
  let service: ServerProcess
  before(async () => {
    database = await createTestDatabase()
    await database.query(
      `insert into employees (code, first_name, last_name, email, designation, branch, status, date_of_joining, gender, base_salary, employment_type)
       select 'E' || g, 'Given' || g % 977, 'Family' || g % 1999, 'p' || g || '@example.com', 'Engineer', 'Berlin', 'active', date '2020-01-01' + g % 2000,
         'f', 50000 + g % 1000, 'full_time' from generate_series(1, ${employeeCount}) g`,
    )
    service = await startServer({
      args: ['packages/server/bin/muster.js', 'serve'],
      env: { ...database.env, MUSTER_API_TOKEN: token, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('fails no read and no create of a client that repeats refused requests', async () => {
    const muster = createClient({ baseUrl: `${service.origin}/api`, token, retry: { attempts: 100 } })
    const isDone = new AbortController()
    let slowestMs = 0
    let slowestDuringMs = 0
    let requests = 0
    let isMigrating = false
    const created: number[] = []
    const repeat = async (send: (turn: number) => Promise<unknown>): Promise<void> => {
      for (let turn = 1; !isDone.signal.aborted; turn += 1) {
        const startedAt = performance.now()
        const hasBegunDuring = isMigrating
        await send(turn)
        const ms = performance.now() - startedAt
        requests += 1
        if (hasBegunDuring || isMigrating) slowestDuringMs = Math.max(slowestDuringMs, ms)
        else slowestMs = Math.max(slowestMs, ms)
        await setImmediate()
      }
    }
    const clients = [
      ...[1, 2].map((reader) =>
        repeat((turn) => muster.employees.list({ limit: 50, offset: (turn * 50 * reader) % employeeCount })),
      ),
      repeat((turn) => muster.employees.get(1 + (turn % employeeCount))),
      repeat((turn) => muster.employees.list({ q: `family${turn % 1999}`, limit: 10 })),
      ...[1, 2].map(() =>
        repeat(async (turn) => {
          const { id } = await muster.leave.create({ employee_id: 1 + (turn % employeeCount), leave_type: 'annual' })
          created.push(id)
        }),
      ),
    ]
    await waitUntil('200 requests', async () => requests > 200)
    isMigrating = true
    const startedAt = performance.now()
    await migrate(database.env.DATABASE_MIGRATE_URL, { files: [...(await readMigrationFiles()), fieldMigration()] })
    const migrationMs = performance.now() - startedAt
    isMigrating = false
    assert.equal((await withClient(database.url, (client) => schemaState(client))).state, 'expanded')
    const requestsBefore = requests
    await waitUntil('200 more requests', async () => requests > requestsBefore + 200)
    isDone.abort()
    await Promise.all(clients)
    const [stored] = await database.query<{ count: number }>('select count(*) as count from leave_requests')
    assert.equal(stored?.count, new Set(created).size)
    const first = await (await fetch(`${service.origin}/api/v1/employees/1`)).json()
    assert.equal((first as Record<string, unknown>).cost_center, null)
    console.log(
      `migration ${Math.round(migrationMs)} ms, ${requests} requests, 0 failed, slowest ${Math.round(slowestDuringMs)} ms during the migration, ${Math.round(slowestMs)} ms otherwise`,
    )
  })
})
