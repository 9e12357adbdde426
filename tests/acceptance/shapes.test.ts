// Covers what the records of an answer hold: fields and expand, on lists and on one record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, type Relation, relationsOf, resources } from '../contract/contract.ts'
import { created, mark, markedBody } from './bodies.ts'
import { get, object, type Row, speak } from './http.ts'
import { firstRow, found, page, pageOf } from './pages.ts'
import { type Entry, expectDetail } from './refusals.ts'

const picked = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]))

const unknown = (parameter: 'fields' | 'expand', input: string, name: string): Entry => ({
  type: parameter === 'fields' ? 'field_unknown' : 'relation_unknown',
  loc: ['query', parameter],
  msg: `${parameter === 'fields' ? 'No field' : 'No related record'} is called '${name}'`,
  input,
  ctx: { name },
})

for (const resource of resources) {
  const names = fieldsOf(resource).map(({ field }) => field)

  test(`fields leaves of ${resource} just what is named, in declared order, in a list and in one record`, async () => {
    const { data } = await page(resource, { limit: 7 })
    const id = found(data[0], resource).id
    const choices = [...names.map((name) => [name]), names.filter((_, at) => at % 2 === 0), names]
    for (const chosen of choices) {
      const asked = `fields=${chosen.toReversed().join(',')}`
      const list = pageOf(await get(`/v1/${resource}?limit=7&${asked}`))
      assert.equal(JSON.stringify(list.data), JSON.stringify(data.map((row) => picked(row, chosen))), asked)
      const one = await get(`/v1/${resource}/${id}?${asked}`)
      assert.equal(one.text, JSON.stringify(picked(data[0] as Row, chosen)), asked)
    }
  })

  test(`expand puts related records of ${resource} beside their ids, whole, null where there is none`, async () => {
    const relations = relationsOf(resource)
    for (const chosen of [...relations.map((relation) => [relation]), relations]) {
      if (chosen.length === 0) continue
      const asked = `expand=${chosen.map(({ name }) => name).join(',')}`
      const { data } = await page(resource, { limit: 9 })
      const list = pageOf(await get(`/v1/${resource}?limit=9&${asked}`))
      const due = await Promise.all(data.map((row) => withRelated(row, chosen)))
      assert.deepEqual(list.data, due, asked)
      const one = await get(`/v1/${resource}/${due[0]?.id}?${asked}`)
      assert.deepEqual(object(one), due[0], asked)
    }
  })

  test(`fields and expand of ${resource} refuse names they do not know, each by its name`, async () => {
    const { id } = await firstRow(resource)
    for (const path of [`/v1/${resource}`, `/v1/${resource}/${id}`]) {
      for (const input of ['nope', 'id,nope', 'ID', ' id', 'id;code', 'toString', '__proto__', '*']) {
        const strangers = input.split(',').filter((name) => name !== 'id')
        expectDetail(
          await get(`${path}?fields=${encodeURIComponent(input)}`),
          strangers.map((name) => unknown('fields', input, name)),
        )
      }
      expectDetail(await get(`${path}?fields=id,`), [unknown('fields', 'id,', '')])
      if (relationsOf(resource).length === 0) continue
      const input = 'id,nope'
      expectDetail(await get(`${path}?fields=what&expand=${input}`), [
        unknown('fields', 'what', 'what'),
        unknown('expand', input, 'id'),
        unknown('expand', input, 'nope'),
      ])
    }
  })

  test(`blank fields and expand ask nothing of ${resource}`, async () => {
    const { id } = await firstRow(resource)
    const one = await get(`/v1/${resource}/${id}`)
    const { data } = await page(resource, { limit: 3 })
    for (const blank of ['', '%20', '+%09']) {
      const asked = `fields=${blank}&expand=${blank}`
      assert.equal((await get(`/v1/${resource}/${id}?${asked}`)).text, one.text)
      assert.deepEqual(pageOf(await get(`/v1/${resource}?limit=3&${asked}`)).data, data)
    }
  })
}

async function withRelated(row: Row, relations: readonly Relation[]): Promise<Row> {
  const related: Row = {}
  for (const { name, field, target } of relations)
    related[name] = row[field] === null ? null : object(await get(`/v1/${target}/${row[field]}`))
  return { ...row, ...related }
}

test('fields limits the record and not what expand adds to it', async () => {
  const { data } = await page('applications', { limit: 5 })
  const relations = relationsOf('applications')
  const due = await Promise.all(data.map((row) => withRelated(row, relations)))
  const answer = pageOf(await get('/v1/applications?limit=5&fields=stage&expand=job,candidate'))
  assert.deepEqual(
    answer.data,
    due.map((row) => picked(row, ['stage', 'candidate', 'job'])),
  )
})

test('the last of a repeated shape counts, and names may be repeated', async () => {
  const { data } = await page('departments', { limit: 2 })
  const answer = pageOf(await get('/v1/departments?limit=2&fields=nope&fields=name,name'))
  assert.deepEqual(
    answer.data,
    data.map(({ name }) => ({ name })),
  )
})

test('a resource that refers to nothing ignores expand', async () => {
  assert.equal((await get('/v1/departments?expand=nope')).text, (await get('/v1/departments')).text)
})

test('a shape that is not UTF-8 is refused', async () => {
  const answer = await speak({ method: 'GET', path: '/v1/employees?fields=%ff&expand=%c3%28' })
  assert.equal(answer.status, 422)
  assert.deepEqual(
    (object(answer).detail as Entry[]).map(({ type, loc }) => [type, loc]),
    [
      ['string_unicode', ['query', 'fields']],
      ['string_unicode', ['query', 'expand']],
    ],
  )
})

test('an address full of unknown names is refused by the first ten', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`).join(',')
  const answer = await get(`/v1/employees?fields=${names}`)
  expectDetail(
    answer,
    Array.from({ length: 10 }, (_, at) => unknown('fields', names, `n${at}`)),
  )
})

test('one record that is not there is not there in any shape', async () => {
  for (const item of ['0', 'abc']) assert.equal((await get(`/v1/employees/${item}?expand=manager`)).status, 404)
})

test('an expanded page has a new tag as soon as a related record is created', async () => {
  const organization = await created('organizations', await markedBody('organizations', mark()))
  const brand = await created('brands', { organization_id: organization.id, name: 'Shape', slug: mark() })
  const path = `/v1/brands/${brand.id}?expand=organization`
  const ask = (held?: string) =>
    speak({ method: 'GET', path, headers: held === undefined ? [] : [['If-None-Match', held]] })
  const tag = (await ask()).headers.get('etag') ?? ''
  assert.equal((await ask(tag)).status, 304)
  await created('organizations', await markedBody('organizations', mark()))
  const again = await ask(tag)
  assert.equal(again.status, 200)
  assert.notEqual(again.headers.get('etag'), tag)
})
