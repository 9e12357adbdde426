/** Filters that read the history, compared with a reference that replays the recorded changes. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { unusualCompany } from '../reports/companies.ts'

const probeCount = 60

interface Change {
  readonly record_id: number
  readonly field: string
  readonly old: string | null
  readonly new: string | null
  readonly on: string
  readonly since: string | null
  readonly at: string
}

interface Application {
  readonly id: number
  readonly stage: string
  readonly status: string
  readonly stage_entered_on: string | null
}

interface Stay {
  readonly stage: string
  readonly entered: string | null
  readonly left: string | null
  readonly outcome: string | null
}

const declinedAs = (status: string): string | null =>
  ['rejected', 'withdrawn'].find((declined) => declined === status.toLowerCase()) ?? null

/** The stays of an application, by replaying its changes. */
const staysOf = (application: Application, changes: readonly Change[]): Stay[] => {
  const firstOf = (field: string) => changes.find((change) => change.field === field)
  const state = {
    stage: (firstOf('stage')?.old ?? application.stage).toLowerCase(),
    status: firstOf('status')?.old ?? application.status,
  }
  const firstMove = changes.find(
    (change) => change.field === 'stage' && change.old?.toLowerCase() !== change.new?.toLowerCase(),
  )
  const firstDay = firstMove === undefined ? application.stage_entered_on : firstMove.since
  const stays: Stay[] = []
  let open: Stay | undefined = { stage: state.stage, entered: firstDay, left: null, outcome: null }
  const close = (left: string | null, outcome: string) => {
    if (open !== undefined) {
      const isPossible = open.entered === null || left === null || open.entered <= left
      stays.push({ ...open, entered: isPossible ? open.entered : null, left, outcome })
    }
    open = undefined
  }
  const declinedFirst = declinedAs(state.status)
  if (declinedFirst !== null) close(null, declinedFirst)
  for (const [index, change] of changes.entries()) {
    if (change.field === 'stage') state.stage = String(change.new).toLowerCase()
    else state.status = String(change.new)
    // The stage and the status that one statement changed are one step, unless they have different days.
    const next = changes[index + 1]
    if (next?.at === change.at && next.on === change.on) continue
    const declined = declinedAs(state.status)
    if (declined !== null) close(change.on, declined)
    else if (open?.stage !== state.stage) {
      close(change.on, 'next')
      open = { stage: state.stage, entered: change.on, left: null, outcome: null }
    }
  }
  return open === undefined ? stays : [...stays, open]
}

