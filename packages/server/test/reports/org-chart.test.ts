import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Report } from '@muster/model'
import { reports } from '@muster/model'
import { escapeLiteral } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { parseQuery } from '../../src/http/request/query-string.ts'
import { readReportQuery } from '../../src/http/request/report-query.ts'
import type { Query } from './proof.ts'
import { proveReport } from './proof.ts'

const defaultStatuses = 'active,on_leave,suspended'

/** The value of a field of employee `e` at the end of a day. */
const valueOn = (field: string, day: string): string => `(coalesce(
  (select array[h.old] from history h
    where h.resource = 'employees' and h.record_id = e.id and h.field = '${field}' and h."on" > ${day}
    order by h."on", h.id limit 1),
  array[e.${field}::text]))[1]`

const today = (): string => new Date().toISOString().slice(0, 10)

/** The members of the chart, with the values that it shows. */
const members = ({ as_of = '', status }: Query): string => {
  const isPast = as_of < today()
  const statuses = status ?? (isPast ? undefined : defaultStatuses)
  const value = (field: string) => (isPast ? valueOn(field, `'${as_of}'`) : `e.${field}`)
  return `
    select e.id, ${value('manager_id')}::bigint as manager_id, ${value('designation')} as designation,
      ${value('dept_id')}::bigint as dept_id, e.first_name, e.last_name
    from employees e
    where ${statuses === undefined ? 'true' : `lower(e.status) = any (string_to_array(${escapeLiteral(statuses.toLowerCase())}, ','))`}
      and ${isPast ? `e.date_of_joining <= '${as_of}' and (e.termination_date is null or e.termination_date > '${as_of}')` : 'true'}`
}

/** All pairs of people above and below each other, which only small companies allow. */
const hierarchy = (query: Query): string => `
  with recursive people as materialized (
    ${members(query)}
  ), managed as (
    select p.id, m.id as manager from people p join people m on m.id = p.manager_id
  ), above as (
    select id, manager as other from managed
    union
    select above.id, managed.manager from above join managed on managed.id = above.other
  ), cuts as (
    select id from above where id in (select a.id from above a where a.other = a.id)
    group by id having min(other) = id
  ), tree as (
    select p.id, managed.manager from people p
    left join managed on managed.id = p.id and p.id not in (select id from cuts)
  ), chain as (
    select id, id as ancestor, 0 as distance from tree
    union all
    select chain.id, tree.manager, distance + 1
    from chain join tree on tree.id = chain.ancestor where tree.manager is not null
  ), levels as (
    select id, max(distance) as depth from chain group by id
  )`

const reference = (query: Query) => {
  const { root, above, depth = '2', managers_only } = query
  const shown =
    root !== undefined
      ? `select id, distance as depth from chain where ancestor = ${root} and distance <= ${depth}`
      : above !== undefined
        ? `select levels.id, depth from levels join chain on ancestor = levels.id where chain.id = ${above}`
        : `select id, depth from levels where depth <= ${depth}`
  return {
    text: `${hierarchy(query)}
      select e.id, tree.manager as manager_id, shown.depth,
        (select count(*) from people r where r.manager_id = e.id) as direct_reports,
        (select count(*) from chain where ancestor = e.id and distance > 0) as total_reports,
        e.designation, e.dept_id, (select name from departments where id = e.dept_id) as department,
        e.first_name, e.last_name
      from (${shown}) shown join people e using (id) join tree using (id)
      ${managers_only === 'true' ? 'where exists (select from people r where r.manager_id = e.id)' : ''}
      order by shown.depth, e.id`,
    excluded: `${hierarchy(query)} select count(*) from cuts`,
  }
}

describe('the report org-chart', () => {
  proveReport({
    report: 'org-chart',
    linkedColumns: ['direct_reports', 'total_reports'],
    randomQuery: async (random, run) => {
      const someone = async (orderBy: string) =>
        pick(random, await run(`select id from employees order by ${orderBy} limit 20 offset ${random(30)}`))
      const manager = '(select count(*) from employees r where r.manager_id = employees.id) desc, id'
      const [part, id] = [random(3), random(10) === 0 ? '999999' : await someone(random(3) === 0 ? 'id' : manager)]
      return {
        // The present chart, and those of days between the recorded changes.
        as_of:
          random(2) === 0
            ? '9999-12-31'
            : (await run(`select ((now() at time zone 'utc')::date - ${1 + random(950)})::text`))[0],
        root: part === 0 ? id : undefined,
        above: part === 1 ? id : undefined,
        depth: pick(random, [undefined, '0', '1', '3', '32']),
        managers_only: pick(random, [undefined, 'true', 'false']),
        status: pick(random, [
          undefined,
          undefined,
          'active',
          'Active,TERMINATED',
          'on_leave',
          'active,on_leave,suspended,terminated,resigned',
          'none',
        ]),
      }
    },
    reference,
  })
})

