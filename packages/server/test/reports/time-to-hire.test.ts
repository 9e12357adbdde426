import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

const figures = ['n', 'median_days', 'p90_days', 'min_days', 'max_days']
const allFigures = [...figures, ...figures.map((name) => `fill_${name}`)]

/** Hires on or before $1 and in the period from $2 to $3. */
const hires = `
  select a.*, a.stage_entered_on - a.applied_on as to_hire, a.stage_entered_on - j.opened_on as to_fill,
    j.dept_id, c.source
  from applications a join job_openings j on j.id = a.job_id join candidates c on c.id = a.candidate_id
  where lower(a.stage) = 'hired' and lower(a.status) <> 'rejected' and lower(a.status) <> 'withdrawn'
    and (a.stage_entered_on <= $1::date or a.stage_entered_on is null)
    and ($2::date is null or a.stage_entered_on >= $2) and ($3::date is null or a.stage_entered_on <= $3)`

const groups: Readonly<Record<string, string>> = {
  month: `to_char(stage_entered_on, 'YYYY-MM')`,
  'job.dept_id': 'dept_id',
  'candidate.source': 'lower(source)',
}

const summary = (days: string, prefix = ''): string => {
  const percentile = (share: number) =>
    `trim_scale(round((percentile_cont(${share}) within group (order by ${days}) filter (where ${days} >= 0))::numeric, 1))`
  const counted = `filter (where ${days} >= 0)`
  return `count(*) ${counted} as ${prefix}n, ${percentile(0.5)} as ${prefix}median_days, ${percentile(0.9)} as ${prefix}p90_days,
    min(${days}) ${counted} as ${prefix}min_days, max(${days}) ${counted} as ${prefix}max_days`
}

describe('the report time-to-hire', () => {
  proveReport({
    report: 'time-to-hire',
    linkedColumns: allFigures,
    inexactLinks: allFigures.filter((name) => !name.endsWith('n')),
    mayLackLinks: ({ group }, { by }) => group === null && by !== undefined,
    randomQuery: async (random, run) => {
      const [from, to, asOf] = await run(
        `select ((select max(stage_entered_on) from applications) + d)::text
         from unnest(array[${-900 + random(500)}, ${-400 + random(500)}, ${-600 + random(700)}]) with ordinality x (d, n)
         order by n`,
      )
      return {
        as_of: asOf,
        hired_from: pick(random, [undefined, from]),
        hired_to: pick(random, [undefined, to]),
        by: pick(random, [undefined, ...Object.keys(groups)]),
      }
    },
    reference: ({ as_of, hired_from = null, hired_to = null, by }) => {
      const group = by === undefined ? undefined : groups[by]
      return {
        text: `
          select ${group ?? 'null'} as "group", ${summary('to_hire')}, ${summary('to_fill', 'fill_')}
          from (${hires}) hires
          ${group === undefined ? '' : `where to_hire >= 0 or to_fill >= 0 group by ${group} order by ${group} nulls last`}`,
        values: [as_of, hired_from, hired_to],
        excluded: `select count(*) from (${hires}) hires where to_hire is null or to_hire < 0`,
      }
    },
  })
})

