// Covers the equality filters each list declares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, type Field, fieldsOf, type Resource, readOnly, resources } from '../contract/contract.ts'
import { anchor, created, mark, markedBody, minimalBody } from './bodies.ts'
import { get, type Row } from './http.ts'
import { everyRow, found, ids, page, pageOf, total } from './pages.ts'
import { expectDetail, notAnInteger, tooManyDigits } from './refusals.ts'

function lower(value: unknown): string {
  return String(value).toLowerCase()
}

function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')
}

/** A comma in a value is doubled, because a single one separates values. */
function written(value: string | number): string {
  return String(value).replaceAll(',', ',,')
}

function textFilters(resource: Resource): Field[] {
  return fieldsOf(resource).filter(({ filter, type }) => filter && type === 'string')
}

function integerFilters(resource: Resource): Field[] {
  return fieldsOf(resource).filter(({ filter, type }) => filter && type === 'integer')
}

async function rowWith(resource: Resource, field: string): Promise<Row> {
  const rows = (await page(resource, { limit: 200 })).data
  const wider = readOnly.includes(resource) ? await everyRow(resource) : rows
  return found(
    [...rows, ...wider].find((row) => row[field] !== null && row[field] !== ''),
    `${resource} with ${field}`,
  )
}

function count(rows: Row[], field: string, value: unknown): number {
  return rows.filter((row) => row[field] !== null && lower(row[field]) === lower(value)).length
}

for (const resource of readOnly) {
  for (const { field } of [...textFilters(resource), ...integerFilters(resource)]) {
    test(`${field} on ${resource} leaves exactly the records of that value`, async () => {
      const value = (await rowWith(resource, field))[field] as string | number
      const { data, meta } = await page(resource, { [field]: written(value), limit: 200 })
      assert.equal(meta.total, count(await everyRow(resource), field, value))
      for (const row of data) assert.equal(lower(row[field]), lower(value))
      assert.equal(data.length, Math.min(200, meta.total))
    })
  }
}

for (const resource of creatable) {
  for (const { field } of textFilters(resource)) {
    test(`${field} on ${resource} leaves exactly the records of that value`, async () => {
      const word = mark()
      const mine = await created(resource, { ...(await minimalBody(resource)), [field]: word })
      await created(resource, { ...(await minimalBody(resource)), [field]: `${word}x` })
      assert.deepEqual(await ids(resource, { [field]: word }), [mine.id])
      assert.equal(await total(resource, { [field]: word }), 1)
    })
  }

  for (const { field, to, sample } of integerFilters(resource)) {
    test(`${field} on ${resource} leaves exactly the records of that value`, async () => {
      const word = mark()
      const value = to === undefined ? Number(sample) : await anchor(to)
      const mine = await created(resource, { ...(await markedBody(resource, word)), [field]: value })
      assert.deepEqual(await ids(resource, { q: word, [field]: value }), [mine.id])
      assert.deepEqual(await ids(resource, { q: word, [field]: value + 1_000_000_000 }), [])
      const { data } = await page(resource, { [field]: value, limit: 200 })
      for (const row of data) assert.equal(row[field], value)
    })
  }
}

for (const resource of resources) {
  for (const { field } of textFilters(resource)) {
    test(`${field} on ${resource} ignores case`, async () => {
      const value = written((await rowWith(resource, field))[field] as string)
      const [as, swapped] = [
        await total(resource, { [field]: value }),
        await total(resource, { [field]: swapCase(value) }),
      ]
      assert.ok(as > 0)
      // Others may be creating records of this value at the same time.
      assert.ok(readOnly.includes(resource) ? swapped === as : swapped >= as)
    })

    test(`an unknown ${field} on ${resource} gives an empty page`, async () => {
      for (const value of ['no-such-value-anywhere', '%', '_', '\\', "'", '\u0000', 'x\u0000']) {
        const { data, meta } = await page(resource, { [field]: value })
        assert.deepEqual([data, meta.total], [[], 0], JSON.stringify(value))
      }
    })

    test(`a blank ${field} on ${resource} filters nothing`, async () => {
      const everything = await total(resource)
      for (const blank of ['', ' ', '  ']) {
        const left = await total(resource, { [field]: blank })
        assert.ok(readOnly.includes(resource) ? left === everything : left >= everything, `${left} of ${everything}`)
      }
    })
  }

  for (const { field, kind } of integerFilters(resource)) {
    test(`${field} on ${resource} refuses what is no integer`, async () => {
      const lists = kind === 'reference' ? ['1,x', '1,,2', '1;2'] : ['1,2']
      for (const input of ['abc', '1.5', '1e2', '0x10', 'true', 'null', '٥', '1 2', '\u0000', ...lists]) {
        const answer = await get(`/v1/${resource}?${field}=${encodeURIComponent(input)}`)
        expectDetail(answer, [notAnInteger(field, input)])
      }
      const long = '1'.repeat(4301)
      expectDetail(await get(`/v1/${resource}?${field}=${long}`), [tooManyDigits(field, long)])
    })

    test(`a blank ${field} on ${resource} filters nothing`, async () => {
      const everything = await total(resource)
      for (const blank of ['', ' ']) assert.ok((await total(resource, { [field]: blank })) >= everything)
    })

    test(`${field} on ${resource} takes an integer in any of its spellings`, async () => {
      const value = Number((await rowWith(resource, field))[field])
      const plain = await total(resource, { [field]: value })
      assert.ok(plain > 0)
      for (const spelling of [`+${value}`, `0${value}`, ` ${value} `, `${value}.0`]) {
        assert.ok((await total(resource, { [field]: spelling })) >= plain, spelling)
      }
    })

    test(`a ${field} on ${resource} beyond every stored number gives an empty page`, async () => {
      const values = ['9007199254740993', '9223372036854775808', '-9223372036854775809', '9'.repeat(30), '-5']
      for (const value of values) {
        assert.deepEqual((await page(resource, { [field]: value })).data, [], value)
      }
    })
  }
}

