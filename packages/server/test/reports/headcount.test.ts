import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { unusualCompany } from './companies.ts'
import type { Query } from './proof.ts'
import { proveReport } from './proof.ts'

/** The value of the field in `by` at the end of a day, from the definition; one row without `by` has no groups. */
const groupOn = (by: string | undefined, day: string): string =>
  by === undefined
    ? 'null::text'
    : `lower((coalesce(
        (select array[later.old] from history later
          where later.resource = 'employees' and later.record_id = e.id and later.field = '${by}' and later."on" > ${day}
          order by later."on", later.id limit 1),
        array[e.${by}::text]))[1])`

const reference = ({ as_of, from, to, by }: Query) => {
  const order = by === 'dept_id' ? 'of_group::bigint' : 'of_group collate "C"'
  const monthOr = (value: string | undefined, otherwise: string) => (value === undefined ? otherwise : `'${value}-01'`)
  const asOfMonth = `date_trunc('month', $1::date)::date`
  const first = `(${monthOr(from, `${monthOr(to, asOfMonth)}::date - interval '11 months'`)})::date`
  // Each person in each month: in which group the person was before, and in which at the end. The text '(none)' is no group.
  return {
    text: `
      with months as (
        select m::date as first_day, least((m + interval '1 month')::date - 1, $1::date) as last_day
        from generate_series(${first} - interval '12 months', least(${monthOr(to, asOfMonth)}, ${asOfMonth}), '1 month') m
      ), people as materialized (
        select e.*, date_of_joining as joined_on, termination_date as left_on,
          coalesce(${groupOn(by, 'termination_date')}, '(none)') as group_when_left
        from employees e where date_of_joining is not null
      ), days as (
        select first_day - 1 as day from months union select last_day from months
      ), groups_on as materialized (
        select e.id, day, coalesce(${groupOn(by, 'day')}, '(none)') as of_group from days cross join people e
      ), states as materialized (
        select m.first_day, e.id, joined_on between m.first_day and m.last_day as has_joined,
          left_on between m.first_day and m.last_day as has_left, group_when_left, end_group.of_group as end_group,
          joined_on <= m.last_day and (left_on is null or left_on > m.last_day) as is_employed,
          case when left_on < joined_on then null
            when joined_on < m.first_day and (left_on is null or left_on > m.first_day - 1) then start_group.of_group
            when joined_on between m.first_day and m.last_day then end_group.of_group end as old_group,
          case when left_on < joined_on then null
            when joined_on <= m.last_day and (left_on is null or left_on > m.last_day) then end_group.of_group
            when left_on between m.first_day and m.last_day then group_when_left end as new_group
        from months m cross join people e
        join groups_on start_group on start_group.id = e.id and start_group.day = m.first_day - 1
        join groups_on end_group on end_group.id = e.id and end_group.day = m.last_day
      ), shown as (
        select first_day - 1 as first_day, (select max(last_day) from months) as last_day from months where first_day = ${first}
      ), keys as (
        select of_group as key from groups_on, shown where day = shown.first_day
        union
        select coalesce(${groupOn(by, 'h."on"')}, '(none)') from history h join people e on e.id = h.record_id, shown
        where h.resource = 'employees' and h."on" between shown.first_day and shown.last_day
        ${by === undefined ? `union select '(none)'` : ''}
      ), figures as (
        select first_day, key, count(*) filter (where has_joined and end_group = key) as joined,
          count(*) filter (where has_left and group_when_left = key) as left,
          count(*) filter (where new_group = key and old_group <> key) as moved_in,
          count(*) filter (where old_group = key and new_group <> key) as moved_out,
          count(*) filter (where is_employed and end_group = key) as at_end
        from keys cross join months left join states using (first_day) group by first_day, key
      ), oldest as (
        select date_trunc('month', min(date_of_joining)) as month from employees
      ), named as (
        select *, nullif(key, '(none)') as of_group from figures
      )
      select to_char(f.first_day, 'YYYY-MM') as month, ${by === 'branch' ? shownBranch : 'of_group'} as group, f.joined, f.left,
        ${by === undefined ? 'null::int as moved_in, null::int as moved_out' : 'f.moved_in, f.moved_out'}, f.at_end,
        case when f.first_day - interval '12 months' >= oldest.month then
          (select round(sum(past.left) filter (where past.first_day > f.first_day - interval '12 months') * 13
              / nullif(sum(past.at_end), 0), 12)
            from named past
            where past.key = f.key and past.first_day between f.first_day - interval '12 months' and f.first_day)::float8
        end as turnover_12m
      from named f, oldest where f.first_day >= ${first}
      order by f.first_day, ${order}`,
    values: [as_of],
    excluded: `select count(*) from employees where date_of_joining is null and $1::date is not null`,
  }
}

