import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

const statuses = ['present', 'absent', 'half_day', 'on_leave', 'work_from_home']

describe('the report attendance', () => {
  proveReport({
    report: 'attendance',
    linkedColumns: ['recorded', ...statuses, 'other', 'absence_rate', 'sick', 'sickness_rate'],
    inexactLinks: ['sick', 'sickness_rate'],
    linkTotal: (row, column) => (column === 'absence_rate' ? Number(row.recorded) - Number(row.on_leave) : undefined),
    mayLackLinks: ({ group }, { by }) => by === 'employee.dept_id' && group === null,
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select (max(att_date) - ${random(100)})::text from attendance`)
      const [from, to] = await run(
        `select ('${asOf}'::date - d)::text from unnest(array[${40 + random(60)}, ${random(40)}]) d`,
      )
      return {
        as_of: asOf,
        ...pick(random, [{}, { to }, { from }, { from, to }, { from: '0001-01-01', to: '9999-12-31' }]),
        by: pick(random, [undefined, 'day', 'month', 'month', 'employee.dept_id', 'employee.dept_id']),
      }
    },
    reference: ({ as_of, from, to = as_of, by = 'day' }) => ({
      text: `
        select case $3::text
            when 'day' then to_char(a.att_date, 'YYYY-MM-DD')
            when 'month' then to_char(a.att_date, 'YYYY-MM')
            else e.dept_id::text
          end as "group",
          count(*) as recorded,
          ${statuses.map((status) => `count(*) filter (where lower(a.status) = '${status}') as ${status}`).join(', ')},
          count(*) filter (where lower(a.status) not in (${statuses.map((status) => `'${status}'`).join(', ')})) as other,
          trim_scale(round(
            count(*) filter (where lower(a.status) = 'absent')::numeric
              / nullif(count(*) - count(*) filter (where lower(a.status) = 'on_leave'), 0), 12)) as absence_rate,
          count(sick.id) as sick, trim_scale(round(count(sick.id)::numeric / count(*), 12)) as sickness_rate
        from attendance a left join employees e on e.id = a.employee_id
        left join (
          select distinct a.id from attendance a, leave_requests l
          where a.employee_id = l.employee_id and a.att_date >= l.from_date and a.att_date <= l.to_date
            and lower(a.status) = 'on_leave' and lower(l.status) = 'approved' and lower(l.leave_type) = 'sick'
        ) sick on sick.id = a.id
        where a.att_date between coalesce($1::date, $2::date - 29) and $2::date
        group by 1
        order by case when $3 = 'employee.dept_id' then min(e.dept_id) end nulls last, 1`,
      values: [from ?? null, to, by],
    }),
  })
})

describe('the sickness rate of the report attendance', () => {
  let read: (query?: string, headers?: Record<string, string>) => ReturnType<typeof sendRequest>
  let stop: () => Promise<void>
  before(async () => {
    const database = await createTestDatabase()
    await database.execute(`
      insert into departments (id, name) values (1, 'Sales'), (2, 'Finance');
      insert into employees (id, dept_id, status) values (1, 1, 'active'), (2, 1, 'active'), (3, 2, 'active'), (4, 2, 'active');
      insert into leave_requests (employee_id, leave_type, status, from_date, to_date) values
        (1, 'SICK', 'Approved', '2026-03-27', '2026-03-30'), (1, 'sick', 'approved', '2026-03-30', '2026-04-01'),
        (2, 'sick', 'pending', '2026-03-27', '2026-04-01'), (2, 'annual', 'approved', '2026-03-27', '2026-04-01'),
        (3, 'sick', 'approved', '2026-03-31', '2026-03-31');
      insert into attendance (employee_id, att_date, status)
        select e, d::date, case when e < 3 then 'on_leave' when e = 3 and d = '2026-03-31' then 'half_day' else 'absent' end
        from generate_series(1, 4) e, unnest(array['2026-03-27', '2026-03-30', '2026-03-31', '2026-04-01']::timestamp[]) d;
      update attendance set status = 'present' where employee_id = 1 and att_date = '2026-04-01'`)
    const service = await startService(database.url, { reads: 'redacted' })
    read = (query = '', headers = { authorization: `Bearer ${token}` }) =>
      sendRequest(`${service.baseUrl}/v1/reports/attendance?as_of=2026-04-01&from=2026-03-27${query}`, { headers })
    stop = async () => {
      await service.stop()
      await database.drop()
    }
  })
  after(() => stop?.())

  const rates = ({ json }: Awaited<ReturnType<typeof sendRequest>>) =>
    json.data.map(({ group, sick, sickness_rate }: Record<string, unknown>) => [group, sick, sickness_rate])

  it('counts each record on leave once that is within approved sick leave, of all records', async () => {
    assert.deepEqual(rates(await read()), [
      ['2026-03-27', 1, 0.25],
      ['2026-03-30', 1, 0.25],
      ['2026-03-31', 1, 0.25],
      ['2026-04-01', 0, 0],
    ])
    assert.deepEqual(rates(await read('&by=month')), [
      ['2026-03', 3, 0.25],
      ['2026-04', 0, 0],
    ])
    assert.deepEqual(rates(await read('&by=employee.dept_id')), [
      ['1', 3, 0.375],
      ['2', 0, 0],
    ])
  })

  it('links to the approved sick leave of the group', async () => {
    const [, , , first] = (await read()).json.data
    assert.equal(
      first.links.sickness_rate,
      '/api/v1/leave?status=approved&leave_type=sick&from_date_to=2026-04-01&to_date_from=2026-04-01',
    )
  })

  it('is null without a token where personal fields are redacted, because leave types are personal', async () => {
    const { json } = await read('', {})
    assert.equal(json.data.length, 4)
    for (const row of json.data) {
      assert.deepEqual([row.sick, row.sickness_rate, row.on_leave > 0], [null, null, true])
      assert.deepEqual([row.links.sick, row.links.sickness_rate], [undefined, undefined])
    }
  })
})

describe('the report attendance of a company without records', () => {
  let reportUrl: string
  let stop: () => Promise<void>
  before(async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    reportUrl = `${service.baseUrl}/v1/reports/attendance`
    stop = async () => {
      await service.stop()
      await database.drop()
    }
  })
  after(() => stop?.())

  it('has no rows', async () => {
    for (const by of ['day', 'month', 'employee.dept_id']) {
      const { status, json } = await sendRequest(`${reportUrl}?as_of=2026-03-01&by=${by}`)
      assert.deepEqual([status, json.data, json.meta.excluded], [200, [], 0])
    }
  })

  const invalidQueries: [query: string, parameter: string, type: string][] = [
    ['from=2026-03-02&to=2026-03-01', 'to', 'date_order'],
    ['from=2026-02-30', 'from', 'date_parsing'],
    ['by=week', 'by', 'literal_error'],
  ]
  for (const [query, parameter, type] of invalidQueries) {
    it(`rejects ${query}`, async () => {
      const { status, json } = await sendRequest(`${reportUrl}?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(
        json.detail.map((error: { loc: string[]; type: string }) => [error.loc, error.type]),
        [[['query', parameter], type]],
      )
    })
  }

  it('accepts the first and the last day that dates can have', async () => {
    for (const query of ['as_of=0001-01-01', 'as_of=9999-12-31', 'from=9999-12-31&to=9999-12-31&by=month'])
      assert.equal((await sendRequest(`${reportUrl}?${query}`)).status, 200)
  })
})
