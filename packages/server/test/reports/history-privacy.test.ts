import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

describe('reports that read the history, without a token, where personal fields are redacted', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('A'), ('B');
      insert into employees (id, status, dept_id, date_of_joining)
        values (1, 'active', 1, '2025-12-01'), (2, 'active', 1, '2026-01-02');
      insert into candidates (status) values ('active');
      insert into job_openings (title, status, headcount, filled) values ('A', 'open', 1, 0);
      insert into applications (candidate_id, job_id, stage, status, applied_on, stage_entered_on)
        values (1, 1, 'applied', 'active', '2026-01-01', '2026-01-01');
      insert into leave_requests (employee_id, leave_type, status, applied_on, from_date, to_date)
        values (2, 'annual', 'pending', '2026-01-01', '2026-03-01', '2026-03-02');
      select set_config('muster.effective_on', '2026-01-05', true);
      update employees set dept_id = 2, manager_id = 1 where id = 2;
      update leave_requests set status = 'approved';
      update applications set stage = 'interview', stage_entered_on = '2026-01-05'`)
    service = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const paths = [
    'time-in-stage?as_of=2026-02-01',
    'time-in-stage?as_of=2026-02-01&by=candidate.source',
    'headcount?as_of=2026-02-01&by=dept_id',
    'movements?as_of=2026-02-01',
    'movements?as_of=2026-02-01&by=dept_id',
    'decisions?as_of=2026-02-01',
    'decisions?as_of=2026-02-01&by=employee.dept_id&employee.manager_id=1',
    'funnel?as_of=2026-02-01',
  ]
  const bodies = async () => {
    const texts: string[] = []
    for (const path of paths) {
      const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/${path}`)
      assert.equal(status, 200, path)
      assert.ok(json.data.length > 0, path)
      texts.push(JSON.stringify(json))
    }
    return texts
  }

  it('are the same whatever the personal fields contain', async () => {
    const first = await bodies()
    await database.execute(`
      update employees set first_name = 'Ada', last_name = 'L', email = 'ada@example.org', gender = 'f', base_salary = 1,
        termination_date = '2026-01-03', probation_end = '2026-01-02';
      update candidates set first_name = 'Bo', last_name = 'M', email = 'bo@example.org', phone = '1', notes = 'n';
      update applications set rejection_reason = 'r';
      update leave_requests set leave_type = 'sick', reason = 'r'`)
    assert.deepEqual(await bodies(), first)
  })
})
