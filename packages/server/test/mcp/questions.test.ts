/** Ten questions that people ask an agent, each answered by at most three calls and compared with SQL. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays, healthRules } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { Agent } from '../../../../tests/support/mcp.ts'
import { connectHttp, connectStdio } from '../../../../tests/support/mcp.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const maxCalls = 3
/** The current date of the company, and a Friday before a Monday on which people of Engineering are away. */
const [today, leaveDay] = ['2026-10-30', '2026-10-02']

/** Calls a tool and returns the parsed result. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a result
type Ask = (name: string, args: Readonly<Record<string, unknown>>) => Promise<any>

let database: TestDatabase
let service: RunningService
before(async () => {
  database = await createSeededDatabase({ asOf: today, withFaults: true })
  // The small demo company has no active contractors.
  await database.execute(`update employees set employment_type = 'contract' where id % 5 = 0`)
  service = await startService(database.url, { mcp: { writes: false } })
})
after(async () => {
  await service.stop()
  await database.drop()
})

const one = async <Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row> => {
  const [row] = await database.query<Row>(sql, parameters)
  assert.ok(row)
  return row
}

const idsIn = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id).toSorted((a, b) => a - b)

const questions: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
  'who is the manager of a named person, and who is above': async (ask) => {
    const person = await one<{ id: number; name: string; above: number[] }>(`
      with recursive chain as (
        select id, first_name || ' ' || last_name as name, array[]::int[] as above from employees
        where manager_id is null and status = 'active'
        union all
        select e.id, e.first_name || ' ' || e.last_name, chain.above || chain.id::int
        from employees e join chain on e.manager_id = chain.id where e.status = 'active'
      )
      select id, name, above from chain where (select count(*) from chain same where same.name = chain.name) = 1
      order by cardinality(above) desc, id limit 1`)
    assert.ok(person.above.length > 1)
    const found = await ask('find', { text: person.name })
    const { id } = found.rows.find((row: { resource: string }) => row.resource === 'employees')
    assert.equal(id, person.id)
    const { rows } = await ask('org_chart', { above: id })
    assert.deepEqual(
      idsIn(rows),
      [...person.above, person.id].toSorted((a, b) => a - b),
    )
    const manager = rows.find(
      (row: { id: number }) => row.id === rows.find((each: { id: number }) => each.id === id).manager_id,
    )
    assert.equal(manager.id, person.above.at(-1))
    assert.ok(manager.last_name)
  },

  'who of Engineering is away next Monday': async (ask) => {
    const monday = addDays(leaveDay, 3)
    const away = await database.query<{ id: number; last_name: string }>(
      `select l.id, e.last_name from leave_requests l join employees e on e.id = l.employee_id
       join departments d on d.id = e.dept_id
       where d.name = 'Engineering' and l.status = 'approved' and $1 between from_date and to_date order by l.id`,
      [monday],
    )
    assert.ok(away.length > 0)
    const { rows: departments } = await ask('find', { text: 'Engineering' })
    const department = departments.find((row: { resource: string }) => row.resource === 'departments')
    const { rows, total } = await ask('list', {
      resource: 'leave',
      filters: { status: 'approved', from_date_to: monday, to_date_from: monday, 'employee.dept_id': department.id },
      fields: ['employee.first_name', 'employee.last_name', 'to_date'],
    })
    assert.equal(total, away.length)
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => ({ id: row.id, last_name: row['employee.last_name'] })),
      away,
    )
  },

  'which opening waits longest, in which stage, and with how many': async (ask) => {
    const opening = await one<{ id: number; title: string; stage: string; days: number; waiting: number }>(
      `with waiting as (
        select j.id, j.title, a.stage, $1::date - a.stage_entered_on as days
        from applications a join job_openings j on j.id = a.job_id
        where j.status = 'open' and a.status not in ('hired', 'rejected', 'withdrawn')
          and a.stage not in ('hired', 'rejected', 'withdrawn') and a.stage_entered_on <= $1::date
      )
      select w.id, w.title, w.stage, w.days, (select count(*) from applications a where a.job_id = w.id
        and a.stage = w.stage and a.status not in ('rejected', 'withdrawn')) as waiting
      from waiting w order by w.days desc, w.id limit 1`,
      [today],
    )
    const { rows } = await ask('report', {
      name: 'openings',
      parameters: { by: 'id', as_of: today },
      sort: '-longest_wait_days',
      limit: 1,
    })
    const [{ group, title, longest_stage: stage, longest_stage_count: waiting, longest_wait_days: days }] = rows
    assert.deepEqual({ id: Number(group), title, stage, days, waiting }, opening)
  },

  'how many joined and left in twelve months, and the turnover': async (ask) => {
    const year = await one<{ joined: number; left: number; turnover: number }>(
      `with ends as (
        select least((date_trunc('month', $1::date) - n * interval '1 month' + interval '1 month' - interval '1 day')::date, $1::date) as day
        from generate_series(0, 12) n
      ),
      bounds as (select min(day) as first, max(day) as last from ends),
      employed as (
        select ends.day, count(e.id) as people from ends left join employees e on e.date_of_joining <= ends.day
          and (e.termination_date is null or e.termination_date > ends.day) group by ends.day
      ),
      gone as (
        select count(*) as count from employees, bounds where termination_date > bounds.first
          and termination_date <= bounds.last and date_of_joining is not null
      )
      select (select count(*) from employees, bounds where date_of_joining > bounds.first
          and date_of_joining <= bounds.last) as joined,
        (select count from gone) as left, (select count from gone) / (select avg(people) from employed) as turnover`,
      [today],
    )
    const { rows } = await ask('report', { name: 'headcount', parameters: { as_of: today } })
    assert.equal(rows.length, 12)
    const sum = (column: string) =>
      rows.reduce((total: number, row: Record<string, number>) => total + (row[column] ?? 0), 0)
    assert.deepEqual([sum('joined'), sum('left')], [year.joined, year.left])
    assert.ok(Math.abs(rows.at(-1).turnover_12m - year.turnover) < 1e-9)
  },

  'a CSV of the active contractors in one office': async (ask) => {
    const office = await one<{ branch: string; ids: string[] }>(
      `select branch, array_agg(id order by id) as ids from employees
       where status = 'active' and employment_type = 'contract' and branch is not null
       group by branch order by count(*) desc, branch limit 1`,
    )
    const { source, total } = await ask('list', {
      resource: 'employees',
      filters: { status: 'active', employment_type: 'contract', branch: office.branch },
    })
    assert.equal(total, office.ids.length)
    const { text } = await sendRequest(`http://127.0.0.1:${service.port}${source}&format=csv`)
    const [, ...lines] = text.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => Number(line.split(',')[0])),
      office.ids.map(Number),
    )
  },

  'the worst attendance day of the last quarter, and its list': async (ask) => {
    const worst = await one<{ day: string; recorded: number }>(
      `select att_date as day, count(*) as recorded from attendance
       where att_date between '2026-07-01' and '2026-09-30' group by att_date
       order by count(*) filter (where status = 'absent')::float / nullif(count(*) filter (where status <> 'on_leave'), 0)
         desc nulls last, att_date limit 1`,
    )
    const { rows } = await ask('report', {
      name: 'attendance',
      parameters: { from: '2026-07-01', to: '2026-09-30' },
      sort: '-absence_rate',
      limit: 1,
    })
    assert.equal(rows[0].group, worst.day)
    const { total } = await ask('list', {
      resource: 'attendance',
      filters: { att_date_from: worst.day, att_date_to: worst.day },
      fields: ['status', 'employee.last_name'],
    })
    assert.equal(total, worst.recorded)
  },

  'how many referrals were hired this year': async (ask) => {
    const expected = await one<{ count: number }>(
      `select count(*) from applications a join candidates c on c.id = a.candidate_id
       where a.status = 'hired' and c.source = 'referral' and a.stage_entered_on between '2026-01-01' and $1`,
      [today],
    )
    assert.ok(expected.count > 0)
    const { records } = await ask('count', {
      resource: 'applications',
      filters: {
        status: 'hired',
        'candidate.source': 'referral',
        stage_entered_on_from: '2026-01-01',
        stage_entered_on_to: today,
      },
    })
    assert.equal(records, expected.count)
  },

  'whether the data can be trusted': async (ask) => {
    const { rows, total, note } = await ask('report', { name: 'data-health', sort: '-broken' })
    assert.equal(total, healthRules.length)
    assert.equal(note, undefined)
    const broken = await Promise.all(
      healthRules.map(async ({ name }) => {
        const { count } = await one<{ count: number }>(`select count(*) from muster_health_${name}()`)
        return [name, count] as const
      }),
    )
    assert.deepEqual(
      new Map(rows.map((row: { rule: string; broken: number }) => [row.rule, row.broken])),
      new Map(broken.toSorted(([, a], [, b]) => b - a)),
    )
    assert.ok(rows[0].broken > 0)
    const { total: listed } = await ask('list', { resource: rows[0].resource, filters: { health: rows[0].rule } })
    assert.equal(listed, rows[0].broken)
  },

  'who leads most people': async (ask) => {
    const leader = await one<{ id: number; people: number }>(`
      select manager_id as id, count(*) as people from employees where status in ('active', 'on_leave', 'suspended')
      group by manager_id having manager_id is not null order by people desc, id limit 1`)
    const { rows } = await ask('org_chart', { depth: 32, managers_only: true, sort: '-direct_reports', limit: 1 })
    assert.deepEqual([rows[0].id, rows[0].direct_reports], [leader.id, leader.people])
    assert.ok(rows[0].last_name)
  },

  'which openings are past their target': async (ask) => {
    const openings = await database.query<{ id: number }>(
      `select id from job_openings where status = 'open' and target_date < $1 and filled < headcount order by id`,
      [today],
    )
    assert.ok(openings.length > 0)
    const { rows, total } = await ask('list', {
      resource: 'jobs',
      filters: { status: 'open', past_target: today },
      fields: ['title', 'target_date'],
      limit: 200,
    })
    assert.equal(total, openings.length)
    assert.deepEqual(idsIn(rows), idsIn(openings))
  },
}

for (const [transport, connect] of [
  ['over HTTP', () => connectHttp(`http://127.0.0.1:${service.port}`)],
  [
    'over HTTP, in an earlier version of the protocol',
    () => connectHttp(`http://127.0.0.1:${service.port}`, undefined, 'legacy'),
  ],
  ['on standard input and output', () => connectStdio({ MUSTER_MCP_URL: service.baseUrl })],
  [
    'on standard input and output, in an earlier version of the protocol',
    () => connectStdio({ MUSTER_MCP_URL: service.baseUrl }, 'legacy'),
  ],
] as const)
  describe(`an agent ${transport} learns`, () => {
    let agent: Agent
    before(async () => {
      agent = await connect()
    })
    after(() => agent.close())

    for (const [title, answer] of Object.entries(questions))
      it(title, async (context) => {
        let calls = 0
        await answer(async (name, args) => {
          calls += 1
          const { json, isError, bytes } = await agent.call(name, args)
          assert.equal(isError, false, JSON.stringify(json))
          assert.ok(bytes <= 20_000)
          return json
        })
        context.diagnostic(`${calls} calls`)
        assert.ok(calls <= maxCalls)
      })
  })
