import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

interface Row {
  readonly figure: string
  readonly group: string | null
  readonly value: number | null
  readonly day: string | null
  readonly links: Readonly<Record<string, string>>
}

const figures = [
  'people',
  'joining',
  'leaving',
  'out',
  'leave_pending',
  'leave_overdue',
  'openings_open',
  'places_open',
  'openings_past_target',
  'applications_active',
  'applications_waiting',
  'attendance_last_day',
]

/** Each figure by itself; $1 is the day. */
const references: Readonly<Record<string, string>> = {
  people: `select lower(status) as "group", count(*) as value, null::date as day from employees group by 1`,
  joining: `select null, count(*), null from employees where date_of_joining > $1 and date_of_joining <= $1 + 30`,
  leaving: `select null, count(*), null from employees where termination_date >= $1 and termination_date <= $1 + 30`,
  out: `select lower(leave_type), count(*), null from leave_requests
    where lower(status) = 'approved' and $1 between from_date and to_date group by 1`,
  leave_pending: `select null, count(*), null from leave_requests where lower(status) = 'pending'`,
  leave_overdue: `select null, count(*), null from leave_requests where lower(status) = 'pending' and from_date <= $1`,
  openings_open: `select null, count(*), null from job_openings where lower(status) = 'open'`,
  places_open: `select null, coalesce(sum(case when headcount > filled then headcount - filled else 0 end), 0), null
    from job_openings where lower(status) = 'open'`,
  openings_past_target: `select null, count(*), null from job_openings
    where lower(status) = 'open' and target_date < $1 and filled < headcount`,
  applications_active: `select lower(stage), count(*), null from applications where lower(status) = 'active' group by 1`,
  applications_waiting: `select null, count(*), null from applications
    where lower(status) = 'active' and $1 - stage_entered_on > 14`,
  attendance_last_day: `select null, count(*), max(att_date) from attendance where att_date = (select max(att_date) from attendance where att_date <= $1)`,
}

const figureReference = (figure: string): string =>
  `select '${figure}' as figure, "group"::text as "group", value::bigint as value, to_char(day::date, 'YYYY-MM-DD') as day
   from (${references[figure]?.replaceAll('$1', '$1::date')}) r ("group", value, day)`

describe('the report today', () => {
  let openings = 0
  proveReport({
    report: 'today',
    linkedColumns: ['value'],
    mayLackLinks: ({ figure, day }) => figure === 'attendance_last_day' && day === null,
    // The sum of places is linked to the openings.
    linkTotal: ({ figure }) => (figure === 'places_open' ? openings : undefined),
    randomQuery: async (random, run) => {
      const [asOf, open] = await run(
        `select (max(from_date) - ${random(700)})::text from leave_requests
         union all select count(*)::text from job_openings where lower(status) = 'open'`,
      )
      openings = Number(open)
      return { as_of: asOf }
    },
    reference: ({ as_of }) => ({
      text: `
        select figure, "group", value, day from (${figures.map(figureReference).join(' union all ')}) r
        order by array_position($2::text[], figure), value desc, "group" collate "C"`,
      values: [as_of, figures],
    }),
  })
})

const readToday = async ({ baseUrl }: RunningService, query: string, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization }
  const { status, text } = await sendRequest(`${baseUrl}/v1/reports/today?${query}`, { headers })
  assert.equal(status, 200)
  return text
}

describe('the report today without a token, where personal fields are redacted', () => {
  let database: TestDatabase
  let service: RunningService
  let asOf: string
  /** The day on which most leave begins. */
  let leaveDay: string
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { reads: 'redacted' })
    const [mode] = await database.query<{ day: string }>(
      `select (mode() within group (order by from_date))::text as day from leave_requests where status = 'approved'`,
    )
    leaveDay = mode?.day ?? ''
    asOf = await withClient(database.url, async (client) => {
      const { rows } = await client.query('select max(termination_date)::text as day from employees')
      return rows[0].day
    })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  it('withholds how many people leave and the types of leave, and nothing else', async () => {
    const withToken: Row[] = JSON.parse(await readToday(service, `as_of=${asOf}`, `Bearer ${token}`)).data
    const without: Row[] = JSON.parse(await readToday(service, `as_of=${asOf}`)).data
    const leaving = withToken.find(({ figure }) => figure === 'leaving')
    assert.ok(Number(leaving?.value) > 0)
    assert.match(leaving?.links.value ?? '', /termination_date_from/)
    const isOut = ({ figure }: Row): boolean => figure === 'out'
    assert.deepEqual(
      without.filter((row) => !isOut(row)),
      withToken.filter((row) => !isOut(row)).map((row) => (row === leaving ? { ...row, value: null, links: {} } : row)),
    )
    const csv = await readToday(service, `as_of=${asOf}&format=csv`)
    assert.match(csv, /^leaving,,,$/m)
    assert.match(csv, /^joining,,\d+,$/m)
  })

  it('counts all approved leave of the day in one row without a group, which links to its list', async () => {
    for (const day of [leaveDay, '1990-01-01']) {
      const [list] = await database.query<{ count: string; types: string }>(
        `select count(*), count(distinct leave_type) as types from leave_requests
         where lower(status) = 'approved' and '${day}' between from_date and to_date`,
      )
      if (day === leaveDay) assert.ok(Number(list?.types) > 1)
      const data: Row[] = JSON.parse(await readToday(service, `as_of=${day}`)).data
      const figure = { figure: 'out', group: null, value: Number(list?.count), day: null }
      const link = `/api/v1/leave?status=approved&from_date_to=${day}&to_date_from=${day}`
      assert.deepEqual(
        data.filter((row) => row.figure === 'out'),
        [{ ...figure, links: { value: link } }],
      )
      // In the same place as with a token.
      assert.deepEqual([...new Set(data.map((row) => row.figure))], figures)
      const { json } = await sendRequest(`${service.baseUrl}${link.slice('/api'.length)}`)
      assert.equal(json.meta.total, figure.value)
      assert.match(await readToday(service, `as_of=${day}&format=csv`), new RegExp(`^out,,${figure.value},$`, 'm'))
    }
  })

  it('does not depend on leave types', async () => {
    const earlier = await readToday(service, `as_of=${leaveDay}`)
    await database.execute(`update leave_requests set leave_type = 'study' where id % 2 = 0`)
    assert.equal(await readToday(service, `as_of=${leaveDay}`), earlier)
  })

  it('does not depend on termination dates', async () => {
    const earlier = await readToday(service, `as_of=${asOf}`)
    await database.execute('update employees set termination_date = null where id % 2 = 0')
    assert.equal(await readToday(service, `as_of=${asOf}`), earlier)
  })
})

describe('the report today of a company without records', () => {
  it('has a row for each figure without groups, also on the first and the last day that dates can have', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    try {
      const grouped = ['people', 'out', 'applications_active']
      for (const asOf of ['2026-03-01', '0001-01-01', '9999-12-31']) {
        const { data } = JSON.parse(await readToday(service, `as_of=${asOf}`))
        assert.deepEqual(
          data.map(({ figure, group, value, day }: Row) => [figure, group, value, day]),
          figures.filter((figure) => !grouped.includes(figure)).map((figure) => [figure, null, 0, null]),
        )
      }
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})
