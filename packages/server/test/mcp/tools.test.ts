import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { listedResources, reports, resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { Agent } from '../../../../tests/support/mcp.ts'
import { connectHttp } from '../../../../tests/support/mcp.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

const readTools = ['describe', 'find', 'list', 'get', 'count', 'report', 'org_chart']

let database: TestDatabase
let service: RunningService
let agent: Agent
let writer: Agent
before(async () => {
  database = await createSeededDatabase()
  service = await startService(database.url, { mcp: { writes: true } })
  agent = await connectHttp(`http://127.0.0.1:${service.port}`)
  writer = await connectHttp(`http://127.0.0.1:${service.port}`, token)
})
after(async () => {
  await agent.close()
  await writer.close()
  await service.stop()
  await database.drop()
})

const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
  const { isError, json } = await agent.call(name, args)
  assert.equal(isError, false, JSON.stringify(json))
  return json
}

const errorOf = async (name: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
  const { isError, json } = await agent.call(name, args)
  assert.equal(isError, true, JSON.stringify(json))
  return JSON.stringify(json)
}

describe('the list of tools', () => {
  it('has seven tools, which are marked as read-only', async () => {
    const tools = await agent.tools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      readTools,
    )
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
  })

  it('has an eighth only for the write token', async () => {
    const tools = await writer.tools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...readTools, 'create'],
    )
    assert.equal(tools.at(-1)?.annotations?.readOnlyHint, undefined)
    await assert.rejects(
      agent.call('create', { resource: 'leave', record: { leave_type: 'annual' } }),
      /no tool "create"/,
    )
  })

  it('takes at most 6 kB', async (context) => {
    const bytes = Buffer.byteLength(JSON.stringify({ tools: await writer.tools() }))
    context.diagnostic(`${bytes} bytes`)
    assert.ok(bytes <= 6_000)
  })
})

describe('describe', () => {
  it('names every resource and report, and today', async () => {
    const { rows, today, reads } = await call('describe')
    assert.deepEqual(
      rows.flatMap(({ resource }: { resource?: string }) => resource ?? []),
      listedResources.map(({ path }) => path),
    )
    assert.deepEqual(
      rows.flatMap(({ report }: { report?: string }) => report ?? []),
      reports.map(({ name }) => name),
    )
    assert.match(today, /^\d{4}-\d\d-\d\d$/)
    assert.match(reads, /^public/)
  })

  it('shows each resource and report completely', async () => {
    for (const { path, allFields } of listedResources) {
      const described = await call('describe', { resource: path })
      assert.equal(described.shown, described.total)
      assert.equal(described.total, allFields.filter(({ kind }) => kind !== 'withheld').length)
      assert.doesNotMatch(JSON.stringify(described), /…/)
    }
    for (const { name, allColumns } of reports) {
      const described = await call('describe', { report: name })
      assert.deepEqual([described.shown, described.total], [allColumns.length, allColumns.length])
      assert.doesNotMatch(JSON.stringify(described), /…/)
    }
  })

  it('names filters and groupings that the other tools accept', async () => {
    for (const { path } of resources) {
      const { groupings, sort } = await call('describe', { resource: path })
      for (const by of groupings) {
        const { isError, json } = await agent.call('count', { resource: path, by: [by], limit: 1 })
        assert.ok(!isError || /at most 1000 groups/.test(JSON.stringify(json)), JSON.stringify(json))
      }
      assert.equal((await call('list', { resource: path, sort: sort.at(-1), limit: 1 })).shown, 1)
    }
  })
})

