import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

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
  const idsFor = async (query: string): Promise<number[]> => {
    const { status, json, text } = await sendRequest(`${service.baseUrl}/v1/${query}`)
    assert.equal(status, 200, text)
    const ids = json.data.map(({ id }: { id: number }) => id)
    assert.equal(json.meta.total, ids.length, 'the total is the number of records found')
    return ids
  }

  it('is ordered by id, regardless of the physical order of the rows', async () => {
    await database.execute(`update departments set name = name where id % 3 = 0`)
    const { json } = await sendRequest(`${service.baseUrl}/v1/departments?limit=200`)
    assert.deepEqual(
      json.data.map(({ id }: { id: number }) => id),
      Array.from({ length: 120 }, (_, index) => index + 1),
    )
  })

  it('contains every id exactly once on its pages, which all have the same total', async () => {
    for (const limit of [1, 7, 50, 119, 120, 200]) {
      const pageIds: number[] = []
      for (let offset = 0; offset < 130; offset += limit) {
        const { json } = await sendRequest(`${service.baseUrl}/v1/departments?limit=${limit}&offset=${offset}`)
        assert.deepEqual(json.meta, { total: 120, limit, offset })
        pageIds.push(...json.data.map(({ id }: { id: number }) => id))
      }
      assert.deepEqual(
        pageIds,
        Array.from({ length: 120 }, (_, index) => index + 1),
      )
    }
  })

  it('is empty past its end, with the correct total', async () => {
    for (const offset of ['120', '9007199254740993', '9223372036854775807', '99999999999999999999']) {
      const response = await sendRequest(`${service.baseUrl}/v1/departments?offset=${offset}`)
      assert.equal(response.text, `{"data":[],"meta":{"total":120,"limit":50,"offset":${offset}}}`)
    }
  })

  const searches: [q: string, expectedIds: number[], behaviour: string][] = [
    ['jose garcia', [1], 'ignores accents, and finds terms in two fields'],
    ['GARCÍA JOSÉ', [1], 'ignores case and the order of terms'],
    ['  ada \t lovelace ', [2], 'splits on white space'],
    ['aa', [], 'does not find a term across two fields'],
    ['100%', [1], 'treats % literally'],
    ['0%r', [], 'does not treat % as a wildcard'],
    ['remote_first', [1], 'treats _ literally'],
    ['remote-first', [], 'does not treat _ as a wildcard'],
    ['back\\slash', [2], 'treats a backslash literally'],
    ['\\', [2], 'treats a single backslash literally'],
    ['lukasz strasse', [3], 'folds letters without a decomposition'],
    ['ΣΊΣΥΦΟΣ', [3], 'folds capital Greek'],
    ['σίσυφος', [3], 'folds final sigma'],
    ['ipek unal', [4], 'folds the dotted capital I'],
    ['café', [4], 'ignores how an accent is encoded'],
    ['하', [5], 'does not match a part of a syllable'],
    ['か', [5], 'distinguishes voiced and unvoiced kana'],
    ['secret', [], 'excludes URLs'],
    ['job,board', [2], 'treats a comma literally'],
    ['a\u0000', [], 'finds nothing for U+0000'],
    ['', [1, 2, 3, 4, 5], 'ignores an empty value'],
    [' \u2003 ', [1, 2, 3, 4, 5], 'ignores a blank value'],
    ["'; drop table candidates; --", [], 'is not open to SQL injection'],
  ]
  for (const [q, expectedIds, behaviour] of searches) {
    it(`for the search ${JSON.stringify(q)} ${behaviour}`, async () => {
      assert.deepEqual(await idsFor(`candidates?q=${encodeURIComponent(q)}`), expectedIds)
    })
  }

  it('of a search or filter is also empty past its end, for any offset', async () => {
    // Each search is uncached the first time, and cached the second time.
    for (const [offset, search] of [
      ['1', 'ada'],
      ['9223372036854775807', 'lovelace'],
      ['999999999999999999999999999999', 'analytical'],
    ]) {
      for (const filter of [`q=${search}`, `q=${search}`, 'status=hired']) {
        const response = await sendRequest(`${service.baseUrl}/v1/candidates?${filter}&offset=${offset}`)
        assert.equal(response.text, `{"data":[],"meta":{"total":1,"limit":50,"offset":${offset}}}`)
      }
    }
  })

  it('accepts a search of at most 200 code points', async () => {
    assert.deepEqual(await idsFor(`candidates?q=${encodeURIComponent('👩'.repeat(200))}`), [])
    assert.equal(
      (await sendRequest(`${service.baseUrl}/v1/candidates?q=${encodeURIComponent('👩'.repeat(201))}`)).status,
      422,
    )
  })

  const filters: [query: string, expectedIds: number[]][] = [
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
  for (const [query, expectedIds] of filters) {
    it(`of ${query} contains exactly the ids ${JSON.stringify(expectedIds)}`, async () => {
      assert.deepEqual(await idsFor(query), expectedIds)
    })
  }

  it('accepts any number of values in a status filter, and ignores duplicates', async () => {
    assert.deepEqual(await idsFor(`candidates?status=${'hired,'.repeat(1_000)}archived,HIRED`), [2, 3, 5])
    const manyStatuses = Array.from({ length: 40 }, (_, index) => `s${index}`).join(',')
    assert.deepEqual(await idsFor(`candidates?status=${manyStatuses},active`), [1, 4])
  })

  it('rejects a value that is not an integer in a filter on an integer field, and names the filter', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/employees?dept_id=1,x&manager_id=x&alumni=0,1`)
    assert.deepEqual(
      response.json.detail.map(({ type, loc, input }: Record<string, unknown>) => ({ type, loc, input })),
      [
        { type: 'int_parsing', loc: ['query', 'dept_id'], input: '1,x' },
        { type: 'int_parsing', loc: ['query', 'manager_id'], input: 'x' },
        { type: 'int_parsing', loc: ['query', 'alumni'], input: '0,1' },
      ],
    )
  })

  it('rejects a search or a filter that is not UTF-8', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/candidates?q=%ff&status=%c3%28`)
    assert.deepEqual(
      response.json.detail.map(({ type, loc }: Record<string, unknown>) => ({ type, loc })),
      [
        { type: 'string_unicode', loc: ['query', 'q'] },
        { type: 'string_unicode', loc: ['query', 'status'] },
      ],
    )
  })

  it('treats an invalid percent escape literally', async () => {
    assert.deepEqual(await idsFor('candidates?q=100%'), [1])
    assert.deepEqual(await idsFor('candidates?q=%zz'), [])
  })
})

describe('a single record', () => {
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

  const expectedStatuses: [id: string, status: number][] = [
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
  for (const [id, status] of expectedStatuses) {
    it(`with the id ${JSON.stringify(id.slice(0, 30))} (length ${id.length}) gets the status ${status}`, async () => {
      const response = await sendRequest(`${service.baseUrl}/v1/departments/${id}`)
      assert.equal(response.status, status, response.text)
      if (status === 404) assert.equal(response.json.error.code, 'not_found')
    })
  }

  it('gets exactly the expected error for an id of 256 characters', async () => {
    const id = 'x'.repeat(256)
    assert.equal(
      (await sendRequest(`${service.baseUrl}/v1/departments/${id}`)).text,
      `{"detail":[{"type":"string_too_long","loc":["path","item_id"],"msg":"String should have at most 255 characters","input":"${id}","ctx":{"max_length":255}}]}`,
    )
  })

  it('gets exactly the expected error for an id that is not UTF-8', async () => {
    assert.equal(
      (await sendRequest(`${service.baseUrl}/v1/departments/%ff`)).text,
      '{"detail":[{"type":"string_unicode","loc":["path","item_id"],"msg":"Input should be a valid string, unable to parse raw data as a unicode string","input":"%ff"}]}',
    )
  })
})
