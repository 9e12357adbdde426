import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { proveReport } from './proof.ts'

const kinds = ['transfer', 'title', 'manager', 'office', 'contract']
const kindOf = `(array['${kinds.join("', '")}'])[array_position(array['dept_id', 'designation', 'manager_id', 'branch', 'employment_type'], field)]`

describe('the report movements', () => {
  proveReport({
    report: 'movements',
    linkedColumns: ['changes'],
    randomQuery: async (random, run) => {
      const [asOf] = await run(`select ((now() at time zone 'utc')::date - ${random(500)})::text`)
      const [from, to] = await run(
        `select to_char('${asOf}'::date + n * interval '1 month', 'YYYY-MM')
         from unnest(array[${-random(30)}, ${random(3) - 1}]) with ordinality months (n, place) order by n`,
      )
      const by = pick(random, [undefined, 'dept_id'])
      return {
        as_of: asOf,
        from: pick(random, [undefined, from]),
        to: pick(random, [undefined, to]),
        kind: by === undefined ? pick(random, [undefined, ...kinds]) : pick(random, [undefined, 'transfer']),
        by,
      }
    },
    reference: ({ as_of, from, to, kind, by }) => ({
      text: `
        with period as (
          select coalesce($2, to_char(coalesce(($3 || '-01')::date, $1::date) - interval '11 months', 'YYYY-MM')) as first,
            coalesce($3, greatest($2, to_char($1::date, 'YYYY-MM'))) as last
        ), changes as (
          select to_char("on", 'YYYY-MM') as month, ${kindOf} as kind,
            ${by === undefined ? 'null::int as old, null::int as new' : 'old::int, new::int'}
          from history, period
          where resource = 'employees' and "on" <= $1::date and to_char("on", 'YYYY-MM') between first and last
            and ($4::text is null or ${kindOf} = $4) ${by === undefined ? '' : `and field = '${by}'`}
        )
        select month, kind, old as from_group, new as to_group, count(*) as changes from changes group by 1, 2, 3, 4
        order by 1, array_position(array['${kinds.join("', '")}'], kind), 3, 4`,
      values: [as_of, from ?? null, to ?? null, kind ?? null],
    }),
  })
})

describe('a small report of movements', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('A'), ('B');
      insert into employees (id, status, dept_id, branch) values (1, 'active', 2, 'Oslo');
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        ('employees', 1, 'dept_id', null, '1', '2026-01-31', null, '2026-01-31 10:00'),
        ('employees', 1, 'dept_id', '1', '2', '2026-01-31', null, '2026-01-31 11:00'),
        ('employees', 1, 'branch', 'Rome', 'Oslo', '2026-02-01', null, '2026-02-01'),
        ('candidates', 1, 'status', 'active', 'hired', '2026-02-01', null, '2026-02-01');
      update muster_history_from set day = case resource when 'employees' then '2026-01-02' else '2026-03-01' end::date`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const get = (parameters: string) => sendRequest(`${service.baseUrl}/v1/reports/movements?${parameters}`)
  const rowsOf = async (parameters: string) =>
    (await get(parameters)).json.data.map(({ links: _, ...row }: Record<string, unknown>) => Object.values(row))

  it('counts each change of a month, until as_of', async () => {
    assert.deepEqual(await rowsOf('as_of=2026-02-28'), [
      ['2026-01', 'transfer', null, null, 2],
      ['2026-02', 'office', null, null, 1],
    ])
    assert.deepEqual(await rowsOf('as_of=2026-01-31&to=2026-06'), [['2026-01', 'transfer', null, null, 2]])
    assert.deepEqual(await rowsOf('as_of=2026-02-28&kind=office&from=2026-03'), [])
    assert.equal((await get('as_of=2026-02-28')).json.meta.history_from, '2026-01-02')
  })

  it('has pairs of departments, whose changes it links to', async () => {
    assert.deepEqual(await rowsOf('as_of=2026-02-28&by=dept_id'), [
      ['2026-01', 'transfer', '1', '2', 1],
      ['2026-01', 'transfer', null, '1', 1],
    ])
    const { json } = await get('as_of=2026-01-31&by=dept_id')
    assert.deepEqual(
      json.data.map(({ links }: { links: { changes: string } }) => links.changes.replace(/.*on_to=2026-01-31&/, '')),
      ['old=1&new=2', 'old_is_null=true&new=1'],
    )
  })

  it('rejects another kind than transfers by department, and periods that end before they begin', async () => {
    const { json } = await get('by=dept_id&kind=title')
    assert.deepEqual([json.detail[0].loc.at(-1), json.detail[0].type], ['kind', 'parameter_conflict'])
    for (const [parameters, type] of [
      ['kind=promotion', 'literal_error'],
      ['by=manager_id', 'literal_error'],
    ]) {
      const { status, json: rejected } = await get(String(parameters))
      assert.deepEqual([status, rejected.detail[0].type], [422, type])
    }
    const { json: order } = await get('from=2026-02&to=2026-01')
    assert.deepEqual([order.detail[0].loc.at(-1), order.detail[0].type], ['to', 'date_order'])
  })
})
