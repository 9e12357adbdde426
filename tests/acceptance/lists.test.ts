// Covers paging: order, totals, and how limit and offset are read and refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnly, resources } from '../contract/contract.ts'
import { created, mark } from './bodies.ts'
import { get } from './http.ts'
import { page, pageOf, total, walk } from './pages.ts'
import { expectDetail, notAnInteger, tooLarge, tooLong, tooManyDigits, tooSmall } from './refusals.ts'

for (const resource of resources) {
  test(`the list of ${resource} holds data and meta, 50 records from the start unless told otherwise`, async () => {
    const answer = await get(`/v1/${resource}`)
    const { data, meta } = pageOf(answer)
    assert.ok(answer.text.startsWith('{"data":['))
    assert.match(answer.text, /\],"meta":\{"total":\d+,"limit":50,"offset":0\}\}$/)
    assert.equal(data.length, Math.min(50, meta.total))
  })

  test(`the list of ${resource} is ordered by id, ascending`, async () => {
    const { data } = await page(resource, { limit: 200 })
    const order = data.map((row) => row.id as number)
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(order).size, order.length)
  })

  test(`an offset past the end of ${resource} answers an empty page and the true total`, async () => {
    const before = await total(resource)
    const { data, meta } = await page(resource, { offset: 1_000_000_000 })
    assert.deepEqual(data, [])
    assert.ok(meta.total >= before && meta.total > 0)
    assert.equal(meta.offset, 1_000_000_000)
  })
}

const oddLimits = [5, 7, 50, 77]
for (const [index, resource] of readOnly.entries()) {
  // Of attendance there are too many records for small pages.
  const limit = resource === 'attendance' ? 200 : (oddLimits[index % oddLimits.length] as number)
  test(`walking ${resource} by ${limit} meets every id once, ascending, under one constant total`, async () => {
    const pages = await walk(resource, limit)
    const met = pages.flatMap(({ data }) => data.map((row) => row.id as number))
    for (const { meta } of pages) assert.equal(meta.total, met.length)
    assert.equal(new Set(met).size, met.length)
    assert.deepEqual(
      met,
      met.toSorted((a, b) => a - b),
    )
    for (const { data } of pages.slice(0, -1)) assert.equal(data.length, limit)
  })
}

test('walking the records a filter leaves meets each of them once under one constant total', async () => {
  const organization = await created('organizations', { name: 'Walked', slug: mark() })
  const made: unknown[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
    made.push((await created('organization-teams', { organization_id: organization.id, name })).id)
  }
  const pages = await walk('organization-teams', 2, { organization_id: organization.id as number })
  assert.deepEqual(
    pages.flatMap(({ data }) => data.map((row) => row.id)),
    made,
  )
  assert.deepEqual(
    pages.map(({ meta }) => meta.total),
    [7, 7, 7, 7],
  )
})

test('the same page of a list that nobody writes to is the same text twice', async () => {
  for (const resource of readOnly) {
    const path = `/v1/${resource}?limit=20&offset=3`
    assert.equal((await get(path)).text, (await get(path)).text)
  }
})

// Written as they are sent: %2B is a plus, a bare plus is a blank.
const readAs: [string, number][] = [
  ['1', 1],
  ['200', 200],
  ['%2B5', 5],
  ['+5', 5],
  ['05', 5],
  ['0000000000000005', 5],
  ['%205%20', 5],
  ['1.0', 1],
  ['50.00', 50],
  ['1_0', 10],
]
for (const [sent, value] of readAs) {
  test(`limit=${sent} is read as ${value}`, async () => {
    const { data, meta } = pageOf(await get(`/v1/attendance?limit=${sent}`))
    assert.equal(meta.limit, value)
    assert.equal(data.length, value)
  })

  test(`offset=${sent} is read as ${value}`, async () => {
    const { data, meta } = pageOf(await get(`/v1/attendance?limit=1&offset=${sent}`))
    const direct = await page('attendance', { limit: 1, offset: value })
    assert.equal(meta.offset, value)
    assert.deepEqual(data, direct.data)
  })
}

for (const sent of ['0', '-0', '-0.0', '00', '0.0']) {
  test(`offset=${sent} is read as 0`, async () => {
    const answer = await get(`/v1/departments?limit=1&offset=${sent}`)
    assert.equal(answer.text, (await get('/v1/departments?limit=1')).text)
  })
}

const noIntegers = [
  'abc',
  '1.5',
  '1.',
  '5.',
  '.5',
  '1e2',
  '0x10',
  '',
  ' ',
  '   ',
  'true',
  'null',
  'NaN',
  'Infinity',
  '٥',
  '１',
  '--1',
  '+-1',
  '-+1',
  '1,5',
  '1 0',
  '5a',
  '_1',
  '1_',
  '1__0',
  '\u0000',
  '5\u0000',
  '"5"',
]
for (const name of ['limit', 'offset']) {
  for (const input of noIntegers) {
    test(`${name}=${JSON.stringify(input)} is refused as no integer`, async () => {
      const answer = await get(`/v1/employees?${name}=${encodeURIComponent(input)}`)
      expectDetail(answer, [notAnInteger(name, input)])
    })
  }

  test(`a ${name} of more than 4300 digits is refused for its size`, async () => {
    for (const input of ['9'.repeat(4301), '1'.repeat(5000)]) {
      expectDetail(await get(`/v1/employees?${name}=${input}`), [tooManyDigits(name, input)])
    }
  })
}

