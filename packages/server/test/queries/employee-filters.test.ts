import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

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

const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(`${service.baseUrl}/v1/${path}`, { headers })

const ids = async (path: string): Promise<number[]> => {
  const { status, json, text } = await get(`${path}&limit=200`, { prefer: 'handling=strict' })
  assert.equal(status, 200, text)
  assert.equal(json.meta.total, json.data.length)
  return json.data.map(({ id }: { id: number }) => id)
}

const violations = async (path: string) =>
  (await get(path)).json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [loc[1], type])

interface Person {
  readonly id: number
  readonly manager: number | null
  readonly status: string
}

/** Replaces all employees by these. */
const withPeople = (people: readonly Person[]): Promise<void> =>
  database.execute(
    `delete from employees;
     insert into employees (id, manager_id, status) values ${people
       .map(({ id, manager, status }) => `(${id}, ${manager}, '${status}')`)
       .join(', ')}`,
  )

describe('employees?under', () => {
  const statuses = ['active', 'Active', 'on_leave', 'terminated']

  /** Managers at random, among few people, so that most companies have cycles. */
  const randomPeople = (random: Random, count: number): Person[] =>
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      manager: random(8) === 0 ? null : 1 + random(count),
      status: pick(random, statuses),
    }))

  /** The people from the given one upwards, each once. */
  const chainOf = (people: ReadonlyMap<number, Person>, start: number): number[] => {
    const chain: number[] = []
    for (let id: number | null = start; id !== null && people.has(id) && !chain.includes(id); )
      id = people.get(chain[chain.push(id) - 1] as number)?.manager ?? null
    return chain
  }

  const under = (all: readonly Person[], id: number, isShown: (person: Person) => boolean): number[] => {
    const shown = new Map(all.filter(isShown).map((person) => [person.id, person]))
    const isInCycle = (each: number): boolean => {
      const last = chainOf(shown, each).at(-1)
      return last !== undefined && shown.get(last)?.manager === each
    }
    const tree = new Map(
      shown.values().map((person) => {
        const isCut = isInCycle(person.id) && Math.min(...chainOf(shown, person.id)) === person.id
        return [person.id, isCut ? { ...person, manager: null } : person]
      }),
    )
    return [...tree.keys()].filter((each) => each !== id && tree.has(id) && chainOf(tree, each).includes(id))
  }

  it('finds everyone below in random companies with cycles, whatever the statuses', async (t) => {
    const random = randomNumbers(1)
    let found = 0
    for (let company = 0; company < 5; company += 1) {
      const people = randomPeople(random, 12 + random(12))
      await withPeople(people)
      for (const { id } of people) {
        const everyone = under(people, id, () => true)
        assert.deepEqual(await ids(`employees?under=${id}`), everyone, JSON.stringify(people))
        const [first, second] = [pick(random, statuses), pick(random, statuses)]
        const expected = under(people, id, ({ status }) =>
          [first, second].some((each) => each.toLowerCase() === status.toLowerCase()),
        )
        const path = `employees?under=${id}&status=${first.toUpperCase()},${second},%00`
        assert.deepEqual(await ids(path), expected, `${path} ${JSON.stringify(people)}`)
        found += everyone.length + expected.length
      }
    }
    assert.ok(found > 200, `${found} people`)
    t.diagnostic(`${found} people below others`)
  })

  it('can be combined with other filters, sorted, paged, counted and exported', async () => {
    const people = [null, 1, 1, 2, 4, 4].map((manager, index) => ({ id: index + 1, manager, status: 'active' }))
    await withPeople(people)
    assert.deepEqual(await ids('employees?under=2'), [4, 5, 6])
    assert.deepEqual(await ids('employees?under=2&manager_id=4'), [5, 6])
    assert.deepEqual(await ids('employees?under=2&sort=-id'), [6, 5, 4])
    // Unlike `status`, these filters do not change the chart.
    assert.deepEqual(await ids('employees?under=2&status_not=x&manager.status=active'), [4, 5, 6])
    const page = (await get('employees?under=1&limit=2&offset=1')).json
    assert.deepEqual([page.meta.total, page.data.map(({ id }: { id: number }) => id)], [5, [3, 4]])
    const counts = (await get('counts/employees?by=manager_id&under=2&status=active')).json
    assert.deepEqual(counts.data, [
      { manager_id: 2, count: 1 },
      { manager_id: 4, count: 2 },
    ])
    const { text } = await get('employees?under=2&status=active,x&fields=id&format=csv')
    assert.equal(text.replaceAll('\r', ''), 'id\n4\n5\n6\n')
  })

  it('is empty for ids that no employee has, and rejects anything but an id', async () => {
    for (const id of ['0', '-1', '999', '9223372036854775808', '-99999999999999999999'])
      assert.deepEqual(await ids(`employees?under=${id}`), [])
    assert.equal((await get('counts/employees?by=status&under=9223372036854775808')).json.meta.total, 0)
    assert.equal((await get('employees?under=9223372036854775808&format=ndjson')).text, '')
    assert.deepEqual(await violations('employees?under=x&employed_on=x'), [
      ['under', 'int_parsing'],
      ['employed_on', 'date_parsing'],
    ])
    assert.equal((await get('employees?under=')).status, 200)
  })
})

