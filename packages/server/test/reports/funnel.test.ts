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

const suggested = "array['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']"

/** The companies contain no text in square brackets that is not JSON. */
const namesOfJobs = `
  select id, dept_id, location, case
    when jsonb_array_length(document) > 0 and not exists (
      select from jsonb_array_elements(document) e
      where case jsonb_typeof(e)
        when 'string' then false when 'object' then jsonb_typeof(e -> 'name') is distinct from 'string' else true
      end)
    then coalesce(nullif(array(
      select name
      from (select lower(case jsonb_typeof(e) when 'string' then e #>> '{}' else e ->> 'name' end) as name, n
            from jsonb_array_elements(document) with ordinality x (e, n)) named
      where name <> 'sourced' group by name order by min(n)), '{}'), ${suggested})
    else ${suggested} end as names
  from (select *, case when stages_json like '[%]' then stages_json::jsonb end as document from job_openings) parsed`

const matchesJob = `
  ($3::bigint[] is null or j.id = any ($3)) and ($4::bigint[] is null or j.dept_id = any ($4))
  and ($5::text[] is null or lower(j.location) = any ($5))`

const matchesSource = '($6::text[] is null or lower(c.source) = any ($6))'

describe('the report funnel', () => {
  proveReport({
    report: 'funnel',
    linkedColumns: ['reached', 'passed', 'rejected', 'withdrawn', 'active', 'pass_rate'],
    inexactLinks: ['pass_rate'],
    mayLackLinks: ({ stage }) => String(stage).trim() === '',
    randomQuery: async (random, run) => {
      const [from, to] = await run(
        `select ((select min(applied_on) from applications) + d)::text
         from unnest(array[${random(400)}, ${400 + random(900)}]) with ordinality x (d, n) order by n`,
      )
      const sometimes = async (text: string) => (random(4) === 0 ? (await run(text)).join(',') || undefined : undefined)
      return {
        as_of: to,
        applied_from: pick(random, [undefined, undefined, from]),
        applied_to: pick(random, [undefined, undefined, to]),
        job_id: await sometimes(`select id from job_openings order by id offset ${random(15)} limit 20`),
        'job.dept_id': await sometimes(`select id from departments order by id offset ${random(5)} limit 3`),
        'job.location': await sometimes(
          `select replace(upper(location), ',', ',,') from job_openings where location is not null
           group by 1 order by 1 offset ${random(3)} limit 2`,
        ),
        'candidate.source': pick(random, [
          undefined,
          undefined,
          'referral',
          'JOB_BOARD,career_site',
          'word,, of mouth,agency',
          'none',
        ]),
      }
    },
    reference: (query) => ({
      text: `
        with jobs as (select * from (${namesOfJobs}) j where ${matchesJob}),
        matching as (
          select lower(a.stage) as stage, lower(a.status) as status, names, array(
              select lower(s) from history, unnest(array[old, new]) s
              where resource = 'applications' and record_id = a.id and field = 'stage'
            ) || lower(a.stage) as all_stages
          from applications a join jobs on jobs.id = a.job_id join candidates c on c.id = a.candidate_id
          where ($1::date is null or a.applied_on >= $1) and ($2::date is null or a.applied_on <= $2) and ${matchesSource}
        ),
        stages as (select unnest(names) as stage from jobs union select unnest(all_stages) from matching),
        counted as (
          select s.stage,
            count(*) filter (where s.stage = any (all_stages) or is_passed) as reached,
            count(*) filter (where is_passed) as passed,
            count(*) filter (where m.stage = s.stage and m.status = 'rejected') as rejected,
            count(*) filter (where m.stage = s.stage and m.status = 'withdrawn') as withdrawn,
            count(*) filter (where m.stage = s.stage and m.status not in ('rejected', 'withdrawn')) as active,
            count(*) filter (where is_passed or m.stage = s.stage and m.status in ('rejected', 'withdrawn')) as decided
          from stages s left join matching m on true cross join lateral (
            select exists (select from unnest(all_stages) each where array_position(names, s.stage) < array_position(names, each)) as is_passed
          ) passing
          group by s.stage
        )
        select stage, reached, passed, rejected, withdrawn, active,
          case when decided >= 20 then trim_scale(round(passed::numeric / decided, 12)) end as pass_rate
        from counted
        order by stage <> 'sourced', coalesce(array_position(${suggested}, stage), 99),
          (select avg(array_position(names, stage)) from jobs) nulls last, stage collate "C"`,
      values: [
        query.applied_from ?? null,
        query.applied_to ?? null,
        ids(query.job_id),
        ids(query['job.dept_id']),
        texts(query['job.location']),
        texts(query['candidate.source']),
      ],
      excluded: `
        select count(*)
        from applications a join job_openings j on j.id = a.job_id join candidates c on c.id = a.candidate_id
        where a.applied_on is null and ($1::date is not null or $2::date is not null) and ${matchesJob} and ${matchesSource}`,
    }),
  })
})

