import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { texts } from './parameters.ts'
import { proveReport } from './proof.ts'

/** Applications that wait in a stage. */
const waiting = `
  select a.job_id, lower(a.stage) as stage, a.stage_entered_on from applications a
  where lower(a.status) not in ('rejected', 'withdrawn') and lower(a.stage) <> 'hired'`

const totals = `
  count(*) as openings, coalesce(sum(headcount), 0) as places, coalesce(sum(filled), 0) as filled,
  $1::date - min(case when opened_on <= $1 then opened_on end) as oldest_days,
  count(case when target_date < $1 and filled < headcount then 1 end) as past_target`

const noTexts = `null as title, null as longest_stage, null as longest_stage_count, null as longest_wait_days`
const matching = `(select * from job_openings where lower(status) = any ($2::text[])) j`

const references: Readonly<Record<string, string>> = {
  none: `select null as "group", ${totals}, ${noTexts} from ${matching}`,
  dept_id: `select dept_id as "group", ${totals}, ${noTexts} from ${matching} group by dept_id order by dept_id nulls last`,
  id: `
    select id as "group", 1 as openings, headcount as places, filled,
      case when opened_on <= $1 then $1::date - opened_on end as oldest_days,
      case when target_date < $1 and filled < headcount then 1 else 0 end as past_target, title,
      longest.stage as longest_stage, case when longest.stage is not null then
        (select count(*) from (${waiting}) w where w.job_id = j.id and w.stage = longest.stage) end as longest_stage_count,
      $1::date - longest.stage_entered_on as longest_wait_days
    from ${matching} left join lateral (
      select * from (${waiting}) w where w.job_id = j.id and w.stage_entered_on <= $1
      order by w.stage_entered_on, w.stage collate "C" limit 1) longest on true
    order by id`,
}

describe('the report openings', () => {
  proveReport({
    report: 'openings',
    linkedColumns: ['openings', 'places', 'filled', 'oldest_days', 'past_target', 'longest_stage_count'],
    inexactLinks: ['places', 'filled', 'oldest_days'],
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select (max(opened_on) + ${-900 + random(1000)})::text from job_openings`)
      return {
        as_of: asOf,
        by: pick(random, [undefined, 'dept_id', 'id']),
        status: pick(random, [undefined, undefined, 'OPEN,closed', 'closed', 'on_hold,draft,archived', 'none']),
      }
    },
    reference: ({ as_of, by = 'none', status = 'open' }) => ({
      text: references[by] as string,
      values: [as_of, texts(status)],
    }),
  })
})

describe('a small report of openings', () => {
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
  const get = (query: string) => sendRequest(`${service.baseUrl}/v1/reports/openings?${query}`)
  const rowsOf = async (query: string): Promise<unknown[][]> => {
    const { status, json, text } = await get(query)
    assert.equal(status, 200, text)
    return json.data.map(({ links: _, ...row }: Record<string, unknown>) => Object.values(row))
  }
  const nulls = [null, null, null, null]

  it('has one row of zeros without data, and none by group', async () => {
    assert.deepEqual(await rowsOf(''), [[null, 0, 0, 0, null, 0, ...nulls]])
    assert.deepEqual(await rowsOf('by=dept_id'), [])
    assert.deepEqual(await rowsOf('by=id'), [])
  })

  it('shows where applications to an opening wait longest', async () => {
    await database.execute(`
      insert into departments (name) select 'D' from generate_series(1, 10);
      insert into candidates (status) values ('active');
      insert into job_openings (title, status, headcount, filled, opened_on, target_date, dept_id) values
        ('A', 'Open', 2, 1, '2026-01-01', '2026-02-28', 10),
        ('B', 'open', 9223372036854775807, 9223372036854775807, '2026-05-01', '2026-02-01', null),
        ('C', 'open', 1, 0, null, null, 9),
        ('D', 'closed', 1, 0, '2020-01-01', '2020-01-01', 9);
      insert into applications (candidate_id, job_id, stage, status, stage_entered_on) values
        (1, 1, 'hired', 'hired', '2026-01-01'),
        (1, 1, 'offer', 'Rejected', '2026-01-01'),
        (1, 1, 'Offer', 'active', '2026-01-02'),
        (1, 1, 'interview', 'on_hold', '2026-01-02'),
        (1, 1, 'INTERVIEW', 'active', null),
        (1, 1, 'interview', 'withdrawn', '2026-01-01'),
        (1, 2, 'offer', 'active', '2026-03-02'),
        (1, 3, 'offer', 'active', null);
    `)
    assert.deepEqual(await rowsOf('as_of=2026-03-01'), [
      [null, 3, Number('9223372036854775810'), Number('9223372036854775808'), 59, 1, ...nulls],
    ])
    assert.deepEqual(await rowsOf('as_of=2026-03-01&by=id'), [
      ['1', 1, 2, 1, 59, 1, 'A', 'interview', 2, 58],
      ['2', 1, Number('9223372036854775807'), Number('9223372036854775807'), null, 0, 'B', null, null, null],
      ['3', 1, 1, 0, null, 0, 'C', null, null, null],
    ])
    assert.deepEqual(
      (await rowsOf('as_of=2026-02-28&by=dept_id')).map(([group, openings, , , , pastTarget]) => [
        group,
        openings,
        pastTarget,
      ]),
      [
        ['9', 1, 0],
        ['10', 1, 0],
        [null, 1, 0],
      ],
    )
  })

  it('adds more than 64 bits', async () => {
    await database.execute(
      `insert into job_openings (title, status, headcount, filled) values ('E', 'open', 9223372036854775807, 0)`,
    )
    const { text } = await get('as_of=2026-03-01')
    assert.match(text, /"places":18446744073709551617,/)
  })

  it('links to the job openings and applications of the row', async () => {
    const { json } = await get('as_of=2026-03-01&by=id&status=OPEN')
    assert.equal(json.data[0].links.past_target, '/api/v1/jobs?past_target=2026-03-01&status=OPEN&id=1')
    assert.equal(json.data[0].links.oldest_days, '/api/v1/jobs?status=OPEN&id=1')
    assert.equal(
      json.data[0].links.longest_stage_count,
      '/api/v1/applications?job_id=1&stage=interview&status_not=rejected%2Cwithdrawn',
    )
    assert.deepEqual(Object.keys(json.data[2].links), ['openings', 'places', 'filled', 'past_target'])
  })

  const wrong: readonly (readonly [query: string, parameter: string, type: string])[] = [
    ['by=status', 'by', 'literal_error'],
    ['as_of=soon', 'as_of', 'date_parsing'],
  ]
  for (const [query, parameter, type] of wrong)
    it(`rejects ${query}`, async () => {
      const { status, json } = await get(query)
      assert.equal(status, 422)
      assert.deepEqual(
        json.detail.map(({ loc, type: found }: { loc: string[]; type: string }) => [loc.at(-1), found]),
        [[parameter, type]],
      )
    })

  it('rejects a day that is not one in the filter past_target', async () => {
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/jobs?past_target=soon`)
    assert.equal(status, 422)
    assert.deepEqual([json.detail[0].loc.at(-1), json.detail[0].type], ['past_target', 'date_parsing'])
  })
})