describe('employees?anniversary_from and anniversary_to', () => {
  const days = ['2019-01-01', '2020-02-28', '2020-02-29', '2021-03-01', '2019-06-15', '2018-12-31']
  before(() =>
    database.execute(`
      delete from employees;
      insert into employees (id, status, date_of_joining) values (7, 'active', null),
        ${days.map((day, index) => `(${index + 1}, 'active', '${day}')`).join(', ')}`),
  )

  const found = (from?: string, to?: string) =>
    ids(`employees?${[from && `anniversary_from=${from}`, to && `anniversary_to=${to}`].filter(Boolean).join('&')}`)

  it('find those who joined between these days of any year, both included', async () => {
    assert.deepEqual(await found('01-01', '12-31'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await found('03-01', '06-15'), [4, 5])
    assert.deepEqual(await found('03-02', '06-14'), [])
    assert.deepEqual(await found('06-15'), [5, 6])
    assert.deepEqual(await found(undefined, '06-14'), [1, 2, 3, 4])
  })

  it('are the days of the turn of the year if the first is after the last', async () => {
    assert.deepEqual(await found('12-31', '01-01'), [1, 6])
    assert.deepEqual(await found('06-16', '06-14'), [1, 2, 3, 4, 6])
  })

  it('find who joined on 29 February also in a period that ends on the 28th', async () => {
    assert.deepEqual(await found('02-01', '02-28'), [2, 3])
    assert.deepEqual(await found('02-29', '02-29'), [3])
    assert.deepEqual(await found('02-01', '02-27'), [])
    assert.deepEqual(await found('03-01', '03-31'), [4])
    assert.deepEqual(await found('02-29', '02-28'), [1, 2, 3, 4, 5, 6])
  })

  it('reject what is no day of the year, in counts and exports too', async () => {
    const path = 'employees?anniversary_from=02-30&anniversary_to=2026-01-01'
    const expected = [
      ['anniversary_from', 'month_day_parsing'],
      ['anniversary_to', 'month_day_parsing'],
    ]
    for (const each of [path, `${path}&format=csv`, `counts/${path}&by=status`])
      assert.deepEqual(await violations(each), expected, each)
    assert.equal((await get('employees?anniversary_from=%20&anniversary_to=')).json.meta.total, 7)
    assert.equal(
      (await get('counts/employees?by=status&anniversary_from=12-31&anniversary_to=01-01')).json.meta.total,
      2,
    )
    const csv = await get('employees?anniversary_from=12-31&anniversary_to=01-01&format=csv&fields=id')
    assert.equal(csv.text, 'id\n1\n6\n')
  })
})

describe('employees?employed_on', () => {
  before(() =>
    database.execute(`
      delete from employees;
      insert into employees (id, status, date_of_joining, termination_date) values
        (1, 'active', '2026-01-10', null), (2, 'active', '2026-01-10', '2026-01-20'), (3, 'active', null, null),
        (4, 'active', '2026-01-10', '2026-01-10'), (5, 'active', '2026-01-10', '2025-01-10');
    `),
  )

  it('finds those who joined by that day and were not terminated by then', async () => {
    assert.deepEqual(await ids('employees?employed_on=2026-01-09'), [])
    assert.deepEqual(await ids('employees?employed_on=2026-01-10'), [1, 2])
    assert.deepEqual(await ids('employees?employed_on=2026-01-19T23:59:59Z'), [1, 2])
    assert.deepEqual(await ids('employees?employed_on=2026-01-20'), [1])
    assert.deepEqual(await ids('employees?employed_on=2026-01-19&termination_date_is_null=false'), [2])
    assert.deepEqual(await ids('employees?employed_on=9999-12-31'), [1])
  })

  it('needs a token in redacted mode, and `under` does not', async () => {
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      const read = (path: string, headers: Record<string, string> = {}) =>
        sendRequest(`${redacting.baseUrl}/v1/${path}`, { headers })
      for (const path of ['employees?employed_on=2026-01-10', 'counts/employees?by=status&employed_on=2026-01-10']) {
        const { status, json } = await read(path)
        assert.deepEqual([status, json.detail[0].type], [422, 'field_redacted'])
        assert.equal((await read(path, { authorization: `Bearer ${token}` })).json.meta.total, 2)
      }
      assert.equal((await read('employees?under=1')).status, 200)
    } finally {
      await redacting.stop()
    }
  })
})
