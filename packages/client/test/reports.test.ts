/** Every report of the client against a running service with the demo company. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@muster/client'
import { createClient, MusterError } from '@muster/client'
import { reportKey, reports } from '@muster/model'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'
import type { RecordedRequest } from './support/recorded-fetch.ts'
import { recordRequests } from './support/recorded-fetch.ts'

// biome-ignore lint/suspicious/noExplicitAny: methods in a loop over all reports, whose types differ, and JSON
type Untyped = any

describe('a client', () => {
  let database: TestDatabase
  let service: RunningService
  let muster: Client
  let requests: RecordedRequest[]
  let lastDay: string

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    const recorded = recordRequests()
    requests = recorded.requests
    muster = createClient({ baseUrl: service.baseUrl, cache: 10, fetch: recorded.fetch })
    const lastLeave = await muster.leave.list({ status: 'approved', sort: '-from_date', from_date_is_null: false })
    lastDay = lastLeave.data[0]?.from_date ?? ''
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  const json = async (path: string): Promise<Untyped> => (await fetch(`${service.baseUrl}/v1/${path}`)).json()

  it('has a method for every report, which returns the report of the service', async () => {
    assert.deepEqual(Object.keys(muster.reports).toSorted(), reports.map(reportKey).toSorted())
    for (const report of reports) {
      const method: Untyped = muster.reports[reportKey(report) as keyof Client['reports']]
      const expected = await json(`reports/${report.name}?as_of=${lastDay}`)
      assert.deepEqual(await method({ as_of: lastDay }), expected, report.name)
      assert.equal(expected.meta.definition, report.definition)
    }
  })

  it('sends dates, lists of ids and lists of texts', async () => {
    const query = {
      as_of: lastDay,
      from: '2026-01-01',
      to: '2026-01-31',
      employee_id: undefined,
      'employee.dept_id': [3, 7],
      leave_type: ['annual', 'jury, duty'],
    }
    const report = await muster.reports.leaveDays(query)
    const parameters = 'from=2026-01-01&to=2026-01-31&employee.dept_id=3,7&leave_type=annual,jury,,%20duty'
    assert.deepEqual(report, await json(`reports/leave-days?as_of=${lastDay}&${parameters}`))
    assert.equal(report.data.length, 31)
    assert.deepEqual([report.meta.as_of, report.meta.kind, report.meta.excluded], [lastDay, 'snapshot', 0])
    assert.deepEqual(
      [...new URL(requests.at(-1)?.url ?? '').searchParams.keys()],
      ['as_of', 'from', 'to', 'employee.dept_id', 'leave_type'],
    )
  })

  it('returns figures with links to the lists of the records behind them', async () => {
    const { data } = await muster.reports.leaveDays({ from: lastDay, to: lastDay })
    const { day, out, links } = data[0] ?? {}
    assert.equal(day, lastDay)
    assert.ok(out !== undefined && out !== null && out > 0)
    const list: Untyped = await (await fetch(new URL(links?.out ?? '', service.baseUrl))).json()
    assert.equal(list.meta.total, out)
  })

  it('throws the errors of a report, and refuses parameters without a value', async () => {
    await assert.rejects(muster.reports.leaveDays({ from: '2026-01-01', to: '2025-01-01' }), (error) => {
      assert.ok(error instanceof MusterError)
      assert.deepEqual([error.status, error.code], [422, 'validation_error'])
      assert.deepEqual(error.problems[0]?.loc, ['query', 'to'])
      return true
    })
    const misspelt = { form: '2026-01-01' } as object
    await assert.rejects(muster.reports.leaveDays(misspelt), ({ problems }) => {
      assert.equal(problems[0].type, 'unexpected_parameter')
      return true
    })
    for (const query of [{ employee_id: [] }, { leave_type: '' }, { from: ' ' }])
      await assert.rejects(muster.reports.leaveDays(query), TypeError, JSON.stringify(query))
    await assert.rejects(muster.reports.leaveDays({}, { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  })

  it('keeps reports in its cache until a table of the report changes', async () => {
    const statuses = () => requests.splice(0).map(({ status }) => status)
    const read = () => muster.reports.leaveDays({ as_of: lastDay, from: lastDay, to: lastDay })
    statuses()
    const first = await read()
    assert.deepEqual(await read(), first)
    assert.deepEqual(statuses(), [200, 304])
    await database.execute(
      `insert into leave_requests (leave_type, status, from_date, to_date) values ('annual', 'approved', '${lastDay}', '${lastDay}')`,
    )
    assert.equal((await read()).data[0]?.out, (first.data[0]?.out ?? 0) + 1)
    assert.deepEqual(statuses(), [200])
  })
})
