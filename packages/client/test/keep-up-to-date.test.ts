/** Runs the commands of docs/keep-a-copy-up-to-date.md, and the example that it names. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('docs/keep-a-copy-up-to-date.md', () => {
  let database: TestDatabase
  let service: RunningService
  let folder: string
  let blocks: string[]
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    folder = await mkdtemp(join(tmpdir(), 'muster-copy-'))
    const text = await readFile(join(root, 'docs', 'keep-a-copy-up-to-date.md'), 'utf8')
    blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands ?? '')
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const runBlock = async (commands: string): Promise<string> => {
    const script = commands.replaceAll('packages/client/', join(root, 'packages/client/'))
    const env = { PATH: process.env.PATH, MUSTER_URL: service.baseUrl }
    return (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })).stdout
  }
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

  it('has commands that copy a file, and then read what changed since', async () => {
    const [setUrl = '', copy = '', follow = '', stream = ''] = blocks
    await runBlock(setUrl)
    await runBlock(copy)
    const count = Number((await database.query<{ count: number }>('select count(*) from leave_requests'))[0]?.count)
    assert.equal((await read('leave.ndjson')).trimEnd().split('\n').length, count)
    await database.query("update leave_requests set reason = 'changed' where id = 3")
    await waitUntil('the change is shown', async () => {
      await runBlock(follow)
      return JSON.parse(await read('changes.json')).data.length > 0
    })
    const { data } = JSON.parse(await read('changes.json'))
    assert.deepEqual([data[0].resource, data[0].id, data[0].kind], ['leave', 3, 'updated'])
    await runBlock(stream)
    assert.match(await read('events.txt'), /^id: \S+\ndata: \{"resource":"leave","id":3,"kind":"updated"/m)
  })

  it('names an example whose copy equals the records after each run, also after a restore', async () => {
    const command = blocks.at(-1) ?? ''
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
    assert.match(await runBlock(command), /^\d+ records\n$/)
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
    await runBlock(command)
    await expectSameRecords()
    assert.notEqual(cursorInCopy(), before)
    await database.execute('refresh materialized view muster_epoch')
    await database.query('delete from leave_requests where id % 7 = 0')
    await runBlock(command)
    await expectSameRecords()
  })
})