const idsOf = async (url: string): Promise<number[]> => {
  const { status, text } = await sendRequest(`${url}&format=ndjson&fields=id`)
  assert.equal(status, 200, `${url} ${text}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id)
}

describe('filters by history', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await unusualCompany(0.25)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const changesOf = async (resource: string, fields: readonly string[]) =>
    Map.groupBy(
      await database.query<Change>(
        `select record_id, field, old, new, "on"::text, since::text, at::text from history
         where resource = $1 and field = any ($2) order by "on", id`,
        [resource, fields],
      ),
      ({ record_id }) => record_id,
    )

  const query = (parameters: Readonly<Record<string, string | undefined>>): string =>
    String(
      new URLSearchParams(Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    )

  it('find applications by a stay that meets all bounds, in lists, counts and exports', async () => {
    const changes = await changesOf('applications', ['stage', 'status'])
    const applications = await database.query<Application>(
      'select id, stage, status, stage_entered_on::text from applications order by id',
    )
    const stays = applications.map((each) => [each.id, staysOf(each, changes.get(each.id) ?? [])] as const)
    const days = stays.flatMap(([, all]) =>
      all.flatMap(({ entered, left }) => [entered, left].filter((day) => day !== null)),
    )
    const random = randomNumbers(1)
    let found = 0
    for (let probe = 0; probe < probeCount; probe += 1) {
      const stage = pick(random, ['applied', 'interview', 'Phone_Screen', 'offer', 'hired', 'trial day', 'none'])
      const bound = () => (random(3) === 0 ? pick(random, days) : undefined)
      const parameters = {
        [pick(random, ['entered', 'left', 'outcome'])]: stage,
        entered_from: bound(),
        entered_to: bound(),
        left_from: bound(),
        left_to: bound(),
        waiting_on: random(5) === 0 ? pick(random, days) : undefined,
        ...(random(3) === 0 ? { outcome: pick(random, ['next', 'rejected', 'withdrawn']) } : {}),
      }
      if (parameters.outcome === stage) parameters.outcome = 'next'
      const { entered, left, entered_from, entered_to, left_from, left_to, waiting_on, outcome } = parameters as Record<
        string,
        string | undefined
      >
      const within = (day: string | null, from?: string, to?: string) =>
        (from === undefined || (day !== null && day >= from)) && (to === undefined || (day !== null && day <= to))
      const isFound = (stay: Stay): boolean =>
        [entered, left].every((each) => each === undefined || stay.stage === each.toLowerCase()) &&
        (left === undefined || stay.outcome !== null) &&
        (outcome === undefined || stay.outcome === outcome) &&
        within(stay.entered, entered_from, entered_to) &&
        within(stay.left, left_from, left_to) &&
        (waiting_on === undefined ||
          (stay.entered !== null &&
            stay.entered <= waiting_on &&
            (stay.outcome === null || (stay.left !== null && stay.left > waiting_on))))
      const expected = stays.filter(([, all]) => all.some(isFound)).map(([id]) => id)
      const isFiltered = [entered, left, entered_from, entered_to, left_from, left_to, waiting_on, outcome].some(
        Boolean,
      )
      const text = query(parameters)
      assert.deepEqual(await idsOf(`${service.baseUrl}/v1/applications?${text}`), expected, text)
      const { json } = await sendRequest(`${service.baseUrl}/v1/counts/applications?by=status&${text}`)
      assert.equal(json.meta.total, expected.length, text)
      if (isFiltered) found += expected.length
    }
    assert.ok(found > probeCount, `${found} found`)
  })

  it('find employees by the values of a day, in the chart of that day as well', async () => {
    const fields = ['dept_id', 'manager_id', 'designation', 'branch', 'employment_type']
    const changes = await changesOf('employees', fields)
    const employees = await database.query<Record<string, string | number | null> & { id: number }>(
      `select id, ${fields.map((name) => `${name}::text`).join(', ')}, date_of_joining::text, termination_date::text from employees order by id`,
    )
    const valueOn = (id: number, field: string, day: string, present: string | null): string | null => {
      const later = (changes.get(id) ?? []).find((change) => change.field === field && change.on > day)
      return later === undefined ? present : later.old
    }
    const days = [...changes.values()].flat().map(({ on }) => on)
    const random = randomNumbers(2)
    const valuesOn = (field: string, day: string) =>
      new Map(employees.map((each) => [each.id, valueOn(each.id, field, day, each[field] as string | null)]))
    let differing = 0
    for (let probe = 0; probe < probeCount; probe += 1) {
      const [day, field] = [pick(random, days), pick(random, fields)]
      const values = valuesOn(field, day)
      const value = pick(random, [...values.values()])
      const isShown = value === null || (value.trim() !== '' && value.length <= 200)
      if (!isShown) continue
      const parameters = value === null ? { [`${field}_is_null`]: 'true' } : { [field]: value.replaceAll(',', ',,') }
      const text = query({ ...parameters, values_on: day })
      const expected = [...values].filter(([, each]) => each?.toLowerCase() === value?.toLowerCase()).map(([id]) => id)
      const found = await idsOf(`${service.baseUrl}/v1/employees?${text}`)
      assert.deepEqual(found, expected, text)
      if (String(found) !== String(await idsOf(`${service.baseUrl}/v1/employees?${query(parameters)}`))) differing += 1
    }
    assert.ok(differing > probeCount / 4, `${differing} differ from the present`)

    for (let probe = 0; probe < probeCount / 4; probe += 1) {
      const day = pick(random, days)
      const managers = valuesOn('manager_id', day)
      const isMember = ({ date_of_joining: joined, termination_date: left }: (typeof employees)[number]): boolean =>
        joined !== null && joined !== undefined && joined <= day && (left === null || left === undefined || left > day)
      const members = new Set(employees.filter(isMember).map(({ id }) => id))
      const manager = (id: number): number => {
        const value = Number(managers.get(id) ?? 0)
        return members.has(value) ? value : 0
      }
      const above = (id: number): number[] => {
        const chain: number[] = []
        for (let next = manager(id); next !== 0 && !chain.includes(next); next = manager(next)) chain.push(next)
        return chain
      }
      // A cycle is cut above its smallest id.
      const cuts = new Set(
        [...members].filter(
          (id) => above(id).includes(id) && above(id).every((other) => id <= other || !above(other).includes(id)),
        ),
      )
      const below = (root: number) =>
        [...members].filter((id) => {
          for (let next = id; !cuts.has(next) && manager(next) !== 0; ) {
            next = manager(next)
            if (next === root) return true
          }
          return false
        })
      const root = pick(random, [...members])
      const candidates = [root, manager(root) || root, manager(manager(root)) || root]
      for (const id of candidates) {
        const text = query({ under: String(id), values_on: day, employed_on: day })
        assert.deepEqual(
          await idsOf(`${service.baseUrl}/v1/employees?${text}`),
          below(id).toSorted((a, b) => a - b),
          text,
        )
      }
    }
  })
})

describe('filters by the history of a few applications', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into candidates (status) values ('active');
      insert into job_openings (title, status, headcount, filled, stages_json) values
        ('A', 'open', 1, 0, '["applied", "Intro", "interview", "hired"]'), ('B', 'open', 1, 0, null);
      insert into applications (id, candidate_id, job_id, stage, status, applied_on, stage_entered_on) values
        (1, 1, 1, 'interview', 'active', '2026-01-01', '2026-01-20'),
        (2, 1, 1, 'interview', 'active', '2026-01-01', '2026-01-20'),
        (3, 1, 1, 'interview', 'active', '2026-01-01', '2026-01-20'),
        (4, 1, 2, 'interview', 'Rejected', '2026-01-01', '2026-01-20'),
        (5, 1, 1, 'applied', 'active', '2026-01-01', '2026-02-05'),
        (6, 1, 1, 'archived', 'Rejected', '2026-01-01', '2026-01-12');
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        -- Through all stages, two of them on one day.
        ('applications', 2, 'stage', 'applied', 'intro', '2026-01-10', '2026-01-01', '2026-01-10'),
        ('applications', 2, 'stage', 'intro', 'interview', '2026-01-10', '2026-01-10', '2026-01-11'),
        -- Past a stage.
        ('applications', 3, 'stage', 'Applied', 'interview', '2026-01-20', '2026-01-30', '2026-01-20'),
        -- Forth and back.
        ('applications', 5, 'stage', 'applied', 'interview', '2026-02-01', '2026-01-01', '2026-02-01'),
        ('applications', 5, 'stage', 'interview', 'applied', '2026-02-05', '2026-02-01', '2026-02-05'),
        -- To another stage because it was rejected, by one statement.
        ('applications', 6, 'stage', 'applied', 'archived', '2026-01-12', '2026-01-01', '2026-01-12'),
        ('applications', 6, 'status', 'active', 'Rejected', '2026-01-12', null, '2026-01-12')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const cases: readonly (readonly [parameters: string, ids: readonly number[]])[] = [
    ['entered=INTRO', [2]],
    ['left=intro&left_from=2026-01-10&left_to=2026-01-10', [2]],
    ['entered=interview', [1, 2, 3, 4, 5]],
    ['entered=interview&entered_to=2026-01-31', [1, 2, 3, 4]],
    ['left=interview', [4, 5]],
    // The day of the rejection is not known.
    ['left=interview&left_to=2030-01-01', [5]],
    ['outcome=rejected', [4, 6]],
    ['outcome=rejected&left_from=2000-01-01', [6]],
    ['left=applied&outcome=rejected&left_to=2026-01-12', [6]],
    ['entered=archived', []],
    // The stage was entered after it was left: the day is not known.
    ['entered=applied&entered_from=2000-01-01', [2, 5, 6]],
    ['entered=applied', [2, 3, 5, 6]],
    ['entered=applied&entered_from=2026-02-01&left_from=2026-01-01', []],
    ['entered=applied&entered_to=2026-01-31&waiting_on=2026-01-31', [5]],
    ['waiting_on=2026-01-09&left_to=2026-01-10', [2]],
    ['entered_from=2026-02-01', [5]],
    ['skipped=intro', [3, 5]],
    ['skipped=Intro&entered_to=2026-01-31', [3]],
    ['skipped=intro&entered_from=2026-02-02', []],
    ['skipped=intro&outcome=next&left_from=2026-02-01&entered_to=2026-03-01', [5]],
    ['skipped=interview', []],
    ['skipped=shortlisted', []],
    ['entered=%00', []],
    ['entered=&skipped=', [1, 2, 3, 4, 5, 6]],
  ]
  for (const [parameters, expected] of cases)
    it(`find applications?${parameters}`, async () => {
      assert.deepEqual(await idsOf(`${service.baseUrl}/v1/applications?${parameters}`), expected)
    })

  it('are fresh after a change of the history alone', async () => {
    const url = `${service.baseUrl}/v1/applications?entered=offer`
    const { headers } = await sendRequest(url)
    const conditional = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    assert.equal((await sendRequest(url, conditional)).status, 304)
    await database.execute(`
      insert into history (resource, record_id, field, old, new, "on", since, at) values
        ('applications', 1, 'stage', 'offer', 'interview', '2026-01-20', null, '2026-01-20')`)
    assert.deepEqual(
      (await sendRequest(url, conditional)).json.data.map(({ id }: { id: number }) => id),
      [1],
    )
  })

  it('reject what is no day and no outcome', async () => {
    for (const [url, type] of [
      ['applications?entered_from=x', 'date_parsing'],
      ['applications?entered=offer&left_to=2026-13-01', 'date_parsing'],
      ['applications?waiting_on=2026-02-30', 'date_parsing'],
      ['applications?outcome=hired', 'literal_error'],
      ['employees?values_on=yesterday', 'date_parsing'],
      ['leave?values_on=2026-02-31', 'date_parsing'],
      ['leave?decided_from=2026-02-30', 'date_parsing'],
    ]) {
      const { status, json } = await sendRequest(`${service.baseUrl}/v1/${url}`)
      assert.deepEqual([status, json.detail[0].type], [422, type], String(url))
    }
  })

  it('show no day of leaving without a token in redacted mode', async () => {
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      const url = `${redacting.baseUrl}/v1/employees?values_on=2026-01-01&under=1`
      assert.equal((await sendRequest(url)).status, 200)
      const { status, json } = await sendRequest(`${url}&employed_on=2026-01-01`)
      assert.deepEqual([status, json.detail[0].type], [422, 'field_redacted'])
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await sendRequest(`${url}&employed_on=2026-01-01`, { headers })).status, 200)
    } finally {
      await redacting.stop()
    }
  })
})