describe('pages', () => {
  for (const limit of [1, 7, 200])
    it(`of ${limit} records contain each record once`, async () => {
      const ids: number[] = []
      const resource = limit === 1 ? 'departments' : 'leave'
      let offset: number | null = 0
      while (offset !== null) {
        const page = await call('list', { resource, limit, offset })
        assert.equal(page.shown, page.rows.length)
        ids.push(...page.rows.map(({ id }: { id: number }) => id))
        offset = page.next
        assert.ok(page.next === null || page.next === ids.length)
        assert.ok(ids.length <= page.total)
        if (offset === null) assert.equal(ids.length, page.total)
      }
      assert.equal(new Set(ids).size, ids.length)
    })

  it('of groups and of a report contain each row once', async () => {
    for (const [name, args] of [
      ['count', { resource: 'attendance', by: ['day(att_date)', 'status'] }],
      ['org_chart', { depth: 32 }],
    ] as const) {
      const rows: string[] = []
      let offset: number | null = 0
      while (offset !== null) {
        const page = await call(name, { ...args, limit: 200, offset })
        rows.push(...page.rows.map((row: unknown) => JSON.stringify(row)))
        offset = page.next
        if (offset === null) assert.equal(rows.length, page.total)
      }
      assert.equal(new Set(rows).size, rows.length)
      assert.ok(rows.length > 100)
    }
  })

  it('past the end are empty', async () => {
    const { shown, next, rows, total } = await call('list', { resource: 'departments', offset: 1_000_000 })
    assert.deepEqual([shown, next, rows, total > 0], [0, null, [], true])
  })
})

describe('rows', () => {
  it('have no long texts, and say which fields are left out', async () => {
    const { rows, left_out: leftOut } = await call('get', { resource: 'jobs', id: 1 })
    assert.deepEqual(leftOut, ['description', 'requirements', 'stages_json'])
    for (const name of leftOut) assert.ok(!(name in rows[0]))
    assert.equal(
      rows[0].title,
      (await database.query<{ title: string }>('select title from job_openings where id = 1'))[0]?.title,
    )
  })

  it('have fields of related records', async () => {
    const [expected] = await database.query<{ id: number; name: string; title: string }>(
      `select a.id, c.last_name as name, j.title from applications a join candidates c on c.id = candidate_id
       join job_openings j on j.id = job_id order by a.id limit 1`,
    )
    const { rows } = await call('list', {
      resource: 'applications',
      fields: ['candidate.last_name', 'job.title'],
      limit: 1,
    })
    assert.deepEqual(rows, [{ id: expected?.id, 'candidate.last_name': expected?.name, 'job.title': expected?.title }])
  })

  it('leave out what has no value, except personal fields', async () => {
    const { rows } = await call('get', { resource: 'employees', id: 1 })
    assert.ok(!('manager_id' in rows[0]))
    assert.equal(rows[0].termination_date, null)
    const { rows: top } = await call('list', { resource: 'employees', fields: ['manager.last_name'], limit: 1 })
    assert.deepEqual(top, [{ id: 1 }])
  })
})

describe('a count', () => {
  it('of groups is sorted by size, and of all is one number', async () => {
    const { rows, records } = await call('count', { resource: 'applications', by: ['stage'] })
    const counts = rows.map(({ count }: { count: number }) => count)
    assert.deepEqual(
      counts,
      counts.toSorted((a: number, b: number) => b - a),
    )
    assert.equal(
      counts.reduce((a: number, b: number) => a + b, 0),
      records,
    )
    assert.deepEqual((await call('count', { resource: 'applications' })).rows, [{ count: records }])
  })
})

