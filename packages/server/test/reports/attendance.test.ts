import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import { startService } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

const statuses = ['present', 'absent', 'half_day', 'on_leave', 'work_from_home']

describe('the report attendance', () => {
  proveReport({
    report: 'attendance',
    linkedColumns: ['recorded', ...statuses, 'other', 'absence_rate'],
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
              / nullif(count(*) - count(*) filter (where lower(a.status) = 'on_leave'), 0), 12)) as absence_rate
        from attendance a left join employees e on e.id = a.employee_id
        where a.att_date between coalesce($1::date, $2::date - 29) and $2::date
        group by 1
        order by case when $3 = 'employee.dept_id' then min(e.dept_id) end nulls last, 1`,
      values: [from ?? null, to, by],
    }),
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
