/** What a list answers: order, totals, search and filters. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

describe('a list', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) select 'Department ' || n from generate_series(1, 120) n;
      insert into candidates (first_name, last_name, email, headline, status, source, linkedin_url, current_employer) values
        ('José', 'García', 'Jose@Example.com', '100% remote_first', 'active', 'referral', 'https://secret.example', null),
        ('Ada', 'Lovelace', 'ada@example.com', 'back\\slash', 'Hired', 'job,board', null, 'Analytical'),
        ('Łukasz', 'Straße', null, 'ΣΊΣΥΦΟΣ', 'archived', null, null, null),
        ('İpek', 'Ünal', null, 'cafe' || U&'\\0301', 'ACTIVE', 'referral', null, null),
        ('한', '하늘', null, 'がか', 'archived', 'x', null, null);
      insert into employees (code, status, dept_id, alumni) values ('A-1', 'active', 1, 0), ('a-2', 'active', 2, 1), (null, 'on_leave', null, 0);
    `)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const ids = async (query: string): Promise<number[]> => {
    const { status, json, text } = await ask(`${service.base}/v1/${query}`)
    assert.equal(status, 200, text)
    const found = json.data.map(({ id }: { id: number }) => id)
    assert.equal(json.meta.total, found.length, 'the total is what was found')
    return found
  }

  it('is in the order of the ids, whatever order the rows were stored in', async () => {
    await database.execute(`update departments set name = name where id % 3 = 0`)
    const { json } = await ask(`${service.base}/v1/departments?limit=200`)
    assert.deepEqual(
      json.data.map(({ id }: { id: number }) => id),
      Array.from({ length: 120 }, (_, index) => index + 1),
    )
  })

  it('walked in pages yields every id once, with a constant total', async () => {
    for (const limit of [1, 7, 50, 119, 120, 200]) {
      const seen: number[] = []
      for (let offset = 0; offset < 130; offset += limit) {
        const { json } = await ask(`${service.base}/v1/departments?limit=${limit}&offset=${offset}`)
        assert.deepEqual(json.meta, { total: 120, limit, offset })
        seen.push(...json.data.map(({ id }: { id: number }) => id))
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 120 }, (_, index) => index + 1),
      )
    }
  })

  it('past the end is empty and still knows the total', async () => {
    for (const offset of ['120', '9007199254740993', '9223372036854775807', '99999999999999999999']) {
      const answer = await ask(`${service.base}/v1/departments?offset=${offset}`)
      assert.equal(answer.text, `{"data":[],"meta":{"total":120,"limit":50,"offset":${offset}}}`)
    }
  })

  const searches: [q: string, found: number[], rule: string][] = [
    ['jose garcia', [1], 'ignores accents, and finds terms in two fields'],
    ['GARCÍA JOSÉ', [1], 'ignores case and the order of terms'],
    ['  ada \t lovelace ', [2], 'splits on white space'],
    ['aa', [], 'does not find a term across two fields'],
    ['100%', [1], 'takes % as itself'],
    ['0%r', [], 'takes % as itself, not as anything'],
    ['remote_first', [1], 'takes _ as itself'],
    ['remote-first', [], 'takes _ as itself, not as any character'],
    ['back\\slash', [2], 'takes a backslash as itself'],
    ['\\', [2], 'takes a lone backslash as itself'],
    ['lukasz strasse', [3], 'folds letters that have no accent to drop'],
    ['ΣΊΣΥΦΟΣ', [3], 'folds capital Greek'],
    ['σίσυφος', [3], 'folds final sigma'],
    ['ipek unal', [4], 'folds the dotted capital I'],
    ['café', [4], 'does not care how an accent is encoded'],
    ['하', [5], 'does not take a syllable for a part of another'],
    ['か', [5], 'keeps voiced kana apart from unvoiced'],
    ['secret', [], 'does not look into addresses'],
    ['job,board', [2], 'takes a comma as itself'],
    ['a\u0000', [], 'finds nothing for U+0000'],
    ['', [1, 2, 3, 4, 5], 'that is empty filters nothing'],
    [' \u2003 ', [1, 2, 3, 4, 5], 'that is blank filters nothing'],
    ["'; drop table candidates; --", [], 'is never a part of a statement'],
  ]
  for (const [q, found, rule] of searches) {
    it(`search ${rule}: ${JSON.stringify(q)}`, async () => {
      assert.deepEqual(await ids(`candidates?q=${encodeURIComponent(q)}`), found)
    })
  }

  it('past its end is empty for a search and for a filter too, however large the offset', async () => {
    // Every search is new to the service the first time it is asked for, and remembered the second time.
    for (const [offset, search] of [
      ['1', 'ada'],
      ['9223372036854775807', 'lovelace'],
      ['999999999999999999999999999999', 'analytical'],
    ]) {
      for (const narrowing of [`q=${search}`, `q=${search}`, 'status=hired']) {
        const answer = await ask(`${service.base}/v1/candidates?${narrowing}&offset=${offset}`)
        assert.equal(answer.text, `{"data":[],"meta":{"total":1,"limit":50,"offset":${offset}}}`)
      }
    }
  })

  it('takes a search of 200 characters, counted as characters', async () => {
    assert.deepEqual(await ids(`candidates?q=${encodeURIComponent('👩'.repeat(200))}`), [])
    assert.equal((await ask(`${service.base}/v1/candidates?q=${encodeURIComponent('👩'.repeat(201))}`)).status, 422)
  })

  const filters: [query: string, found: number[]][] = [
    ['candidates?status=active', [1, 4]],
    ['candidates?status=HIRED', [2]],
    ['candidates?status=hired,archived', [2, 3, 5]],
    ['candidates?status=hired,', [2]],
    ['candidates?status=,', [1, 2, 3, 4, 5]],
    ['candidates?status=', [1, 2, 3, 4, 5]],
    ['candidates?status=%20', [1, 2, 3, 4, 5]],
    ['candidates?status=nothing', []],
    ['candidates?status=act', []],
    ['candidates?status=%00', []],
    ['candidates?status=active,%00', [1, 4]],
    ['candidates?email=jose@example.com', [1]],
    ['candidates?source=job,,board', [2]],
    ['candidates?source=job,board', []],
    ['candidates?status=active&source=referral&q=jose', [1]],
    ['candidates?first_name=Ada', [1, 2, 3, 4, 5]],
    ['employees?code=a-1,A-2', [1, 2]],
    ['employees?dept_id=2', [2]],
    ['employees?dept_id=02.0', [2]],
    ['employees?dept_id=', [1, 2, 3]],
    ['employees?dept_id=99', []],
    ['employees?dept_id=99999999999999999999999', []],
    ['employees?dept_id=-99999999999999999999999', []],
    ['employees?alumni=1', [2]],
    ['employees?status=active&status=on_leave', [3]],
  ]
  for (const [query, found] of filters) {
    it(`${query} finds ${JSON.stringify(found)}`, async () => {
      assert.deepEqual(await ids(query), found)
    })
  }

  it('takes any number of values for a state, each counted once', async () => {
    assert.deepEqual(await ids(`candidates?status=${'hired,'.repeat(1_000)}archived,HIRED`), [2, 3, 5])
    const many = Array.from({ length: 40 }, (_, index) => `s${index}`).join(',')
    assert.deepEqual(await ids(`candidates?status=${many},active`), [1, 4])
  })

  it('refuses a filter on an integer field that is no integer, naming it', async () => {
    const answer = await ask(`${service.base}/v1/employees?dept_id=1,2&manager_id=x`)
    assert.deepEqual(
      answer.json.detail.map(({ type, loc, input }: Record<string, unknown>) => ({ type, loc, input })),
      [
        { type: 'int_parsing', loc: ['query', 'dept_id'], input: '1,2' },
        { type: 'int_parsing', loc: ['query', 'manager_id'], input: 'x' },
      ],
    )
  })

  it('refuses a search or a filter that is not UTF-8', async () => {
    const answer = await ask(`${service.base}/v1/candidates?q=%ff&status=%c3%28`)
    assert.deepEqual(
      answer.json.detail.map(({ type, loc }: Record<string, unknown>) => ({ type, loc })),
      [
        { type: 'string_unicode', loc: ['query', 'q'] },
        { type: 'string_unicode', loc: ['query', 'status'] },
      ],
    )
  })

  it('takes an escape that is none as it is written', async () => {
    assert.deepEqual(await ids('candidates?q=100%'), [1])
    assert.deepEqual(await ids('candidates?q=%zz'), [])
  })
})

describe('one record', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('First')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const statuses: [id: string, status: number][] = [
    ['1', 200],
    ['0001', 200],
    ['1/', 200],
    [`${'0'.repeat(254)}1`, 200],
    ['2', 404],
    ['0', 404],
    ['-1', 404],
    ['+1', 404],
    ['1.0', 404],
    ['1e0', 404],
    ['0x1', 404],
    ['%201', 404],
    ['%D9%A1', 404],
    ['abc', 404],
    ['9223372036854775807', 404],
    ['9223372036854775808', 404],
    ['9'.repeat(255), 404],
    ['%00', 404],
    ['%zz', 404],
    ['1%2F', 404],
    ["1'--", 404],
    ['__proto__', 404],
    ['x'.repeat(256), 422],
    ['%F0%9F%91%A9'.repeat(255), 404],
    ['%ff', 422],
    ['%c3%28', 422],
    ['%ff/', 422],
    ['1/2', 404],
  ]
  for (const [id, status] of statuses) {
    it(`at ${JSON.stringify(id.slice(0, 30))} (${id.length} long) answers ${status}`, async () => {
      const answer = await ask(`${service.base}/v1/departments/${id}`)
      assert.equal(answer.status, status, answer.text)
      if (status === 404) assert.equal(answer.json.error.code, 'not_found')
    })
  }

  it('refuses an id of 256 characters with the exact entry', async () => {
    const id = 'x'.repeat(256)
    assert.equal(
      (await ask(`${service.base}/v1/departments/${id}`)).text,
      `{"detail":[{"type":"string_too_long","loc":["path","item_id"],"msg":"String should have at most 255 characters","input":"${id}","ctx":{"max_length":255}}]}`,
    )
  })

  it('refuses an id that is not UTF-8 with the exact entry', async () => {
    assert.equal(
      (await ask(`${service.base}/v1/departments/%ff`)).text,
      '{"detail":[{"type":"string_unicode","loc":["path","item_id"],"msg":"Input should be a valid string, unable to parse raw data as a unicode string","input":"%ff"}]}',
    )
  })
})