describe('wrong arguments', () => {
  for (const [title, name, args, expected] of [
    ['an unknown argument', 'list', { resource: 'leave', limt: 3 }, /no argument \\"limt\\"; did you mean limit\?/],
    ['a missing argument', 'list', {}, /resource/],
    ['an unknown resource', 'list', { resource: 'payroll' }, /resource must be equal to one of/],
    ['an unknown filter', 'list', { resource: 'leave', filters: { stauts: 'open' } }, /did you mean status\?/],
    [
      'a parameter in place of a filter',
      'list',
      { resource: 'leave', filters: { format: 'csv' } },
      /format is not a filter/,
    ],
    ['the same in a count', 'count', { resource: 'leave', filters: { by: 'id' } }, /by is not a filter/],
    ['a format of a report', 'report', { name: 'today', parameters: { format: 'csv' } }, /format is not a filter/],
    ['an empty value', 'list', { resource: 'leave', filters: { status: '' } }, /status is empty/],
    ['an empty array', 'list', { resource: 'leave', filters: { status: [] } }, /status is empty/],
    ['a blank value in an array', 'list', { resource: 'leave', filters: { status: ['open', ' '] } }, /status is empty/],
    ['an object as a value', 'list', { resource: 'leave', filters: { status: { eq: 1 } } }, /status must be text/],
    ['null as a value', 'list', { resource: 'leave', filters: { status: null } }, /status must be text/],
    ['a value with a comma', 'list', { resource: 'jobs', filters: { location: 'Oslo, Norway' } }, /send an array/],
    [
      'an unknown field',
      'list',
      { resource: 'leave', fields: ['stauts'] },
      /no field \\"stauts\\"; did you mean status\?/,
    ],
    [
      'an unknown related field',
      'get',
      { resource: 'leave', id: 1, fields: ['employee.nme'] },
      /no field \\"employee.nme\\"/,
    ],
    ['an unknown order', 'list', { resource: 'leave', sort: 'reason' }, /sort: Input should be one of id, employee_id/],
    ['an unknown column', 'report', { name: 'openings', sort: '-waiting' }, /no column \\"waiting\\": sort by group/],
    ['too large a page', 'list', { resource: 'leave', limit: 201 }, /limit must be <= 200/],
    ['a negative offset', 'list', { resource: 'leave', offset: -1 }, /offset must be >= 0/],
    ['a cursor that is no number', 'list', { resource: 'leave', offset: '0;drop' }, /offset must be integer/],
    ['an unknown grouping', 'count', { resource: 'leave', by: ['reason'] }, /by: /],
    ['an unknown record', 'get', { resource: 'leave', id: 999_999_999 }, /not_found/],
    [
      'an unknown parameter of a report',
      'report',
      { name: 'funnel', parameters: { jobid: 1 } },
      /did you mean job_id\?/,
    ],
    ['two ends of the chart', 'org_chart', { root: 1, above: 2 }, /above/],
    ['a blank text', 'find', { text: ' ' }, /blank/],
    ['too long a text', 'find', { text: 'x'.repeat(201) }, /200/],
  ] as const)
    it(`${title} is an error that says what is wrong`, async () => {
      assert.match(await errorOf(name, args), expected)
    })

  it('a value with a comma is one value in an array', async () => {
    const [{ location = '' } = {}] = await database.query<{ location: string }>(
      `select location from job_openings where location like '%,%' limit 1`,
    )
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      'select count(*) from job_openings where location = $1',
      [location],
    )
    assert.equal((await call('count', { resource: 'jobs', filters: { location: [location] } })).records, count)
  })

  it('an unknown tool is an error of the protocol', async () => {
    await assert.rejects(agent.call('lst'), /There is no tool "lst"; did you mean list\?/)
    for (const name of ['__proto__', 'constructor', 'toString', ''])
      await assert.rejects(agent.call(name), /There is no tool/)
  })
})

describe('create', () => {
  const record = {
    leave_type: 'annual',
    employee_id: 1,
    from_date: '2026-12-21',
    to_date: '2026-12-23',
    reason: 'rest',
  }

  it('stores one record, however often it is called, in whatever order of fields', async () => {
    const first = await writer.call('create', { resource: 'leave', record })
    const reversed = Object.fromEntries(Object.entries(record).toReversed())
    const second = await writer.call('create', { resource: 'leave', record: reversed })
    assert.deepEqual([first.json.replayed, second.json.replayed], [false, true])
    assert.deepEqual(second.json.rows, first.json.rows)
    const stored = await database.query(`select id from leave_requests where reason = 'rest'`)
    assert.equal(stored.length, 1)
    assert.equal(first.json.rows[0].status, 'pending')
    assert.ok(!('reason' in first.json.rows[0]))
  })

  it('reports all errors of a record', async () => {
    const { isError, json } = await writer.call('create', { resource: 'leave', record: { from_date: 'soon', typ: 1 } })
    assert.equal(isError, true)
    assert.equal(json.error, 'validation_error')
    for (const name of ['leave_type', 'from_date', 'typ']) assert.match(JSON.stringify(json.problems), new RegExp(name))
  })

  it('is recorded in the audit log with the token of the agent', async () => {
    const name = createHash('sha256').update(token).digest('hex').slice(0, 8)
    const entries = await database.query<{ outcome: string }>(
      'select outcome from muster_audit_log where token = $1 order by entry',
      [name],
    )
    assert.deepEqual(
      entries.map(({ outcome }) => outcome),
      ['created', 'replayed', 'refused'],
    )
  })
})