describe('the report org-chart', () => {
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
    sendRequest(`${baseUrl}/v1/reports/org-chart?${parameters}`, { headers })
  const violations = async (parameters: string) =>
    (await get(parameters)).json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [loc[1], type])
  const excluded = async (parameters: string): Promise<number> => (await get(parameters)).json.meta.excluded
  /** Id, manager, depth, direct and total reports of each row. */
  const rows = async (parameters: string) => {
    const { status, json, text } = await get(parameters)
    assert.equal(status, 200, text)
    return json.data.map((row: Record<string, number | null>) => [
      row.id,
      row.manager_id,
      row.depth,
      row.direct_reports,
      row.total_reports,
    ])
  }
  const total = async (path: string): Promise<number> =>
    (await sendRequest(`${service.baseUrl}/v1/${path}`)).json.meta.total

  const msOf = async (work: () => Promise<void>): Promise<number> => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }

  /** Replaces all employees by these: id, manager, status. */
  const withPeople = (people: readonly (readonly [id: number, manager: number | null, status?: string])[]) =>
    database.execute(
      `delete from employees;
       insert into employees (id, manager_id, status, first_name, last_name) values ${people
         .map(([id, manager, status = 'active']) => `(${id}, ${manager}, '${status}', 'Ada', 'Lovelace')`)
         .join(', ')}`,
    )

  it('of a company without employees is empty', async () => {
    assert.deepEqual([await rows(''), await excluded('')], [[], 0])
  })

  it('rejects root together with above, and a depth outside 0 to 32', async () => {
    assert.deepEqual(await violations('root=1&above=1'), [['above', 'parameter_conflict']])
    assert.deepEqual(await violations('depth=33'), [['depth', 'less_than_equal']])
    assert.deepEqual(await violations('depth=-1'), [['depth', 'greater_than_equal']])
    assert.deepEqual(await violations('managers_only=2&root=x'), [
      ['root', 'int_parsing'],
      ['managers_only', 'bool_parsing'],
    ])
  })

  it('cuts a cycle above its smallest id, and counts the reports across the cut', async () => {
    // 5 → 3 → 4 → 5 is a cycle with 6 and 7 below; 8 manages itself and 9; 1 and 2 manage each other.
    const people = [
      [1, 2],
      [2, 1],
      [3, 4],
      [4, 5],
      [5, 3],
      [6, 4],
      [7, 6],
      [8, 8],
      [9, 8],
      [10, null],
    ] as const
    await withPeople(people)
    assert.deepEqual(await rows('depth=32'), [
      [1, null, 0, 1, 1],
      [3, null, 0, 1, 4],
      [8, null, 0, 2, 1],
      [10, null, 0, 0, 0],
      [2, 1, 1, 1, 0],
      [5, 3, 1, 1, 3],
      [9, 8, 1, 0, 0],
      [4, 5, 2, 2, 2],
      [6, 4, 3, 1, 1],
      [7, 6, 4, 0, 0],
    ])
    assert.equal(await excluded(''), 3)
    assert.deepEqual(await rows('root=5&depth=1'), [
      [5, 3, 0, 1, 3],
      [4, 5, 1, 2, 2],
    ])
    assert.deepEqual(await rows('above=6&depth=0&managers_only=true'), [
      [3, null, 0, 1, 4],
      [5, 3, 1, 1, 3],
      [4, 5, 2, 2, 2],
      [6, 4, 3, 1, 1],
    ])
    assert.deepEqual(await rows('managers_only=true&depth=0'), [
      [1, null, 0, 1, 1],
      [3, null, 0, 1, 4],
      [8, null, 0, 2, 1],
    ])
    for (const [id] of people) {
      const [[, , , direct, all]] = await rows(`root=${id}`)
      assert.deepEqual([direct, all], [await total(`employees?manager_id=${id}`), await total(`employees?under=${id}`)])
    }
  })

  it('consists only of people with the statuses', async () => {
    await withPeople([
      [1, null],
      [2, 1, 'Terminated'],
      [3, 2],
      [4, 3, 'on_leave'],
      [5, 4],
      // A cycle, as long as 7 is part of the chart.
      [6, 7],
      [7, 6, 'resigned'],
    ])
    assert.deepEqual(await rows(''), [
      [1, null, 0, 0, 0],
      [3, null, 0, 1, 2],
      [6, null, 0, 0, 0],
      [4, 3, 1, 1, 1],
      [5, 4, 2, 0, 0],
    ])
    assert.deepEqual([await excluded(''), await excluded('status=active,RESIGNED')], [0, 1])
    assert.deepEqual(await rows('status=active,terminated&depth=0'), [
      [1, null, 0, 1, 2],
      [5, null, 0, 0, 0],
      [6, null, 0, 0, 0],
    ])
    assert.deepEqual(
      [await rows('root=2'), await rows('above=2'), await rows('root=9'), await rows('status=%00')],
      [[], [], [], []],
    )
    assert.deepEqual(await rows('root=99999999999999999999'), [])
  })

  it('contains each person of random companies exactly once', async () => {
    for (let company = 0; company < 4; company += 1) {
      await database.execute(
        `select setseed(${company / 10});
         delete from employees;
         insert into employees (id, status)
         select n, (array['active', 'ACTIVE', 'on_leave', 'terminated'])[1 + floor(random() * 4)] from generate_series(1, 300) n;
         update employees set manager_id = nullif(floor(random() * 301)::int, 0)`,
      )
      for (const statuses of [defaultStatuses, 'active', 'active,on_leave,terminated']) {
        const { json } = await get(`status=${statuses}&depth=0`)
        const counted = json.data.reduce(
          (sum: number, row: { total_reports: number }) => sum + 1 + row.total_reports,
          0,
        )
        assert.equal(counted, await total(`employees?status=${statuses}`))
      }
    }
  })

  it('of a chain of 2,000 people takes linear time, and so does the list of people below', async () => {
    const length = 2_000
    // The first three form a cycle.
    const managerOf = (id: number): number => (id === 1 ? 3 : id - 1)
    await withPeople(Array.from({ length }, (_, index) => [index + 1, managerOf(index + 1)] as const))
    await database.execute('analyze employees')
    const linearMs = await msOf(async () => {
      assert.deepEqual(await rows('depth=0'), [[1, null, 0, 1, length - 1]])
      const chain = await rows(`above=${length}`)
      assert.deepEqual([chain.length, chain.at(-1)], [length, [length, length - 1, length - 1, 0, 0]])
      assert.equal(await total(`employees?under=1&status=${defaultStatuses}`), length - 1)
    })
    // 60 ms of CPU time against 800 ms, measured at the same load.
    const quadraticMs = await msOf(() =>
      database.execute(`
        with recursive pairs as (
          select id, id as ancestor from employees
          union all
          select pairs.id, e.manager_id from pairs join employees e on e.id = pairs.ancestor where e.id > 1
        ) select count(*) from pairs`),
    )
    assert.ok(linearMs < quadraticMs, `${linearMs} ms, all pairs ${quadraticMs} ms`)
    assert.deepEqual(await rows('root=1999'), [
      [1999, 1998, 0, 1, 1],
      [2000, 1999, 1, 0, 0],
    ])
    for (const id of [2, 3, 1500]) assert.equal(await total(`employees?under=${id}`), length - id)
  })

  it('has no names without a token in redacted mode', async () => {
    await withPeople([[1, null]])
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      const names = async (headers: Record<string, string>) => {
        const [{ id, first_name, last_name, links }] = (await get('', headers, redacting)).json.data
        assert.deepEqual([id, Object.keys(links)], [1, ['direct_reports', 'total_reports']])
        return [first_name, last_name]
      }
      assert.deepEqual(await names({}), [null, null])
      assert.deepEqual(await names({ authorization: `Bearer ${token}` }), ['Ada', 'Lovelace'])
      const csv = await get('format=csv', {}, redacting)
      assert.doesNotMatch(csv.text, /Ada|Lovelace/)
    } finally {
      await redacting.stop()
    }
  })

  /** Replaces all employees by these, and what they were: id, field, old value, day. */
  const withPast = async (
    employees: string,
    changes: readonly (readonly [id: number, field: string, old: string | null, on: string])[],
  ): Promise<void> => {
    const values = changes.map(
      ([id, field, old, on]) => `(${id}, '${field}', ${old === null ? 'null' : `'${old}'`}, '${on}'::date)`,
    )
    await database.execute(
      `delete from employees; delete from departments;
       insert into departments (id, name) values (1, 'Sales'), (2, 'Research');
       insert into employees (id, status, date_of_joining, termination_date, manager_id, dept_id, designation) values ${employees};
       insert into history (resource, record_id, field, old, "on", at)
       select 'employees', c.*, now() from (values ${values.join(', ')}) c`,
    )
  }

  it('of a past day has the people who were employed, with their managers, titles and departments of that day', async () => {
    await withPast(
      `(1, 'active', '2020-01-01', null, null, 1, 'Chief'),
       (2, 'terminated', '2020-01-01', '2025-06-30', null, 2, null),
       (3, 'active', '2020-01-01', null, 1, 2, 'Lead'),
       (4, 'active', '2025-03-01', null, 3, 2, 'Clerk'),
       (5, 'active', '2025-07-01', null, 3, 2, 'Clerk'),
       (6, 'active', null, null, 3, 2, 'Clerk')`,
      [
        [2, 'manager_id', '1', '2025-06-30'],
        [3, 'manager_id', '2', '2025-06-30'],
        [3, 'dept_id', '1', '2025-05-01'],
        [3, 'designation', 'Clerk', '2025-05-01'],
        // Came back on 2025-07-01: this change is from before.
        [5, 'manager_id', '1', '2025-02-01'],
      ],
    )
    assert.deepEqual(await rows('as_of=2025-04-30&depth=32'), [
      [1, null, 0, 1, 3],
      [2, 1, 1, 1, 2],
      [3, 2, 2, 1, 1],
      [4, 3, 3, 0, 0],
    ])
    // On the last day, as at its end, nobody is employed any more.
    assert.deepEqual(await rows('as_of=2025-06-30&depth=32'), [
      [1, null, 0, 1, 2],
      [3, 1, 1, 1, 1],
      [4, 3, 2, 0, 0],
    ])
    const shown = async (day: string) => {
      const { json } = await get(`as_of=${day}&root=3&depth=0`)
      return json.data.map((row: Record<string, unknown>) => [row.designation, row.dept_id, row.department])
    }
    assert.deepEqual(
      [await shown('2025-04-30'), await shown('2025-05-01')],
      [[['Clerk', 1, 'Sales']], [['Lead', 2, 'Research']]],
    )
    assert.deepEqual(await rows('as_of=2025-04-30&status=active&depth=0'), [
      [1, null, 0, 0, 0],
      [3, null, 0, 1, 1],
    ])
    assert.deepEqual(await rows('as_of=2019-12-31'), [])
    // From today on, it is the present chart.
    assert.deepEqual(await rows('as_of=9999-12-31&depth=32'), await rows('depth=32'))
    assert.equal((await rows('depth=32')).length, 5)
    const from = async (parameters: string) => (await get(parameters)).json.meta.history_from
    assert.deepEqual([typeof (await from('as_of=2025-04-30')), await from('')], ['string', undefined])
  })

  it('cuts a cycle of a past day, and links to the people of that day', async () => {
    await withPast(
      `(1, 'active', '2020-01-01', null, null, 1, null), (2, 'active', '2020-01-01', null, 1, 1, null),
       (3, 'active', '2020-01-01', null, 1, 1, null), (4, 'active', '2026-01-01', null, 3, 1, null)`,
      [
        [1, 'manager_id', '3', '2025-05-01'],
        [2, 'manager_id', '1', '2025-05-01'],
        [3, 'manager_id', '2', '2025-05-01'],
      ],
    )
    assert.deepEqual(await rows('as_of=2025-04-30&depth=32'), [
      [1, null, 0, 1, 2],
      [2, 1, 1, 1, 1],
      [3, 2, 2, 1, 0],
    ])
    assert.deepEqual([await excluded('as_of=2025-04-30'), await excluded('')], [1, 0])
    for (const { id, links, ...row } of (await get('as_of=2025-04-30&depth=32')).json.data)
      for (const column of ['direct_reports', 'total_reports'])
        assert.equal(await total(links[column].replace(/.*\/v1\//, '')), row[column], `${id} ${column}`)
  })

  it('of a past day needs a token in redacted mode, because its members depend on termination dates', async () => {
    await withPeople([[1, null]])
    await database.execute(`update employees set date_of_joining = '2020-01-01'`)
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      for (const format of ['json', 'csv']) {
        const { status, json } = await get(`as_of=2025-04-30&format=${format}`, {}, redacting)
        assert.deepEqual([status, json.detail[0].type, json.detail[0].loc[1]], [422, 'field_redacted', 'as_of'])
      }
      const complete = await get('as_of=2025-04-30', { authorization: `Bearer ${token}` }, redacting)
      assert.deepEqual([complete.status, complete.json.data.length], [200, 1])
      for (const parameters of ['as_of=9999-12-31', ''])
        assert.equal((await get(parameters, {}, redacting)).status, 200)
    } finally {
      await redacting.stop()
    }
  })

  it('of today is the present one', () => {
    const orgChart = reports.find(({ name }) => name === 'org-chart') as Report
    const read = (day: string) =>
      readReportQuery(orgChart, parseQuery(`as_of=${day}`), { today: '2026-03-01', hidesPersonal: true }).report
    assert.equal(read('2026-03-01'), orgChart)
    assert.throws(() => read('2026-02-28'))
  })
})
