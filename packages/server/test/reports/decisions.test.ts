import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { ids } from './parameters.ts'
import { proveReport } from './proof.ts'

/** The months of the period with their last days, the requests that count, and the decisions on them. */
const parts = `
  with asked as (
    select coalesce(($4 || '-01')::date, (coalesce(($5 || '-01')::date, date_trunc('month', $1::date)) - interval '11 months')::date) as first,
      coalesce(($5 || '-01')::date, greatest(($4 || '-01')::date, date_trunc('month', $1::date)::date)) as last
  ), months as (
    select m::date as first_day, least((m + interval '1 month')::date - 1, $1::date) as last_day
    from asked, generate_series(first, least(last, $1::date), interval '1 month') m
  ), requests as (
    select l.id, l.applied_on, l.status, e.dept_id from leave_requests l left join employees e on e.id = l.employee_id
    where ($2::bigint[] is null or e.manager_id = any ($2)) and ($3::bigint[] is null or e.dept_id = any ($3))
  ), decided as (
    select r.*, (
      select "on" from history where resource = 'leave' and field = 'status' and record_id = r.id
        and lower(old) = 'pending' and lower(new) in ('approved', 'rejected')
      order by "on", id limit 1
    ) as decided_on
    from requests r
  ), measured as (
    select *, case when applied_on <= decided_on then decided_on - applied_on end as days from decided where decided_on is not null
  )`

const percentile = (part: number): string =>
  `trim_scale(round((percentile_cont(${part}) within group (order by days))::numeric, 1))`

const isPendingOn = (day: string): string => `applied_on <= ${day} and lower(coalesce(
  (select old from history where resource = 'leave' and field = 'status' and record_id = requests.id and "on" > ${day} order by "on", id limit 1),
  status)) = 'pending'`

const byMonth = `${parts}
  select to_char(first_day, 'YYYY-MM') as "group",
    (select count(*) from measured where decided_on between first_day and last_day) as decided,
    (select ${percentile(0.5)} from measured where decided_on between first_day and last_day) as median_days,
    (select ${percentile(0.9)} from measured where decided_on between first_day and last_day) as p90_days,
    (select count(*) from requests where ${isPendingOn('last_day')}) as open
  from months order by first_day`

const byDepartment = `${parts}, period as (select min(first_day) as first_day, max(last_day) as last_day from months)
  select * from (
    select dept_id as "group",
      (select count(*) from measured m where m.dept_id is not distinct from d.dept_id and decided_on between first_day and last_day) as decided,
      (select ${percentile(0.5)} from measured m where m.dept_id is not distinct from d.dept_id and decided_on between first_day and last_day) as median_days,
      (select ${percentile(0.9)} from measured m where m.dept_id is not distinct from d.dept_id and decided_on between first_day and last_day) as p90_days,
      (select count(*) from requests where requests.dept_id is not distinct from d.dept_id and ${isPendingOn('last_day')}) as open
    from (select distinct dept_id from requests) d, period
  ) departments
  where decided > 0 or open > 0 order by "group" nulls last`

