import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import type { Query } from './proof.ts'
import { proveReport } from './proof.ts'

const groupExpressions: Readonly<Record<string, string>> = {
  dept_id: 'dept_id::text',
  employment_type: 'lower(employment_type)',
  branch: 'lower(branch)',
}

const reference = ({ as_of, from, to, by }: Query) => {
  const group = by === undefined ? 'null::text' : groupExpressions[by]
  const order = by === 'dept_id' ? 'of_group::bigint' : 'of_group collate "C"'
  const monthOr = (value: string | undefined, otherwise: string) => (value === undefined ? otherwise : `'${value}-01'`)
  const asOfMonth = `date_trunc('month', $1::date)::date`
  const first = `(${monthOr(from, `${monthOr(to, asOfMonth)}::date - interval '11 months'`)})::date`
  return {
    text: `
      with people as (
        select date_of_joining as joined_on, termination_date as left_on, ${group} as of_group,
          coalesce(${group}, '(none)') as key
        from employees where date_of_joining is not null
      ), months as (
        select m::date as first_day, least((m + interval '1 month')::date - 1, $1::date) as last_day
        from generate_series(${first} - interval '12 months', least(${monthOr(to, asOfMonth)}, ${asOfMonth}), '1 month') m
      ), figures as (
        select first_day, of_group, key,
          count(*) filter (where joined_on between first_day and last_day) as joined,
          count(*) filter (where left_on between first_day and last_day) as left,
          count(*) filter (where joined_on <= last_day and (left_on is null or left_on > last_day)) as at_end
        from months cross join people group by first_day, of_group, key
      ), oldest as (
        select date_trunc('month', min(date_of_joining)) as month from employees
      )
      select to_char(f.first_day, 'YYYY-MM') as month, ${by === 'branch' ? shownBranch : 'of_group'} as group,
        f.joined, f.left, f.at_end,
        case when f.first_day - interval '12 months' >= oldest.month then
          (select round(sum(past.left) filter (where past.first_day > f.first_day - interval '12 months') * 13
              / nullif(sum(past.at_end), 0), 12)
            from figures past
            where past.key = f.key and past.first_day between f.first_day - interval '12 months' and f.first_day)::float8
        end as turnover_12m
      from figures f, oldest where f.first_day >= ${first}
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
    linkedColumns: ['joined', 'left', 'at_end', 'turnover_12m'],
    inexactLinks: ['turnover_12m'],
    mayLackLinks: ({ group }) => typeof group === 'string' && (group.trim() === '' || group.length > 200),
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select (max(date_of_joining) - ${random(2500)} + 100)::text from employees`)
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
})

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
    assert.deepEqual(figures, { group: null, joined: 0, left: 0, at_end: 0, turnover_12m: null })
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
        ['rome, centre', 4, 'rome,, centre', null],
        ['long', 0, undefined, undefined],
        [null, 4, null, 'true'],
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
      assert.match(csv.text, /^2024-03,,1,,,$/m)
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
