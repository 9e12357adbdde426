import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { ids, texts } from './parameters.ts'
import { proveReport } from './proof.ts'

/** All stays: the state after each step, and for each state that begins a stay the next one that differs. */
const stays = `
  with steps as materialized (
    select record_id, "on", at, max(id) as last_id from history
    where resource = 'applications' and field in ('stage', 'status') group by 1, 2, 3
  ), changes as not materialized (
    select record_id, field, old, new, "on", id, since from history where resource = 'applications'
  ), states as materialized (
    select a.id, 0 as step, null::date as day,
      coalesce((select old from changes c where c.record_id = a.id and field = 'stage' order by "on", id limit 1), a.stage) as stage,
      coalesce((select old from changes c where c.record_id = a.id and field = 'status' order by "on", id limit 1), a.status) as status
    from applications a
    union all
    select s.record_id, row_number() over (partition by s.record_id order by s."on", s.last_id), s."on",
      coalesce(
        (select new from changes c where c.record_id = s.record_id and field = 'stage' and (c."on", c.id) <= (s."on", s.last_id) order by "on" desc, id desc limit 1),
        (select old from changes c where c.record_id = s.record_id and field = 'stage' order by "on", id limit 1),
        (select stage from applications where id = s.record_id)),
      coalesce(
        (select new from changes c where c.record_id = s.record_id and field = 'status' and (c."on", c.id) <= (s."on", s.last_id) order by "on" desc, id desc limit 1),
        (select old from changes c where c.record_id = s.record_id and field = 'status' order by "on", id limit 1),
        (select status from applications where id = s.record_id))
    from steps s
  ), places as materialized (
    select id, step, day, lower(status) as status, lower(status) in ('rejected', 'withdrawn') as declined,
      case when lower(status) not in ('rejected', 'withdrawn') then lower(stage) end as place, lower(stage) as stage
    from states
  ), turns as materialized (
    select * from (select *, lag(place) over (partition by id order by step) as place_before from places) p
    where step = 0 or place is distinct from place_before
  ), followed as (
    select t.*, lead(day) over in_order as next_day, lead(declined) over in_order as next_declined, lead(status) over in_order as next_status,
      case when step > 0 then day else (
        -- The date that the application had before its first change to another stage, or has now.
        select since from (
          select since, "on", c.id from changes c where c.record_id = t.id and field = 'stage' and lower(old) <> lower(new)
          union all select stage_entered_on, 'infinity', null from applications a where a.id = t.id
        ) dates order by "on", id limit 1
      ) end as begins
    from turns t window in_order as (partition by id order by step)
  ), stays as materialized (
    select id, stage, case when declined or next_day is null or begins <= next_day then begins end as entered,
      case when not declined then next_day end as left_on,
      case when declined then status when next_declined then next_status when next_day is not null then 'next' end as outcome
    from followed where step = 0 or not declined
  ), chosen as materialized (
    select s.*, a.job_id, j.dept_id, lower(c.source) as source
    from stays s join applications a using (id) join job_openings j on j.id = a.job_id join candidates c on c.id = a.candidate_id
    where ($2::bigint[] is null or a.job_id = any ($2)) and ($3::bigint[] is null or j.dept_id = any ($3))
      and ($4::text[] is null or lower(c.source) = any ($4))
      and ($7::date is null and $8::date is null or lower(a.stage) = 'hired' and lower(a.status) not in ('rejected', 'withdrawn')
        and a.stage_entered_on between coalesce($7::date, '-infinity') and coalesce($8::date, 'infinity'))
  )`

const inPeriod = `entered <= $1::date and entered between coalesce($5::date, '-infinity') and coalesce($6::date, 'infinity')`

const groups: Readonly<Record<string, string>> = {
  month: `to_char(entered, 'YYYY-MM')`,
  job_id: 'job_id',
  'job.dept_id': 'dept_id',
  'candidate.source': 'source',
}

const applications = (condition: string): string => `count(distinct id) filter (where ${condition})`
const hasLeft = 'left_on <= $1::date'
const isThere = '(outcome is null or left_on > $1::date)'
const percentile = (part: number): string =>
  `trim_scale(round((percentile_cont(${part}) within group (order by left_on - entered) filter (where ${hasLeft}))::numeric, 1))`

const stageOrder = `array_position(array['sourced', 'applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired'], stage), stage collate "C"`