describe('a small report of the time to hire', () => {
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
  const get = (query: string) => sendRequest(`${service.baseUrl}/v1/reports/time-to-hire?${query}`)
  const rowsOf = async (query: string): Promise<unknown[][]> => {
    const { status, json, text } = await get(query)
    assert.equal(status, 200, text)
    return json.data.map((row: Record<string, unknown>) => ['group', ...allFigures].map((name) => row[name]))
  }
  const none = [0, null, null, null, null]

  it('has one row of zeros without data, and none by group', async () => {
    assert.deepEqual(await rowsOf(''), [[null, ...none, ...none]])
    assert.deepEqual(await rowsOf('by=month'), [])
  })

  it('counts only hires with both dates that are not after as_of', async () => {
    await database.execute(`
      insert into departments (name) select 'D' from generate_series(1, 10);
      insert into candidates (status, source) values ('active', 'Agency'), ('active', null), ('active', repeat('y', 201));
      insert into job_openings (title, status, headcount, filled, opened_on, dept_id) values
        ('A', 'open', 1, 0, '2026-01-01', 10), ('B', 'open', 1, 0, null, 9), ('C', 'open', 1, 0, '2026-03-01', null);
      insert into applications (candidate_id, job_id, stage, status, applied_on, stage_entered_on) values
        (1, 1, 'Hired', 'active', '2026-01-10', '2026-01-31'),
        (1, 1, 'hired', 'hired', '2026-02-01', '2026-02-01'),
        (2, 2, 'hired', 'hired', '2026-01-01', '2026-02-28'),
        (3, 3, 'hired', 'hired', '2026-02-20', '2026-02-27'),
        (1, 1, 'hired', 'hired', null, '2026-02-03'),
        (1, 1, 'hired', 'hired', '2026-02-04', null),
        (1, 1, 'hired', 'hired', '2026-02-05', '2026-02-04'),
        (1, 1, 'hired', 'Rejected', '2026-02-05', '2026-02-06'),
        (1, 1, 'offer', 'active', '2026-02-05', '2026-02-06'),
        (1, 1, 'hired', 'hired', '2026-02-05', '2026-05-01');
    `)
    assert.deepEqual(await rowsOf('as_of=2026-04-30'), [[null, 4, 14, 46.9, 0, 58, 4, 32, 33.7, 30, 34]])
    assert.deepEqual(await rowsOf('as_of=2026-04-30&by=month'), [
      ['2026-01', 1, 21, 21, 21, 21, 1, 30, 30, 30, 30],
      ['2026-02', 3, 7, 47.8, 0, 58, 3, 33, 33.8, 31, 34],
    ])
    assert.deepEqual(
      (await rowsOf('as_of=2026-04-30&by=job.dept_id')).map(([group]) => group),
      ['9', '10', null],
    )
    const excluded = async (query: string) => (await get(query)).json.meta.excluded
    assert.equal(await excluded('as_of=2026-04-30'), 3)
    assert.equal(await excluded('as_of=2026-04-30&hired_to=2026-04-30'), 2)
    assert.equal(await excluded('as_of=2026-04-30&hired_from=2026-02-04'), 1)
  })

  it('links a median to the hires behind it, within period, month and as_of', async () => {
    const { json } = await get('as_of=2026-02-27&hired_from=2026-01-15&hired_to=2026-12-31&by=month')
    const [january, february] = json.data
    assert.equal(january.links.median_days, january.links.n)
    assert.equal(
      january.links.n,
      '/api/v1/applications?measured=time_to_hire&stage_entered_on_from=2026-01-15&stage_entered_on_to=2026-01-31',
    )
    assert.equal(
      february.links.fill_p90_days,
      '/api/v1/applications?measured=time_to_fill&stage_entered_on_from=2026-02-01&stage_entered_on_to=2026-02-27',
    )
  })

  it('has no links for groups that no filter selects', async () => {
    const { json } = await get('as_of=2026-04-30&by=candidate.source')
    assert.deepEqual(
      json.data.map(({ group, links }: { group: string | null; links: object }) => [
        group?.slice(0, 6),
        Object.keys(links).length,
      ]),
      [
        ['agency', 10],
        ['yyyyyy', 0],
        [undefined, 0],
      ],
    )
  })

  const wrong: readonly (readonly [query: string, parameter: string, type: string])[] = [
    ['hired_from=2026-02-01&hired_to=2026-01-31', 'hired_to', 'date_order'],
    ['hired_to=2026-13-01', 'hired_to', 'date_parsing'],
    ['by=dept_id', 'by', 'literal_error'],
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

  it('rejects a measure that does not exist', async () => {
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/applications?measured=time_to_quit`)
    assert.equal(status, 422)
    assert.deepEqual(json.detail[0].loc, ['query', 'measured'])
  })
})
