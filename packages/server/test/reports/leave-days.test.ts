import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

describe('the report leave-days', () => {
  proveReport({
    report: 'leave-days',
    linkedColumns: ['out', 'pending'],
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select (max(from_date) - ${random(500)})::text from leave_requests`)
      const [from, to] = await run(
        `select ('${asOf}'::date + d)::text from unnest(array[${random(60)}, ${60 + random(60)}]) d`,
      )
      const sometimes = async (text: string) => (random(4) === 0 ? (await run(text)).join(',') : undefined)
      return {
        as_of: asOf,
        ...(random(3) === 0 ? {} : { from, to }),
        leave_type: pick(random, [undefined, undefined, 'annual', 'SICK,annual', 'jury,, duty', 'none']),
        'employee.dept_id': await sometimes(`select id from departments order by id offset ${random(5)} limit 2`),
        employee_id: await sometimes(`select id from employees order by id offset ${random(200)} limit 30`),
        'employee.manager_id': await sometimes(
          `select distinct manager_id from employees where manager_id is not null order by 1 offset ${random(10)} limit 9`,
        ),
        'employee.branch': pick(random, [undefined, undefined, 'berlin,, mitte', 'Berlin']),
      }
    },
    reference: (query) => ({
      text: `
        select to_char(day, 'YYYY-MM-DD') as day,
          count(l.id) filter (where lower(l.status) = 'approved') as out,
          count(l.id) filter (where lower(l.status) = 'pending') as pending
        from generate_series($1::timestamp, $2::timestamp, '1 day') day
        left join (leave_requests l left join employees e on e.id = l.employee_id)
          on l.from_date <= day and l.to_date >= day
          and ($3::bigint[] is null or l.employee_id = any ($3))
          and ($4::text[] is null or lower(l.leave_type) = any ($4))
          and ($5::bigint[] is null or e.dept_id = any ($5))
          and ($6::bigint[] is null or e.manager_id = any ($6))
          and ($7::text[] is null or lower(e.branch) = any ($7))
        group by day order by day`,
      values: [
        query.from ?? query.as_of,
        query.to ?? plusDays(String(query.as_of), 29),
        query.employee_id?.split(',') ?? null,
        query.leave_type === undefined ? null : texts(query.leave_type),
        query['employee.dept_id']?.split(',') ?? null,
        query['employee.manager_id']?.split(',') ?? null,
        query['employee.branch'] === undefined ? null : texts(query['employee.branch']),
      ],
    }),
  })
})

describe('the report leave-days without a token, where personal fields are redacted', () => {
  it('rejects leave types, and has the same figures without them', async () => {
    const database = await createTestDatabase()
    await database.execute(
      `insert into leave_requests (leave_type, status, from_date, to_date) values ('sick', 'approved', '2026-03-02', '2026-03-04')`,
    )
    const service = await startService(database.url, { reads: 'redacted' })
    const read = (query: string, headers: Record<string, string> = {}) =>
      sendRequest(`${service.baseUrl}/v1/reports/leave-days?as_of=2026-03-01${query}`, { headers })
    const authorization = `Bearer ${token}`
    try {
      for (const value of ['sick', 'none', 'sick,annual', '%00', '%ff']) {
        const { status, json } = await read(`&leave_type=${value}`)
        assert.equal(status, 422, value)
        assert.deepEqual(
          json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
          [['field_redacted', 'query', 'leave_type']],
        )
      }
      assert.equal((await read('&leave_type=sick', { authorization })).json.data[1].out, 1)
      for (const query of ['', '&leave_type=%20'])
        assert.equal((await read(query)).text, (await read('', { authorization })).text, query)
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

const texts = (value: string): string[] =>
  value
    .toLowerCase()
    .split(/(?<!,),(?!,)/)
    .map((text) => text.replaceAll(',,', ','))
