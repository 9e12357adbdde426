/** Nine questions that companies ask, each answered by at most two requests and compared with SQL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays, addMonths, firstDay, lastDay, monthOf } from '@muster/model'
import type { Row } from './demo-company.ts'
import { useDemoCompany } from './demo-company.ts'

describe('with at most two requests, a client learns', () => {
  const company = useDemoCompany()
  const { select, openQuestion } = company

  /** Rows by one column, with the figures of others. Numbers of any SQL type become JavaScript numbers. */
  const figures = (rows: readonly Row[], key: string, columns: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(
      rows.map((row) => [
        String(row[key]),
        columns.map((column) => (row[column] === null ? null : Number(row[column]))),
      ]),
    )

  const headcountSql = (group: string): string => `
    select ${group} as "group", count(*) as at_end from employees
    where date_of_joining <= $1 and (termination_date is null or termination_date > $1) group by 1`

  for (const [title, by, group] of [
    ['how many people each department has', 'dept_id', 'dept_id::text'],
    ['how many people each office has', 'branch', 'lower(branch)'],
  ] as const)
    it(title, async () => {
      const month = monthOf(company.today)
      const ask = openQuestion()
      const rows = await ask('reports/headcount', { as_of: company.today, from: month, to: month, by })
      const present = rows.filter(({ at_end: count }) => Number(count) > 0)
      const expected = await select(headcountSql(group), [company.today])
      assert.ok(expected.length > 1)
      assert.deepEqual(figures(present, 'group', ['at_end']), figures(expected, 'group', ['at_end']))
    })

  it('who reports to whom', async () => {
    const ask = openQuestion()
    const rows = await ask('reports/org-chart', { depth: '32' })
    const expected = await select(`
      with recursive people as (
        select id, manager_id from employees where lower(status) in ('active', 'on_leave', 'suspended')
      ), above as (
        select id, manager_id from people
        union all
        select above.id, people.manager_id from above join people on people.id = above.manager_id
      )
      select id, (select count(*) from people report where report.manager_id = people.id) as direct_reports,
        (select count(*) from above where above.manager_id = people.id) as total_reports
      from people`)
    const columns = ['direct_reports', 'total_reports']
    assert.equal(rows.length, expected.length)
    assert.deepEqual(figures(rows, 'id', columns), figures(expected, 'id', columns))
    const managers = await select('select id, manager_id from employees')
    const managerOf = new Map(managers.map(({ id, manager_id: manager }) => [String(id), manager]))
    for (const { id, manager_id: manager, depth } of rows)
      if (Number(depth) > 0 && manager !== null) assert.equal(String(manager), String(managerOf.get(String(id))))
  })

  /** The job with the most applications. */
  const largestJob = async (): Promise<string> =>
    String((await select('select job_id from applications group by 1 order by count(*) desc, 1 limit 1'))[0]?.job_id)

  it('how many applications of one job are in each stage', async () => {
    const job = await largestJob()
    const ask = openQuestion()
    const rows = await ask('counts/applications', { by: 'stage', job_id: job })
    const expected = await select(
      'select lower(stage) as stage, count(*) from applications where job_id = $1 group by 1',
      [job],
    )
    assert.ok(expected.length > 1)
    assert.deepEqual(figures(rows, 'stage', ['count']), figures(expected, 'stage', ['count']))
  })

  it('which share of the applicants of one job passes each stage', async () => {
    const job = await largestJob()
    const ask = openQuestion()
    const period = { applied_from: addDays(company.today, -3_000), applied_to: company.today }
    const rows = await ask('reports/funnel', { as_of: company.today, ...period, job_id: job })
    const expected = await select(
      `
      with stages as (
        select lower(coalesce(stage ->> 'name', stage #>> '{}')) as stage, place
        from job_openings, json_array_elements(stages_json::json) with ordinality listed (stage, place) where id = $1
      ), cohort as (
        select lower(a.stage) as stage, lower(status) as status, place
        from applications a left join stages on stages.stage = lower(a.stage)
        where job_id = $1 and applied_on between $2 and $3
      ), counted as (
        select stage, place,
          (select count(*) from cohort c where c.place > stages.place and c.stage <> 'sourced') as passed,
          (select count(*) from cohort c where c.place >= stages.place and (c.stage <> 'sourced' or stages.stage = 'sourced')) as reached,
          (select count(*) from cohort c where c.stage = stages.stage and status in ('rejected', 'withdrawn')) as ended
        from stages
      )
      select stage, reached, passed,
        case when passed + ended >= 20 then round(passed::numeric / (passed + ended), 12) end as pass_rate
      from counted where stage <> 'sourced' order by place`,
      [job, period.applied_from, period.applied_to],
    )
    const listed = rows.filter(({ stage }) => stage !== 'sourced')
    const columns = ['reached', 'passed', 'pass_rate']
    assert.ok(expected.some(({ pass_rate: rate }) => rate !== null))
    assert.deepEqual(figures(listed, 'stage', columns), figures(expected, 'stage', columns))
  })

  it('how long it takes to hire someone', async () => {
    const ask = openQuestion()
    const [from, to] = [addDays(company.today, -730), company.today]
    const rows = await ask('reports/time-to-hire', { as_of: company.today, hired_from: from, hired_to: to })
    const expected = await select(
      `
      select null as "group", count(*) as n, round(percentile_cont(0.5) within group (order by days)::numeric, 1) as median_days,
        round(percentile_cont(0.9) within group (order by days)::numeric, 1) as p90_days, min(days) as min_days,
        max(days) as max_days
      from (
        select stage_entered_on - applied_on as days from applications
        where lower(stage) = 'hired' and lower(status) not in ('rejected', 'withdrawn')
          and stage_entered_on between $1 and $2 and stage_entered_on >= applied_on
      ) hired`,
      [from, to],
    )
    const columns = ['n', 'median_days', 'p90_days', 'min_days', 'max_days']
    assert.ok(Number(expected[0]?.n) > 0)
    assert.deepEqual(figures(rows, 'group', columns), figures(expected, 'group', columns))
  })

  it('who is on leave next week', async () => {
    const weekday = new Date(company.today).getUTCDay()
    const monday = addDays(company.today, ((8 - weekday) % 7) + (weekday === 1 ? 7 : 0))
    const sunday = addDays(monday, 6)
    const ask = openQuestion()
    const days = await ask('reports/leave-days', { as_of: company.today, from: monday, to: sunday })
    const requests = await ask('leave', {
      ...{ status: 'approved', from_date_to: sunday, to_date_from: monday, limit: '200' },
      expand: 'employee',
    })
    const expectedDays = await select(
      `
      select day::date::text as day, count(l.id) as out from generate_series($1::date, $2::date, interval '1 day') day
      left join leave_requests l on lower(l.status) = 'approved' and day between from_date and to_date group by 1 order by 1`,
      [monday, sunday],
    )
    const expectedNames = await select(
      `
      select l.id, e.first_name || ' ' || e.last_name as name from leave_requests l join employees e on e.id = employee_id
      where lower(l.status) = 'approved' and from_date <= $2 and to_date >= $1 order by l.id`,
      [monday, sunday],
    )
    assert.equal(days.length, 7)
    assert.deepEqual(figures(days, 'day', ['out']), figures(expectedDays, 'day', ['out']))
    assert.ok(expectedNames.length > 0)
    const nameOf = ({ employee }: Row): string => {
      const { first_name: first, last_name: last } = employee as unknown as Row
      return `${first} ${last}`
    }
    assert.deepEqual(
      requests.map((row) => [String(row.id), nameOf(row)]),
      expectedNames.map(({ id, name }) => [String(id), name]),
    )
  })

  it('how many people of each department were absent last month', async () => {
    const month = addMonths(monthOf(company.today), -1)
    const [from, to] = [firstDay(month), lastDay(month)]
    const ask = openQuestion()
    const rows = await ask('reports/attendance', { as_of: company.today, from, to, by: 'employee.dept_id' })
    const expected = await select(
      `
      select dept_id::text as "group", count(*) as recorded, count(*) filter (where lower(a.status) = 'absent') as absent,
        round(count(*) filter (where lower(a.status) = 'absent')::numeric
          / nullif(count(*) filter (where lower(a.status) <> 'on_leave'), 0), 12) as absence_rate
      from attendance a left join employees e on e.id = employee_id where att_date between $1 and $2 group by 1`,
      [from, to],
    )
    const columns = ['recorded', 'absent', 'absence_rate']
    assert.ok(expected.length > 1)
    assert.deepEqual(figures(rows, 'group', columns), figures(expected, 'group', columns))
  })

  it('how many people left within a year, in proportion', async () => {
    const month = monthOf(company.today)
    const ask = openQuestion()
    const rows = await ask('reports/headcount', { as_of: company.today, from: month, to: month })
    const expected = await select(
      `
      with ends as (
        select least((date_trunc('month', $1::date) - n * interval '1 month' + interval '1 month - 1 day')::date, $1::date) as day
        from generate_series(0, 12) n
      ), counts as (
        select day, (select count(*) from employees
          where date_of_joining <= day and (termination_date is null or termination_date > day)) as at_end
        from ends
      )
      select to_char($1::date, 'YYYY-MM') as month,
        (select count(*) from employees where date_of_joining is not null
          and termination_date > (select min(day) from ends) and termination_date <= $1) as leavers,
        (select count(*) from employees where date_of_joining is not null
          and termination_date > (select min(day) from ends) and termination_date <= $1)::numeric / avg(at_end) as turnover_12m
      from counts`,
      [company.today],
    )
    assert.ok(Number(expected[0]?.leavers) > 0)
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.month, expected[0]?.month)
    assert.equal(Number(rows[0]?.turnover_12m), Number(Number(expected[0]?.turnover_12m).toFixed(12)))
  })
})