for (const resource of resources) {
  for (const { field } of integerFilters(resource).filter(({ kind }) => kind === 'reference')) {
    test(`${field} on ${resource} takes up to 200 ids and leaves the records of any of them`, async () => {
      const value = Number((await rowWith(resource, field))[field])
      const { data } = await page(resource, { limit: 200 })
      const other = Number(data.find((row) => row[field] !== null && row[field] !== value)?.[field] ?? value)
      const either = await page(resource, { [field]: `${value},${other},999999999`, limit: 200 })
      assert.ok(either.data.length > 0)
      for (const row of either.data) assert.ok(row[field] === value || row[field] === other)
      const [one, two] = [await total(resource, { [field]: value }), await total(resource, { [field]: other })]
      if (readOnly.includes(resource)) assert.equal(either.meta.total, value === other ? one : one + two)
      const most = Array.from({ length: 200 }, (_, index) => index + 1).join(',')
      await page(resource, { [field]: most })
      expectDetail(await get(`/v1/${resource}?${field}=${most},201`), [
        {
          type: 'too_long',
          loc: ['query', field],
          msg: 'List should have at most 200 items',
          input: `${most},201`,
          ctx: { max_length: 200 },
        },
      ])
    })
  }
}

for (const { resource, field } of readOnly.flatMap(fieldsOf).filter(({ kind }) => kind === 'state')) {
  test(`${field}=a,b on ${resource} leaves the records of either, ignoring case`, async () => {
    const rows = await everyRow(resource)
    const values = [...new Set(rows.map((row) => row[field] as string))]
    const [a, b] = [found(values[0], field), found(values[1], `second ${field}`)]
    const wanted = rows.filter((row) => row[field] === a || row[field] === b).length
    for (const value of [`${a},${b}`, `${b},${a}`, `${swapCase(a)},${b.toUpperCase()}`, `${a},${b},no-such-value`]) {
      assert.equal(await total(resource, { [field]: value }), wanted, value)
    }
    assert.equal(pageOf(await get(`/v1/${resource}?${field}=${a},${b}`)).meta.total, wanted)
    assert.equal(await total(resource, { [field]: values.join(',') }), rows.length)
  })
}

test('every status, stage and text filter takes a list separated by commas', async () => {
  for (const resource of creatable) {
    for (const { field } of textFilters(resource)) {
      const [one, two] = [mark(), mark()]
      const made = [
        (await created(resource, { ...(await minimalBody(resource)), [field]: one })).id,
        (await created(resource, { ...(await minimalBody(resource)), [field]: two })).id,
      ]
      assert.deepEqual(await ids(resource, { [field]: `${one},${two.toUpperCase()}` }), made, `${resource}.${field}`)
    }
  }
})

test('a status stored in capitals is found in small letters', async () => {
  const word = mark()
  const { id } = await created('leave', { leave_type: 'Unpaid', status: word.toUpperCase() })
  assert.deepEqual(await ids('leave', { status: word }), [id])
})

test('several filters must all hold, together with q', async () => {
  const rows = await everyRow('employees')
  const { dept_id, status, last_name } = found(
    rows.find((row) => row.dept_id !== null && row.last_name !== null),
    'employee of a department',
  )
  const wanted = rows.filter((row) => row.dept_id === dept_id && lower(row.status) === lower(status))
  const filters = { dept_id: dept_id as number, status: status as string }
  assert.equal(await total('employees', filters), wanted.length)
  const { data } = await page('employees', { ...filters, q: last_name as string, limit: 200 })
  assert.ok(data.length > 0)
  for (const row of data) assert.deepEqual([row.dept_id, row.status], [dept_id, status])
})

test('paging walks through what a filter leaves', async () => {
  const { status } = await rowWith('candidates', 'status')
  const parameters = { status: status as string, limit: 3 }
  const [first, second] = [await page('candidates', parameters), await page('candidates', { ...parameters, offset: 3 })]
  const both = await page('candidates', { ...parameters, limit: 6 })
  assert.deepEqual([...first.data, ...second.data], both.data)
})
