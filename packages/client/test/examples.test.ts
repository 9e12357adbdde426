/** Runs the programs in examples/. `npm test -- documents` runs the examples in README.md. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'
import { waitUntil } from '../../../tests/support/wait.ts'

const run = promisify(execFile)
const exampleFile = (name: string): string => fileURLToPath(new URL(`../examples/${name}`, import.meta.url))

describe('the example', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-copy-'))
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const runExample = async (name: string, args: readonly string[] = []): Promise<string> => {
    const env = { PATH: process.env.PATH, MUSTER_URL: service.baseUrl, FOLDER: folder }
    return (await run(process.execPath, [exampleFile(name), ...args], { cwd: folder, env })).stdout
  }

  it('nightly-copy copies employees and applications in at most 12 lines', async () => {
    const code = (await readFile(exampleFile('nightly-copy.ts'), 'utf8'))
      .split('\n')
      .filter((line) => !/^\s*(\/\/.*|\/\*\*.*)?$/.test(line))
    assert.ok(code.length <= 12, `${code.length} lines`)
    await runExample('nightly-copy.ts')
    assert.deepEqual(await readdir(folder), ['applications.ndjson', 'employees.ndjson'])
    for (const name of ['employees', 'applications']) {
      const exported = await (await fetch(`${service.baseUrl}/v1/${name}?format=ndjson`)).text()
      const rewritten = exported.replaceAll(/.+/g, (line) => JSON.stringify(JSON.parse(line)))
      assert.equal(await readFile(join(folder, `${name}.ndjson`), 'utf8'), rewritten)
      assert.ok(rewritten.split('\n').length > 100)
    }
  })

  it('keep-up-to-date makes a copy that equals the records after each run, also after a restore', async () => {
    const update = () => runExample('keep-up-to-date.ts', ['copy.sqlite'])
    const expectSameRecords = async () => {
      const copy = new DatabaseSync(join(folder, 'copy.sqlite'))
      const records = copy.prepare('select resource, id, json from record order by resource, id').all()
      copy.close()
      const stored = await database.query<{ resource: string; id: number; json: string }>(
        `select 'employees' as resource, id, record_json as json from employees
         union all select 'leave', id, record_json from leave_requests order by 1, 2`,
      )
      assert.deepEqual(
        records.map(({ resource, id, json }) => [resource, id, JSON.parse(String(json))]),
        stored.map(({ resource, id, json }) => [resource, id, JSON.parse(json)]),
      )
    }
    const cursorInCopy = (): unknown => {
      const copy = new DatabaseSync(join(folder, 'copy.sqlite'))
      const row = copy.prepare('select cursor from position').get()
      copy.close()
      return row?.cursor
    }
    assert.match(await update(), /^\d+ records\n$/)
    await expectSameRecords()
    const before = cursorInCopy()
    await database.query("update employees set designation = 'Changed' where id % 3 = 0")
    await database.query('delete from leave_requests where id % 5 = 0')
    await database.query("insert into leave_requests (leave_type, status) values ('annual', 'pending')")
    const last = await database.query<{ id: number }>('select max(id) as id from leave_requests')
    await waitUntil('the changes are shown', async () => {
      const response = await fetch(`${service.baseUrl}/v1/changes?after=${before}&resource=leave`)
      const { data } = (await response.json()) as { data: { id: number }[] }
      return data.some(({ id }) => id === last[0]?.id)
    })
    await update()
    await expectSameRecords()
    assert.notEqual(cursorInCopy(), before)
    await database.execute('refresh materialized view muster_epoch')
    await database.query('delete from leave_requests where id % 7 = 0')
    await update()
    await expectSameRecords()
  })
})
