/** Nine questions about the past, each answered by at most two requests and compared with SQL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDays, addMonths, firstDay, lastDay, monthOf } from '@muster/model'
import type { Ask, Row } from './demo-company.ts'
import { useDemoCompany } from './demo-company.ts'

describe('with at most two requests, a client learns from the history', () => {
  const company = useDemoCompany()
  const { select } = company

  const question = (title: string, test: (ask: Ask) => Promise<void>): void => {
    it(title, () => test(company.openQuestion()))
  }

  const departmentId = async (ask: Ask, name: string): Promise<string> => {
    const [department] = await ask('departments', { name, fields: 'id' })
    return String(department?.id)
  }

  /** The person with the most recorded changes of a field. */
  const personWithChanges = async (field: string): Promise<string> => {
    const [row] = await select(
      `select record_id from history where resource = 'employees' and field = $1 group by 1 order by count(*) desc, 1 limit 1`,
      [field],
    )
    return String(row?.record_id)
  }

  question('how many days the people whom Sales hired last quarter were in the interviews', async (ask) => {
    const thisQuarter = addMonths(
      `${company.today.slice(0, 5)}01`,
      3 * Math.floor((Number(company.today.slice(5, 7)) - 1) / 3),
    )
    const [from, to] = [firstDay(addMonths(thisQuarter, -3)), lastDay(addMonths(thisQuarter, -1))]
    const rows = await ask('reports/time-in-stage', {
      ...{ as_of: company.today, hired_from: from, hired_to: to },
      'job.dept_id': await departmentId(ask, 'Sales'),
    })
    const [expected] = await select(
      `
      select count(*)::int as hires, percentile_cont(0.5) within group (order by days)::float as median_days
      from (
        select h.old, h."on" - lag(h."on") over (partition by h.record_id order by h."on", h.id) as days
        from history h join applications a on a.id = h.record_id
          join job_openings j on j.id = a.job_id join departments d on d.id = j.dept_id
        where h.resource = 'applications' and h.field = 'stage' and d.name = 'Sales' and a.stage = 'hired'
          and a.stage_entered_on between $1 and $2
      ) stays where old = 'interview'`,
      [from, to],
    )
    assert.ok(Number(expected?.hires) > 0)
    const interview = rows.find(({ stage }) => stage === 'interview')
    assert.deepEqual([interview?.left, interview?.median_days], [expected?.hires, expected?.median_days])
  })

  question('who moved into Data this year', async (ask) => {
    const from = firstDay(`${company.today.slice(0, 4)}-01`)
    // Nobody in the demo company did.
    await select(`
      begin;
      set local muster.effective_on = '${addMonths(from.slice(0, 7), 2)}-16';
      update employees set dept_id = (select id from departments where name = 'Data') where id in (
        select e.id from employees e join departments d on d.id = e.dept_id
        where d.name = 'Sales' and e.status = 'active'
          and not exists (select from history h where h.record_id = e.id and h.resource = 'employees')
        order by e.id limit 2
      );
      commit`)
    const data = await departmentId(ask, 'Data')
    const rows = await ask('history', {
      resource: 'employees',
      field: 'dept_id',
      new: data,
      on_from: from,
      on_to: company.today,
    })
    const expected = await select(
      `
      select h.record_id, h."on"::text from history h join departments d on d.id::text = h.new
      where h.resource = 'employees' and h.field = 'dept_id' and d.name = 'Data' and h."on" between $1 and $2
      order by h.id`,
      [from, company.today],
    )
    assert.ok(expected.length > 0)
    assert.deepEqual(
      rows.map(({ record_id: person, on }) => ({ record_id: String(person), on })),
      expected,
    )
  })

  question('how many people Engineering had at the end of each month of last year', async (ask) => {
    const year = Number(company.today.slice(0, 4)) - 1
    const engineering = await departmentId(ask, 'Engineering')
    const period = { from: `${year}-01`, to: `${year}-12` }
    const rows = await ask('reports/headcount', { as_of: company.today, ...period, by: 'dept_id' })
    const expected = await select(
      `
      select to_char(day, 'YYYY-MM') as month, (
        select count(*)::int from employees e
        where e.date_of_joining <= day and (e.termination_date is null or e.termination_date > day)
          and coalesce((
            select h.old from history h
            where h.resource = 'employees' and h.field = 'dept_id' and h.record_id = e.id and h."on" > day
            order by h."on", h.id limit 1
          ), e.dept_id::text) = $3
      ) as at_end
      from (
        select (month + interval '1 month - 1 day')::date as day
        from generate_series($1::date, $2::date, interval '1 month') month
      ) ends order by 1`,
      [firstDay(period.from), firstDay(period.to), engineering],
    )
    assert.equal(expected.length, 12)
    assert.deepEqual(
      rows.filter(({ group }) => group === engineering).map(({ month, at_end }) => ({ month, at_end })),
      expected,
    )
  })

  question('how long the leave requests of a manager’s team waited', async (ask) => {
    const [from, to] = [addMonths(monthOf(company.today), -11), monthOf(company.today)]
    const [manager] = await select(
      `
      select e.manager_id::text as id from leave_requests l join employees e on e.id = l.employee_id
      where l.applied_on >= $1 and e.manager_id is not null group by 1 order by count(*) desc, 1 limit 1`,
      [firstDay(from)],
    )
    const id = String(manager?.id)
    const rows = await ask('reports/decisions', { as_of: company.today, from, to, 'employee.manager_id': id })
    const expected = await select(
      `
      select to_char(h."on", 'YYYY-MM') as "group", count(*)::int as decided,
        percentile_cont(0.5) within group (order by h."on" - l.applied_on)::float as median_days
      from history h join leave_requests l on l.id = h.record_id join employees e on e.id = l.employee_id
      where h.resource = 'leave' and h.field = 'status' and h.old = 'pending' and h.new in ('approved', 'rejected')
        and e.manager_id = $1 and h."on" between $2 and $3 group by 1 order by 1`,
      [id, firstDay(from), company.today],
    )
    assert.ok(expected.length > 1)
    assert.deepEqual(
      rows
        .filter(({ decided }) => decided !== 0)
        .map(({ group, decided, median_days }) => ({ group, decided, median_days })),
      expected,
    )
  })

  question('who managed a person in March', async (ask) => {
    const day = `${company.today.slice(0, 4)}-03-31`
    const person = await personWithChanges('manager_id')
    const values = (await ask(`employees/${person}/history`)).filter(({ field }) => field === 'manager_id')
    const value = values.filter(({ on }) => on === null || String(on) <= day).at(-1)
    const [manager] = await ask('employees', { id: String(value?.new), fields: 'id,first_name,last_name' })
    const [expected] = await select(
      `
      select m.first_name, m.last_name
      from employees e join employees m on m.id = coalesce((
        select h.old::bigint from history h
        where h.resource = 'employees' and h.field = 'manager_id' and h.record_id = e.id and h."on" > $2
        order by h."on", h.id limit 1
      ), e.manager_id) where e.id = $1`,
      [person, day],
    )
    assert.deepEqual([manager?.first_name, manager?.last_name], [expected?.first_name, expected?.last_name])
  })

  question('which candidates skipped a stage', async (ask) => {
    const stage = 'phone_screen'
    // Nobody in the demo company skipped one.
    await select(`
      update applications set stage = 'interview' where id in (
        select a.id from applications a join job_openings j on j.id = a.job_id
        where a.stage in ('applied', 'shortlisted') and a.status = 'active' and j.stages_json like '%phone_screen%'
        order by a.id limit 3
      )`)
    const rows = await ask('applications', { skipped: stage, expand: 'candidate', limit: '200' })
    const expected = await select(
      `
      with stages as (
        select j.id as job_id, lower(coalesce(s.stage ->> 'name', s.stage #>> '{}')) as stage, s.place
        from job_openings j, json_array_elements(j.stages_json::json) with ordinality s (stage, place)
      )
      select distinct a.id::text, c.first_name from applications a join candidates c on c.id = a.candidate_id
      join stages skipped on skipped.job_id = a.job_id and skipped.stage = $1
      join history h on h.resource = 'applications' and h.field = 'stage' and h.record_id = a.id
      join stages before on before.job_id = a.job_id and before.stage = h.old and before.place < skipped.place
      join stages later on later.job_id = a.job_id and later.stage = h.new and later.place > skipped.place
      where not exists (
        select from history other where other.resource = 'applications' and other.field = 'stage'
          and other.record_id = a.id and $1 in (other.old, other.new)
      )`,
      [stage],
    )
    assert.ok(expected.length > 0)
    const nameOf = ({ candidate }: Row) => (candidate as unknown as Row | undefined)?.first_name
    assert.deepEqual(
      rows.map((row) => `${row.id} ${nameOf(row)}`).sort(),
      expected.map(({ id, first_name: name }) => `${id} ${name}`).sort(),
    )
  })

  question('how many applications were rejected in each week', async (ask) => {
    const from = addDays(company.today, -90)
    const rows = await ask('counts/history', {
      ...{ resource: 'applications', field: 'status', new: 'rejected', on_from: from, on_to: company.today },
      by: 'week(on)',
    })
    const expected = await select(
      `
      select to_char("on", 'IYYY-"W"IW') as week, count(*)::int from history
      where resource = 'applications' and field = 'status' and new = 'rejected' and "on" between $1 and $2
      group by 1 order by 1`,
      [from, company.today],
    )
    assert.ok(expected.length > 1)
    assert.deepEqual(
      Object.fromEntries(rows.map((row) => [row['week(on)'], row.count])),
      Object.fromEntries(expected.map(({ week, count }) => [week, count])),
    )
  })

  question('which application has waited longest in the interviews', async (ask) => {
    const rows = await ask('reports/time-in-stage', { as_of: company.today })
    const longest = rows.find(({ stage }) => stage === 'interview')?.longest_days
    const applications = await ask('applications', {
      ...{ entered: 'interview', waiting_on: company.today, entered_to: addDays(company.today, -Number(longest)) },
    })
    const expected = await select(
      `
      select a.id, $1::date - a.stage_entered_on as days from applications a
      where a.stage = 'interview' and a.status not in ('rejected', 'withdrawn')
      order by a.stage_entered_on limit 1`,
      [company.today],
    )
    assert.deepEqual([applications[0]?.id, longest], [Number(expected[0]?.id), expected[0]?.days])
  })

  question('which titles a person had, and since when', async (ask) => {
    const person = await personWithChanges('designation')
    const values = (await ask(`employees/${person}/history`)).filter(({ field }) => field === 'designation')
    const expected = await select(
      `
      with changes as (
        select * from history where resource = 'employees' and field = 'designation' and record_id = $1
      )
      (
        select c.old as title, e.date_of_joining::text as since
        from changes c join employees e on e.id = c.record_id order by c."on", c.id limit 1
      ) union all (select c.new, c."on"::text from changes c order by c."on", c.id)`,
      [person],
    )
    assert.ok(expected.length > 1)
    assert.deepEqual(
      values.map(({ new: title, on: since }) => ({ title, since })),
      expected,
    )
  })
})