describe('a small funnel', () => {
  const longName = 'x'.repeat(201)
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into candidates (status) values ('active');
      insert into job_openings (title, status, headcount, filled, stages_json) values
        ('A', 'open', 1, 0, '["sourced", "applied", "Trial day", "hired"]'),
        ('B', 'open', 1, 0, null),
        ('C', 'open', 1, 0, '["", "${longName}", "last, of all"]');
      insert into applications (candidate_id, job_id, stage, status, applied_on) values
        (1, 1, 'sourced', 'active', '2026-01-01'),
        (1, 1, 'Applied', 'REJECTED', '2026-01-02'),
        (1, 1, 'trial day', 'on_hold', '2026-01-03'),
        (1, 1, 'interview', 'withdrawn', '2026-01-04'),
        (1, 1, 'hired', 'hired', '2026-01-05'),
        (1, 2, 'trial day', 'active', null),
        (1, 2, 'interview', 'active', null),
        (1, 3, 'last, of all', 'active', '2026-01-06');
      insert into applications (candidate_id, job_id, stage, status) select 1, 2, 'applied', 'rejected' from generate_series(1, 18);
    `)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const get = (path: string) => sendRequest(`${service.baseUrl}/v1/${path}`)
  const funnelOf = async (query: string) => {
    const { status, json, text } = await get(`reports/funnel?${query}`)
    assert.equal(status, 200, text)
    return json
  }
  const found = async (query: string): Promise<number[]> => {
    const { status, json, text } = await get(`applications?${query}`)
    assert.equal(status, 200, text)
    assert.equal(json.meta.total, json.data.length)
    return json.data.map(({ id }: { id: number }) => id)
  }

  it('counts the stages of each job in the order of that job', async () => {
    const { data, meta } = await funnelOf('job_id=1,2')
    assert.deepEqual(
      data.map((row: Record<string, unknown>) => [
        row.stage,
        row.reached,
        row.passed,
        row.rejected,
        row.withdrawn,
        row.active,
        row.pass_rate,
      ]),
      [
        ['sourced', 1, 0, 0, 0, 1, null],
        ['applied', 22, 3, 19, 0, 0, 0.136363636364],
        ['shortlisted', 1, 1, 0, 0, 0, null],
        ['assessment', 1, 1, 0, 0, 0, null],
        ['phone_screen', 1, 1, 0, 0, 0, null],
        ['interview', 2, 0, 0, 1, 1, null],
        ['offer', 0, 0, 0, 0, 0, null],
        ['hired', 1, 0, 0, 0, 1, null],
        ['trial day', 3, 1, 0, 0, 2, null],
      ],
    )
    assert.equal(meta.kind, 'cohort')
    assert.equal(meta.excluded, 0)
  })

  it('links the rate to the applications that passed the stage or ended in it', async () => {
    const { data } = await funnelOf('job_id=1,2')
    const link = new URL(data[1].links.pass_rate, service.baseUrl)
    const { json } = await sendRequest(String(link))
    assert.equal(json.meta.total, 22)
  })

  it('leaves out applications without a date if a period is given', async () => {
    const { data, meta } = await funnelOf('applied_from=2026-01-02&applied_to=2026-01-05')
    assert.equal(meta.excluded, 2)
    assert.deepEqual(
      data.filter(({ reached }: { reached: number }) => reached > 0).map(({ stage }: { stage: string }) => stage),
      ['applied', 'interview', 'hired', 'trial day'],
    )
  })

  it('has no links for stages that no filter selects', async () => {
    const { data } = await funnelOf('job_id=3')
    assert.deepEqual(
      data.map(({ stage, reached, links }: { stage: string; reached: number; links: object }) => [
        stage.slice(0, 12),
        reached,
        Object.keys(links).length,
      ]),
      [
        ['', 1, 0],
        ['xxxxxxxxxxxx', 1, 0],
        ['last, of all', 1, 5],
      ],
    )
    assert.deepEqual(await found(`reached=${longName}`), [8])
  })

  it('has no rows if no job matches', async () => {
    assert.deepEqual(await funnelOf('job_id=99,9223372036854775808&applied_to=2026-01-01').then(({ data }) => data), [])
  })

  const wrong: readonly (readonly [query: string, parameter: string, type: string])[] = [
    ['applied_from=2026-02-01&applied_to=2026-01-31', 'applied_to', 'date_order'],
    ['applied_from=yesterday', 'applied_from', 'date_parsing'],
    ['job_id=1,x', 'job_id', 'int_parsing'],
    ['job.dept_id=1.5', 'job.dept_id', 'int_parsing'],
  ]
  for (const [query, parameter, type] of wrong) {
    it(`rejects ${query}`, async () => {
      const { status, json } = await get(`reports/funnel?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(
        json.detail.map(({ loc, type: found }: { loc: string[]; type: string }) => [loc.at(-1), found]),
        [[parameter, type]],
      )
    })
  }

  const filtered: readonly (readonly [query: string, ids: readonly number[]])[] = [
    ['reached=TRIAL%20DAY', [3, 5, 6]],
    ['passed=applied&job_id=1', [3, 5]],
    ['passed=applied', [3, 5, 7]],
    ['reached=applied&job_id=1,9223372036854775808', [2, 3, 5]],
    ['reached=sourced', [1]],
    ['passed=sourced', []],
    ['reached=interview', [4, 7]],
    ['decided=interview', [4]],
    ['decided=applied&job_id=1', [2, 3, 5]],
    ['decided=trial%20day', [5]],
    ['reached=%00', []],
    ['reached=none', []],
    ['reached=&job_id=3', [8]],
    ['reached=applied&passed=phone_screen', [7]],
    ['reached=hired&job.status=open', [5]],
  ]
  for (const [query, expected] of filtered)
    it(`finds applications?${query}`, async () => {
      assert.deepEqual(await found(query), expected)
    })

  it('counts and exports by a computed filter', async () => {
    const { json } = await get('counts/applications?by=stage&reached=trial%20day')
    assert.deepEqual(
      json.data.map(({ stage, count }: { stage: string; count: number }) => [stage, count]),
      [
        ['hired', 1],
        ['trial day', 2],
      ],
    )
    const { text } = await get('applications?format=csv&fields=id&passed=applied')
    assert.equal(text, 'id\n3\n5\n7\n')
  })

  it('reads the stages again when a job changes', async () => {
    assert.deepEqual(await found('reached=offer'), [])
    const before = await funnelOf('job_id=1')
    await database.execute(
      `update job_openings set stages_json = '["applied", "Trial day", "offer", "hired"]' where id = 1`,
    )
    assert.deepEqual(await found('reached=offer'), [5])
    assert.notDeepEqual(await funnelOf('job_id=1'), before)
  })
})

describe('a funnel without data', () => {
  it('has no rows', async (t) => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    t.after(async () => {
      await service.stop()
      await database.drop()
    })
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/reports/funnel?applied_from=2026-01-01`)
    assert.equal(status, 200)
    assert.deepEqual([json.data, json.meta.excluded], [[], 0])
  })
})
