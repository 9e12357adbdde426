import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources, trackedFields } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

describe('/v1/<resource>/{item_id}/history', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      update muster_history_from set day = '2024-05-06';
      insert into candidates (status) values ('active');
      insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
      insert into applications (candidate_id, job_id, stage, status, applied_on, stage_entered_on)
        values (1, 1, 'applied', 'active', '2025-01-02', '2025-01-02'), (1, 1, 'applied', 'active', null, '2025-01-02');
      update applications set stage = 'interview', stage_entered_on = '2025-01-09' where id = 1;
      begin; set local muster.effective_on = '2025-01-20'; update applications set status = 'rejected' where id = 1; commit;
      update applications set stage = 'offer', stage_entered_on = '2025-01-15' where id = 1;
    `)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const request = (path: string, headers: Record<string, string> = {}) =>
    sendRequest(`${service.baseUrl}/v1/${path}`, { headers })

  it('has the first value of each tracked field, and then the changes in the order of their days', async () => {
    const { json, status } = await request('applications/1/history')
    assert.equal(status, 200)
    const rows = json.data.map((entry: Record<string, unknown>) => [
      entry.field,
      entry.old,
      entry.new,
      entry.on,
      entry.since,
      entry.id === null,
      entry.at === null,
    ])
    assert.deepEqual(rows, [
      ['stage', null, 'applied', '2025-01-02', null, true, true],
      ['status', null, 'active', '2025-01-02', null, true, true],
      ['stage', 'applied', 'interview', '2025-01-09', '2025-01-02', false, false],
      ['stage', 'interview', 'offer', '2025-01-15', '2025-01-09', false, false],
      ['status', 'active', 'rejected', '2025-01-20', null, false, false],
    ])
    assert.deepEqual(json.meta, { total: 5, history_from: '2024-05-06' })
  })

  it('has the changes as the list has them', async () => {
    const { json } = await request('applications/1/history')
    const list = await request('history?resource=applications&record_id=1&sort=on')
    assert.deepEqual(
      json.data.slice(2),
      list.json.data.map(({ resource: _, record_id: __, ...entry }: Record<string, unknown>) => entry),
    )
  })

  it('has a first day of null if the record has none', async () => {
    const { json } = await request('applications/2/history')
    assert.deepEqual(
      json.data.map(({ field, new: value, on }: Record<string, unknown>) => [field, value, on]),
      [
        ['stage', 'applied', null],
        ['status', 'active', null],
      ],
    )
  })

  it('responds 404 for records that do not exist and for resources without tracked fields', async () => {
    for (const { path, ...resource } of resources) {
      const { status, json } = await request(`${path}/999/history`)
      assert.deepEqual([status, json.error.code], [404, 'not_found'], path)
      if (trackedFields(resource).length > 0) assert.equal((await request(`${path}/x/history`)).status, 404)
    }
    assert.equal((await request('departments/1/history')).status, 404)
    assert.equal((await request(`employees/${'1'.repeat(256)}/history`)).status, 422)
    assert.equal((await request('employees/%FF/history')).status, 422)
  })

  it('rejects unknown parameters only with strict handling', async () => {
    assert.equal((await request('applications/1/history?nope=1')).status, 200)
    assert.equal((await request('applications/1/history?nope=1', { prefer: 'handling=strict' })).status, 422)
  })

  it('has an ETag that changes with the record and with its history', async () => {
    const etagOf = async (): Promise<string> => (await request('applications/2/history')).headers.get('etag') ?? ''
    const first = await etagOf()
    assert.equal((await request('applications/2/history', { 'if-none-match': first })).status, 304)
    await database.execute(`update applications set stage = 'hired' where id = 2`)
    const second = await etagOf()
    assert.notEqual(second, first)
    await database.execute(`update applications set applied_on = '2025-01-01' where id = 2`)
    assert.notEqual(await etagOf(), second)
  })
})