for (const input of ['0', '-1', '-0', '-200', '0.0', ' 0 ', '-99999999999999999999']) {
  test(`limit=${input} is refused as too small`, async () => {
    expectDetail(await get(`/v1/jobs?limit=${encodeURIComponent(input)}`), [tooSmall('limit', input, 1)])
  })
}

for (const input of ['201', '+201', '0201', '1000', '201.0', '99999999999999999999', '9'.repeat(4300)]) {
  test(`limit=${input.slice(0, 25)} (${input.length} characters) is refused as too large`, async () => {
    expectDetail(await get(`/v1/jobs?limit=${encodeURIComponent(input)}`), [tooLarge('limit', input, 200)])
  })
}

for (const input of ['-1', '-1.0', ' -7 ', '-99999999999999999999']) {
  test(`offset=${input} is refused as too small`, async () => {
    expectDetail(await get(`/v1/jobs?offset=${encodeURIComponent(input)}`), [tooSmall('offset', input, 0)])
  })
}

const hugeOffsets = [
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  '7'.repeat(4300),
]
for (const digits of hugeOffsets) {
  test(`an offset of ${digits.length} digits answers an empty page and echoes every digit`, async () => {
    const answer = await get(`/v1/departments?offset=${digits}`)
    assert.equal(answer.status, 200)
    const known = await total('departments')
    assert.equal(answer.text, `{"data":[],"meta":{"total":${known},"limit":50,"offset":${digits}}}`)
  })
}

test('a huge offset is an empty page on every list', async () => {
  for (const resource of resources) {
    const answer = await get(`/v1/${resource}?offset=123456789012345678901234567890`)
    assert.equal(answer.status, 200, resource)
    assert.match(
      answer.text,
      /^\{"data":\[\],"meta":\{"total":\d+,"limit":50,"offset":123456789012345678901234567890\}\}$/,
    )
  }
})

test('every list refuses a bad limit and a bad offset in the same words', async () => {
  for (const resource of resources) {
    const answer = await get(`/v1/${resource}?limit=201&offset=x`)
    expectDetail(answer, [tooLarge('limit', '201', 200), notAnInteger('offset', 'x')])
  }
})

test('several bad parameters are listed as limit, offset, q, whatever their order in the address', async () => {
  const long = 'a'.repeat(201)
  const entries = [notAnInteger('limit', 'abc'), tooSmall('offset', '-1', 0), tooLong(['query', 'q'], long, 200)]
  expectDetail(await get(`/v1/employees?q=${long}&offset=-1&limit=abc`), entries)
  expectDetail(await get(`/v1/employees?limit=abc&q=${long}&offset=-1`), entries)
})

test('a bad filter is listed after a bad limit and a bad offset', async () => {
  const entries = [tooSmall('limit', '0', 1), notAnInteger('offset', ''), notAnInteger('dept_id', 'x')]
  expectDetail(await get('/v1/employees?dept_id=x&offset=&limit=0'), entries)
})

test('of a repeated parameter the last one counts', async () => {
  assert.equal(pageOf(await get('/v1/employees?limit=5&limit=7')).meta.limit, 7)
  assert.equal(pageOf(await get('/v1/employees?limit=abc&limit=3')).meta.limit, 3)
  assert.equal(pageOf(await get('/v1/employees?offset=-1&limit=3&offset=2')).meta.offset, 2)
  expectDetail(await get('/v1/employees?limit=5&limit=abc'), [notAnInteger('limit', 'abc')])
  const everyone = await total('employees')
  assert.equal(pageOf(await get('/v1/employees?q=zzzzzzzz&q=')).meta.total, everyone)
  assert.equal(pageOf(await get('/v1/employees?status=zzzzzzzz&status=')).meta.total, everyone)
})

const strangers = [
  'foo=bar',
  'foo',
  'foo=1&foo=2',
  'foo[bar]=1',
  'Limit=5',
  'LIMIT=abc',
  'limit[]=5',
  'page=2',
  '__proto__=1',
  'constructor=1',
  'toString=1',
  'password_hash=x',
  'ids=1',
  '=5',
  '&&&',
]
for (const parameter of strangers) {
  test(`the undeclared parameter ${parameter} is ignored`, async () => {
    const answer = await get(`/v1/employees?${parameter}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.text, (await get('/v1/employees')).text)
  })
}

test('a filter another resource declares is ignored where it is not declared', async () => {
  assert.equal((await get('/v1/departments?status=none&stage=x&dept_id=x')).text, (await get('/v1/departments')).text)
  assert.equal((await get('/v1/employees?stage=none')).text, (await get('/v1/employees')).text)
})