/** The key of a long text ends in a hash. */
const shownBranch = `case when length(of_group) > 200 then muster_key(of_group) else of_group end`

describe('the report headcount', () => {
  proveReport({
    report: 'headcount',
    linkedColumns: ['joined', 'left', 'moved_in', 'moved_out', 'at_end', 'turnover_12m'],
    inexactLinks: ['turnover_12m'],
    mayLackLinks: ({ group }) => typeof group === 'string' && (group.trim() === '' || group.length > 200),
    randomQuery: async (random, run) => {
      // Half of the days are among the recorded changes of the past.
      const [asOf] = await run(
        random(2) === 0
          ? `select (max(date_of_joining) - ${random(2500)} + 100)::text from employees`
          : `select ((now() at time zone 'utc')::date - ${random(950)})::text`,
      )
      const [from, to] = await run(
        `select to_char('${asOf}'::date + n * interval '1 month', 'YYYY-MM')
         from unnest(array[${-random(30)}, ${random(4)}]) with ordinality months (n, position) order by position`,
      )
      return {
        as_of: asOf,
        ...(random(3) === 0 ? {} : { from }),
        ...(random(3) === 0 ? {} : { to }),
        by: pick(random, [undefined, 'dept_id', 'employment_type', 'branch']),
      }
    },
    reference,
  })

  it('adds up: from month to month in each group, and all groups to the figures without groups', async () => {
    const database = await unusualCompany(0.5)
    const service = await startService(database.url)
    try {
      // Nobody who was never employed.
      await database.execute('update employees set termination_date = null where termination_date < date_of_joining')
      let moves = 0
      for (const { by, asOf } of ['dept_id', 'branch', 'employment_type'].flatMap((field) =>
        [0, 100, 600].map((daysAgo) => ({
          by: field,
          asOf: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10),
        })),
      )) {
        const path = `${service.baseUrl}/v1/reports/headcount?as_of=${asOf}&to=${asOf.slice(0, 7)}`
        const months = (await sendRequest(path)).json.data as Figures[]
        const groups = (await sendRequest(`${path}&by=${by}`)).json.data as Figures[]
        const ends = new Map<string | null, number>()
        for (const { group, joined, left, moved_in, moved_out, at_end } of groups) {
          const before = ends.get(group)
          if (before !== undefined)
            assert.equal(before + joined - left + moved_in - moved_out, at_end, `${path} ${group}`)
          ends.set(group, at_end)
          moves += moved_in
        }
        const sum = (month: string, column: 'joined' | 'left' | 'moved_in' | 'moved_out' | 'at_end') =>
          groups.reduce((total, row) => total + (row.month === month ? row[column] : 0), 0)
        for (const { month, joined, left, at_end } of months) {
          assert.deepEqual(
            [sum(month, 'joined'), sum(month, 'left'), sum(month, 'at_end')],
            [joined, left, at_end],
            path,
          )
          assert.equal(sum(month, 'moved_in'), sum(month, 'moved_out'), path)
        }
      }
      assert.ok(moves > 50, `${moves} moves`)
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})

interface Figures {
  readonly month: string
  readonly group: string | null
  readonly joined: number
  readonly left: number
  readonly moved_in: number
  readonly moved_out: number
  readonly at_end: number
}

describe('the report headcount', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const get = (parameters: string, headers: Record<string, string> = {}, { baseUrl } = service) =>
    sendRequest(`${baseUrl}/v1/reports/headcount?${parameters}`, { headers })
  const violations = async (parameters: string) =>
    (await get(parameters)).json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [loc[1], type])
  const rows = async (parameters: string): Promise<Record<string, unknown>[]> => (await get(parameters)).json.data

  it('of a company without employees has a row of zeros per month, and no groups', async () => {
    const months = await rows('as_of=2026-03-10')
    assert.deepEqual([months.length, months[0]?.month, months.at(-1)?.month], [12, '2025-04', '2026-03'])
    const { month: _, links: __, ...figures } = months[0] ?? {}
    assert.deepEqual(figures, {
      group: null,
      joined: 0,
      left: 0,
      moved_in: null,
      moved_out: null,
      at_end: 0,
      turnover_12m: null,
    })
    assert.deepEqual(await rows('as_of=2026-03-10&by=branch'), [])
  })

  it('has at most 600 months, the first of which is not after the last', async () => {
    assert.deepEqual(await violations('from=2026-02&to=2026-01'), [['to', 'date_order']])
    assert.deepEqual(await violations('as_of=2026-01-01&from=1976-01'), [['to', 'too_many_months']])
    assert.equal((await rows('as_of=2026-01-01&from=1976-02')).length, 600)
    assert.deepEqual(await violations('from=2026-13'), [['from', 'month_parsing']])
    assert.deepEqual(await violations('by=gender'), [['by', 'literal_error']])
  })

  it('has no months after that of as_of', async () => {
    assert.deepEqual(await rows('as_of=2026-03-10&from=2026-04'), [])
    assert.deepEqual(await rows('as_of=2026-03-10&from=2026-04&to=2026-06'), [])
    assert.equal((await rows('as_of=2026-03-10&from=2026-03&to=2026-06')).length, 1)
  })

  it('counts nobody whose last day is the first day, and everyone else from that day until the last', async () => {
    const dates = [
      ['2026-01-31', null],
      ['2026-01-31', '2026-01-31'],
      ['2026-01-31', '2025-06-01'],
      ['2026-01-15', '2026-02-28'],
      ['2026-02-11', null],
      [null, '2026-01-15'],
    ]
    await withEmployees(dates.map(([joined, left]) => `'active', ${quoted(joined)}, ${quoted(left)}, null`))
    const figures = (row: Record<string, unknown>) => [row.month, row.joined, row.left, row.at_end]
    assert.deepEqual((await rows('as_of=2026-02-10&from=2025-12')).map(figures), [
      ['2025-12', 0, 0, 0],
      ['2026-01', 4, 1, 2],
      ['2026-02', 0, 0, 2],
    ])
    const { json } = await get('as_of=2026-02-28&from=2026-02')
    assert.deepEqual([figures(json.data[0]), json.meta.excluded], [['2026-02', 1, 1, 2], 1])
  })

  it('has a turnover from the first month with 13 month ends', async () => {
    await withEmployees([
      `'active', '2024-03-20', null, 'Oslo'`,
      `'active', '2024-04-02', '2025-01-31', 'Oslo'`,
      `'active', '2024-04-02', null, 'Rome'`,
    ])
    const rate = (part: number, whole: number) => Number((part / whole).toFixed(12))
    const turnovers = async (parameters: string) => (await rows(parameters)).map((row) => row.turnover_12m)
    // Three people at the end of 9 months, one at the end of the first, two at the end of the other three.
    const expected = rate(1 * 13, 1 + 9 * 3 + 3 * 2)
    assert.deepEqual(await turnovers('as_of=2025-03-31&from=2025-02'), [null, expected])
    // The company is older than the employees of this office, of whom there were none at its first month end.
    assert.deepEqual(await turnovers('as_of=2025-03-31&from=2025-03&by=branch'), [rate(1 * 13, 1 + 9 * 2 + 3 * 1), 0])
  })

  it('has at most 10,000 rows', async () => {
    const branches = (count: number) => Array.from({ length: count }, (_, i) => `'active', '2020-01-01', null, 'b${i}'`)
    await withEmployees(branches(100))
    assert.equal((await rows('as_of=2026-04-30&from=2018-01&by=branch')).length, 10_000)
    await withEmployees(branches(101))
    assert.deepEqual(await violations('as_of=2026-04-30&from=2018-01&by=branch'), [[undefined, 'too_many_rows']])
    assert.equal((await rows('as_of=2026-04-30&from=2018-02&by=branch')).length, 9_999)
  })

  it('has no links for groups that no filter selects', async () => {
    const long = 'x'.repeat(201)
    await withEmployees(
      [long, ' ', 'Rome, centre', null].map((branch) => `'active', '2020-01-01', null, ${quoted(branch)}`),
    )
    const linked = (await rows('as_of=2026-04-30&from=2026-04&by=branch')).map(({ group, links }) => [
      String(group).length > 200 ? 'long' : group,
      Object.values(links as Record<string, string>).map((link) => new URL(link, service.baseUrl).searchParams),
    ]) as [string | null, URLSearchParams[]][]
    assert.deepEqual(
      linked.map(([group, links]) => [group, links.length, links[0]?.get('branch'), links[0]?.get('branch_is_null')]),
      [
        [' ', 0, undefined, undefined],
        ['rome, centre', 6, 'rome,, centre', null],
        ['long', 0, undefined, undefined],
        [null, 6, null, 'true'],
      ],
    )
  })

  it('withholds what termination dates reveal without a token in redacted mode', async () => {
    await withEmployees([`'active', '2024-03-20', '2025-03-20', 'Oslo'`])
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      const path = 'as_of=2025-03-31&from=2024-03'
      const redacted = (await get(path, {}, redacting)).json.data
      assert.equal(redacted.length, 13)
      for (const row of redacted) {
        assert.deepEqual([row.left, row.at_end, row.turnover_12m], [null, null, null])
        assert.deepEqual(Object.keys(row.links), ['joined'])
      }
      assert.equal(redacted[0].joined, 1)
      const complete = (await get(path, { authorization: `Bearer ${token}` }, redacting)).json.data.at(-1)
      assert.deepEqual([complete.left, complete.at_end], [1, 0])
      assert.deepEqual(Object.keys(complete.links), ['joined', 'left', 'at_end', 'turnover_12m'])
      const csv = await get(`${path}&format=csv`, {}, redacting)
      assert.match(csv.text, /^2024-03,,1,,,,,$/m)
    } finally {
      await redacting.stop()
    }
  })

  /** Replaces all employees. Each change is an employee, the old office and the day; the present office is "now". */
  const withPast = async (
    employees: readonly string[],
    changes: readonly (readonly [id: number, old: string | null, on: string])[],
  ): Promise<void> => {
    await database.execute(
      `delete from employees;
       insert into employees (id, status, date_of_joining, termination_date, branch) values (${employees.join('), (')});
       insert into history (resource, record_id, field, old, new, "on", at)
       select 'employees', c.id, 'branch', c.old, 'now', c."on", now()
       from (values ${changes.map(([id, old, on]) => `(${id}, ${quoted(old)}, '${on}'::date)`).join(', ')}) c (id, old, "on")`,
    )
  }
  const columns = ['group', 'joined', 'left', 'moved_in', 'moved_out', 'at_end']
  /** The rows of offices that have a figure, by month. */
  const offices = async (parameters: string) => ({
    ...Object.groupBy(
      (await rows(`${parameters}&by=branch`))
        .map((row) => [row.month, ...columns.map((column) => row[column])])
        .filter(([, , ...figures]) => figures.some((figure) => figure !== 0)),
      ([month]) => String(month),
    ),
  })

  it('has people in the office of the month, those who left in that of their last day, and counts moves', async () => {
    await withPast(
      [
        `1, 'active', '2025-01-01', null, 'Now'`,
        `2, 'active', '2026-01-10', '2026-03-15', 'Now'`,
        `3, 'active', '2025-01-01', null, 'Oslo'`,
      ],
      [
        // A move in February; the second of March does not count, because the person is back at the end.
        [1, 'Oslo', '2026-02-10'],
        [1, 'Nowhere', '2026-02-10'],
        [1, 'now', '2026-03-05'],
        [1, 'Rome', '2026-03-20'],
        // Joined and moved in the same month. The office was cleared after the last day, in the month of leaving.
        [2, 'Rome', '2026-01-20'],
        [2, 'OSLO', '2026-03-20'],
        [3, 'Paris', '2026-01-01'],
      ],
    )
    const months = await offices('as_of=2026-03-31&from=2026-01')
    assert.deepEqual(months, {
      '2026-01': [
        ['2026-01', 'oslo', 1, 0, 1, 0, 3],
        ['2026-01', 'paris', 0, 0, 0, 1, 0],
      ],
      '2026-02': [
        ['2026-02', 'now', 0, 0, 1, 0, 1],
        ['2026-02', 'oslo', 0, 0, 0, 1, 2],
      ],
      '2026-03': [
        ['2026-03', 'now', 0, 0, 0, 0, 1],
        ['2026-03', 'oslo', 0, 1, 0, 0, 1],
      ],
    })
    // Every office of the period and of the day before has a row per month. Nobody was in "nowhere" at the end of a day.
    const groups = (await rows('as_of=2026-03-31&from=2026-01&by=branch')).map(({ group }) => group)
    assert.deepEqual(groups, Array.from({ length: 3 }, () => ['now', 'oslo', 'paris', 'rome']).flat())
    // Until the middle of the month, which ends on as_of.
    assert.deepEqual((await offices('as_of=2026-03-10&from=2026-03'))['2026-03'], [
      ['2026-03', 'now', 0, 0, 0, 1, 0],
      ['2026-03', 'oslo', 0, 0, 0, 0, 2],
      ['2026-03', 'rome', 0, 0, 1, 0, 1],
    ])
  })

  it('counts a move between joining and leaving in one month, and none of people who were never employed', async () => {
    await withPast(
      [
        `1, 'active', '2026-01-05', '2026-01-20', 'Now'`,
        `2, 'active', '2026-01-20', '2025-12-05', 'Now'`,
        `3, 'active', null, null, 'Now'`,
        // Came back: what changed before the joining date does not count.
        `4, 'active', '2026-02-01', null, 'Now'`,
      ],
      [
        [1, 'Oslo', '2026-01-25'],
        [2, 'Rome', '2025-12-03'],
        [2, 'Oslo', '2025-12-20'],
        [3, 'Oslo', '2026-01-25'],
        [4, 'Oslo', '2026-01-25'],
      ],
    )
    assert.deepEqual(await offices('as_of=2026-02-28&from=2025-12'), {
      '2025-12': [['2025-12', 'oslo', 0, 1, 0, 0, 0]],
      '2026-01': [
        ['2026-01', 'now', 2, 0, 0, 1, 0],
        ['2026-01', 'oslo', 0, 1, 1, 0, 0],
      ],
      '2026-02': [['2026-02', 'now', 1, 0, 0, 0, 1]],
    })
    for (const row of await rows('as_of=2026-02-28&from=2025-12&by=branch'))
      for (const [column, link] of Object.entries(row.links as Record<string, string>)) {
        const { json } = await sendRequest(new URL(link, service.baseUrl).href)
        if (column !== 'turnover_12m') assert.equal(json.meta.total, row[column], link)
      }
  })

  it('says from which day on groups are known, and only with groups', async () => {
    const historyFrom = async (parameters: string) => (await get(parameters)).json.meta.history_from
    await database.execute(`update muster_history_from set day = '2025-06-01' where resource = 'employees'`)
    assert.deepEqual([await historyFrom('by=branch'), await historyFrom('')], ['2025-06-01', undefined])
  })

  it('has the same groups and joined people with and without a token, and needs one for the filter behind moves', async () => {
    await withPast(
      [`1, 'active', '2026-01-05', '2026-01-20', 'Now'`, `2, 'active', '2025-01-20', null, 'Now'`],
      [
        [1, 'Oslo', '2026-01-25'],
        [2, 'Rome', '2026-01-25'],
      ],
    )
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      const path = 'as_of=2026-01-31&from=2026-01&by=branch'
      const complete = (await get(path, { authorization: `Bearer ${token}` }, redacting)).json.data
      const redacted = (await get(path, {}, redacting)).json.data
      assert.deepEqual(
        redacted.map(({ links, ...row }: Record<string, unknown>) => [row, Object.keys(links as object)]),
        complete.map(({ month, group, joined }: Record<string, unknown>) => [
          { month, group, joined, left: null, moved_in: null, moved_out: null, at_end: null, turnover_12m: null },
          ['joined'],
        ]),
      )
      const { status, json } = await sendRequest(`${redacting.baseUrl}/v1/employees?headcount=moved_in&branch=now`)
      assert.deepEqual([status, json.detail[0].type, json.detail[0].loc[1]], [422, 'field_redacted', 'headcount'])
    } finally {
      await redacting.stop()
    }
  })

  const quoted = (text: string | null | undefined): string => (text == null ? 'null' : `'${text}'`)

  /** Replaces all employees; each value is a row of SQL. */
  const withEmployees = (values: readonly string[]): Promise<void> =>
    database.execute(
      `delete from employees;
       insert into employees (status, date_of_joining, termination_date, branch) values (${values.join('), (')})`,
    )
})