describe('the report time-in-stage', () => {
  const exact = ['entered', 'left', 'still_there', 'next', 'rejected', 'withdrawn']
  const inexact = ['median_days', 'p90_days', 'longest_days']
  proveReport({
    report: 'time-in-stage',
    linkedColumns: [...exact, ...inexact],
    inexactLinks: inexact,
    mayLackLinks: ({ group }, { by }) => by !== undefined && group === null,
    randomQuery: async (random, run) => {
      const day = async (before: number) =>
        String((await run(`select ((now() at time zone 'utc')::date - ${random(before)})::text`))[0])
      const [from = '', to = ''] = [await day(1000), await day(1000)].toSorted()
      const [hiredFrom = '', hiredTo = ''] = [await day(1000), await day(1000)].toSorted()
      return {
        as_of: await day(random(2) === 0 ? 1 : 800),
        job_id:
          random(4) === 0
            ? String(
                await run(
                  "select string_agg(id::text, ',') from (select id from job_openings order by md5(id::text) limit 20) j",
                ),
              )
            : undefined,
        'job.dept_id': pick(random, [undefined, undefined, '1,2,3']),
        'candidate.source': pick(random, [undefined, undefined, 'Referral,agency', 'word,, of mouth']),
        entered_from: pick(random, [undefined, from]),
        entered_to: pick(random, [undefined, to]),
        hired_from: pick(random, [undefined, undefined, hiredFrom]),
        hired_to: pick(random, [undefined, undefined, hiredTo]),
        by: pick(random, [undefined, ...Object.keys(groups)]),
      }
    },
    reference: (query) => {
      const group = query.by === undefined ? 'null::text' : groups[query.by]
      return {
        text: `${stays}
          select stage, ${group} as "group", count(distinct id) as entered, ${applications(hasLeft)} as "left",
            ${applications(isThere)} as still_there, ${percentile(0.5)} as median_days, ${percentile(0.9)} as p90_days,
            max($1::date - entered) filter (where ${isThere} and stage <> 'hired') as longest_days,
            ${applications(`${hasLeft} and outcome = 'next'`)} as next,
            ${applications(`${hasLeft} and outcome = 'rejected'`)} as rejected,
            ${applications(`${hasLeft} and outcome = 'withdrawn'`)} as withdrawn
          from chosen where ${inPeriod} group by 1, 2 order by 2, ${stageOrder}`,
        values: [
          query.as_of,
          ids(query.job_id),
          ids(query['job.dept_id']),
          texts(query['candidate.source']),
          query.entered_from ?? null,
          query.entered_to ?? null,
          query.hired_from ?? null,
          query.hired_to ?? null,
        ],
        excluded: `${stays} select count(distinct id) from chosen
          where entered is null and $5::date is null and $6::date is null
            or ${inPeriod} and outcome is not null and left_on is null`,
      }
    },
  })
})

describe('a small report of the time in each stage', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into candidates (status) values ('active');
      insert into job_openings (title, status, headcount, filled) values ('A', 'open', 1, 0);
      insert into applications (id, candidate_id, job_id, stage, status, applied_on, stage_entered_on) values
        (1, 1, 1, 'interview', 'active', '2026-01-01', '2026-01-11'),
        (2, 1, 1, 'applied', 'rejected', '2026-01-01', '2026-01-01'),
        (3, 1, 1, 'applied', 'Withdrawn', '2026-01-01', '2026-01-01'),
        (4, 1, 1, 'hired', 'hired', '2026-01-01', '2026-01-21');
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        ('applications', 1, 'stage', 'applied', 'interview', '2026-01-11', '2026-01-01', '2026-01-11'),
        ('applications', 2, 'status', 'active', 'rejected', '2026-01-05', null, '2026-01-05'),
        ('applications', 4, 'stage', 'applied', 'interview', '2026-01-21', '2026-01-01', '2026-01-21 10:00'),
        ('applications', 4, 'stage', 'interview', 'hired', '2026-01-21', '2026-01-21', '2026-01-21 11:00');
      update muster_history_from set day = case resource when 'applications' then '2026-01-01' else '2026-02-01' end::date`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const reportOf = async (parameters: string) => {
    const { status, json, text } = await sendRequest(`${service.baseUrl}/v1/reports/time-in-stage?${parameters}`)
    assert.equal(status, 200, text)
    const rows = json.data.map(({ links: _, ...row }: Record<string, unknown>) => Object.values(row))
    return { rows, meta: json.meta, links: json.data.map(({ links }: { links: object }) => links) }
  }

  it('measures stays that ended, and those that go on until as_of', async () => {
    const { rows, meta } = await reportOf('as_of=2026-01-31')
    assert.deepEqual(rows, [
      // Ten, four and twenty days; nobody knows when the third application was withdrawn.
      ['applied', null, 4, 3, 0, 10, 18, null, 2, 1, 0],
      ['interview', null, 2, 1, 1, 0, 0, 20, 1, 0, 0],
      ['hired', null, 1, 0, 1, null, null, null, 0, 0, 0],
    ])
    assert.deepEqual([meta.excluded, meta.history_from], [1, '2026-01-01'])
  })

  it('knows on a past day only what had happened by then', async () => {
    assert.deepEqual((await reportOf('as_of=2026-01-11&by=month')).rows, [
      ['applied', '2026-01', 4, 2, 1, 7, 9.4, 10, 1, 1, 0],
      ['interview', '2026-01', 1, 0, 1, null, null, 0, 0, 0, 0],
    ])
    assert.deepEqual((await reportOf('as_of=2025-12-31')).rows, [])
    assert.deepEqual(
      (await reportOf('as_of=2026-01-31&hired_from=2026-01-01')).rows.map(([stage, , entered]: unknown[]) => [
        stage,
        entered,
      ]),
      [
        ['applied', 1],
        ['interview', 1],
        ['hired', 1],
      ],
    )
  })

  it('rejects periods that end before they begin, and what is no day and no group', async () => {
    for (const [parameters, type] of [
      ['entered_from=x', 'date_parsing'],
      ['hired_to=2026-02-30', 'date_parsing'],
      ['by=stage', 'literal_error'],
      ['job_id=x', 'int_parsing'],
    ]) {
      const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/time-in-stage?${parameters}`)
      assert.deepEqual([status, json.detail[0].type], [422, type])
    }
    for (const name of ['entered', 'hired']) {
      const { json } = await sendRequest(
        `${service.baseUrl}/v1/reports/time-in-stage?${name}_from=2026-02-01&${name}_to=2026-01-31`,
      )
      assert.deepEqual([json.detail[0].loc.at(-1), json.detail[0].type], [`${name}_to`, 'date_order'])
    }
  })
})