describe('the report decisions', () => {
  proveReport({
    report: 'decisions',
    linkedColumns: ['decided', 'median_days', 'p90_days', 'open'],
    inexactLinks: ['median_days', 'p90_days'],
    mayLackLinks: ({ group }, { by }) => by === 'employee.dept_id' && group === null,
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select ((now() at time zone 'utc')::date - ${random(700)})::text`)
      const [from, to] = await run(
        `select to_char('${asOf}'::date + n * interval '1 month', 'YYYY-MM')
         from unnest(array[${-random(30)}, ${random(4) - 2}]) with ordinality months (n, place) order by n`,
      )
      const isWithin = String(from) <= String(asOf)
      return {
        as_of: asOf,
        from: isWithin ? pick(random, [undefined, from]) : undefined,
        to: pick(random, [undefined, to]),
        'employee.manager_id': pick(random, [undefined, undefined, '1,2,3,4,5,6,7,8']),
        'employee.dept_id': pick(random, [undefined, undefined, '1,3']),
        by: pick(random, [undefined, 'month', 'employee.dept_id', 'employee.dept_id']),
      }
    },
    reference: (query) => ({
      text: query.by === 'employee.dept_id' ? byDepartment : byMonth,
      values: [
        query.as_of,
        ids(query['employee.manager_id']),
        ids(query['employee.dept_id']),
        query.from ?? null,
        query.to ?? null,
      ],
      excluded: `${parts} select count(*) from measured
        where days is null and decided_on between (select min(first_day) from months) and (select max(last_day) from months)`,
    }),
  })
})

describe('a small report of decisions', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into leave_requests (id, leave_type, status, applied_on) values
        (1, 'annual', 'approved', '2026-01-01'), (2, 'annual', 'Rejected', '2026-01-10'), (3, 'annual', 'cancelled', '2026-01-10'),
        (4, 'annual', 'pending', '2026-01-20'), (5, 'annual', 'approved', null), (6, 'annual', 'pending', '2026-01-05');
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        ('leave', 1, 'status', 'Pending', 'approved', '2026-01-05', null, '2026-01-05'),
        ('leave', 1, 'status', 'approved', 'pending', '2026-01-06', null, '2026-01-06'),
        ('leave', 1, 'status', 'pending', 'approved', '2026-01-31', null, '2026-01-31'),
        ('leave', 2, 'status', 'pending', 'Rejected', '2026-02-01', null, '2026-02-01'),
        ('leave', 3, 'status', 'pending', 'cancelled', '2026-01-12', null, '2026-01-12'),
        ('leave', 5, 'status', 'pending', 'approved', '2026-01-15', null, '2026-01-15')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const get = (parameters: string) => sendRequest(`${service.baseUrl}/v1/reports/decisions?${parameters}`)
  const rowsOf = async (parameters: string) =>
    (await get(parameters)).json.data.map(({ links: _, ...row }: Record<string, unknown>) => Object.values(row))

  it('counts the first decision, and what was pending at the end of each month', async () => {
    assert.deepEqual(await rowsOf('as_of=2026-02-10&from=2025-12&to=2026-06'), [
      ['2025-12', 0, null, null, 0],
      ['2026-01', 2, 4, 4, 3],
      ['2026-02', 1, 22, 22, 2],
    ])
    assert.deepEqual(await rowsOf('as_of=2026-01-06&from=2026-01'), [['2026-01', 1, 4, 4, 2]])
    const { meta } = (await get('as_of=2026-02-10&from=2026-01')).json
    assert.equal(meta.excluded, 1)
    assert.match(meta.history_from, /^\d{4}-\d\d-\d\d$/)
  })

  it('has a row without links for requests without a department', async () => {
    const { json } = await get('as_of=2026-02-10&by=employee.dept_id')
    assert.deepEqual(
      json.data.map(({ group, decided, open, links }: Record<string, unknown>) => [group, decided, open, links]),
      [[null, 3, 2, {}]],
    )
    assert.deepEqual(await rowsOf('as_of=2026-02-10&by=employee.dept_id&employee.manager_id=1'), [])
  })

  it('rejects long periods, and those that end before they begin', async () => {
    for (const [parameters, type] of [
      ['from=2026-02&to=2026-01', 'date_order'],
      ['from=1926-01&to=2026-01', 'too_many_months'],
      ['by=job', 'literal_error'],
    ]) {
      const { status, json } = await get(String(parameters))
      assert.deepEqual([status, json.detail[0].type], [422, type])
    }
  })

  it('links to requests by the values of a day', async () => {
    const found = async (parameters: string) =>
      (await sendRequest(`${service.baseUrl}/v1/leave?${parameters}`)).json.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(await found('values_on=2026-01-31&status=pending&applied_on_to=2026-01-31'), [2, 4, 6])
    assert.deepEqual(await found('values_on=2026-01-31&status_not=pending'), [1, 3, 5])
    assert.deepEqual(await found('status=pending'), [4, 6])
    assert.deepEqual(await found('decided_from=2026-01-05&decided_to=2026-01-31'), [1, 5])
  })
})
