// Covers what a create stores, fills in and answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  creatable,
  type Field,
  type FieldKind,
  fieldsOf,
  type Resource,
  uniqueFieldOf,
  writableFieldsOf,
} from '../contract/contract.ts'
import {
  anchor,
  created,
  expectCreated,
  fullBody,
  mark,
  markedBody,
  minimalBody,
  noise,
  withLiteral,
} from './bodies.ts'
import { basePath, get, hostUrl, object, post, type Row } from './http.ts'
import { ids, total } from './pages.ts'

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** What a create of the required fields alone must answer for every other field; server-made times left aside. */
function expectedBesides(resource: Resource, body: Row): Row {
  const rest = fieldsOf(resource).filter(({ field }) => !['id', 'created', 'updated'].includes(field))
  return Object.fromEntries(rest.map((each) => [each.field, body[each.field] ?? each.default ?? null]))
}

const writableOfKind = (kind: FieldKind): Field[] =>
  creatable.flatMap(writableFieldsOf).filter((field) => field.kind === kind)

const daysOfCreation = (resource: Resource): string[] =>
  writableFieldsOf(resource).flatMap(({ field, today: isToday }) => (isToday ? [field] : []))

for (const resource of creatable) {
  test(`a create of ${resource} answers 201 with the record and a Location that leads to it`, async () => {
    const answer = await post(`/v1/${resource}`, await fullBody(resource))
    const row = expectCreated(answer)
    assert.equal(answer.headers.get('location'), `${basePath}/v1/${resource}/${row.id}`)
    const read = await get(`${hostUrl}${answer.headers.get('location')}`)
    assert.equal(read.status, 200)
    assert.equal(read.text, answer.text)
  })

  test(`a created record of ${resource} is found by get, by list and by q`, async () => {
    const word = mark()
    const row = await created(resource, await markedBody(resource, word))
    assert.deepEqual(object(await get(`/v1/${resource}/${row.id}`)), row)
    assert.deepEqual(await ids(resource, { q: word }), [row.id])
    const tail = await ids(resource, { offset: Math.max(0, (await total(resource)) - 200) })
    assert.ok(tail.includes(row.id), 'a new record is at the end of the list')
  })

  test(`a create of ${resource} with the required fields alone fills in the defaults and null`, async () => {
    const body = await minimalBody(resource)
    const before = today()
    const { id, created: createdAt, updated, ...row } = await created(resource, body)
    const days = [before, today()]
    for (const field of daysOfCreation(resource)) {
      assert.ok(days.includes(row[field] as string), `${field} is today`)
      delete row[field]
    }
    const expected = expectedBesides(resource, body)
    for (const field of daysOfCreation(resource)) delete expected[field]
    assert.ok(Number.isSafeInteger(id))
    assert.deepEqual(row, expected)
    for (const time of [createdAt, updated]) if (time !== undefined) expectNow(time)
    if (updated !== undefined) assert.equal(updated, createdAt)
  })

  test(`a create of ${resource} with every optional field null answers the same as without them`, async () => {
    const body = await minimalBody(resource)
    const nulls = writableFieldsOf(resource).filter(({ create }) => create === 'optional')
    const sent = { ...body, ...Object.fromEntries(nulls.map(({ field }) => [field, null])) }
    const { id: _, created: _createdAt, updated: _updated, ...row } = await created(resource, sent)
    assert.deepEqual(row, expectedBesides(resource, body))
  })

  test(`two creates of ${resource} get ascending ids`, async () => {
    const first = await created(resource, await minimalBody(resource))
    const second = await created(resource, await minimalBody(resource))
    assert.ok((second.id as number) > (first.id as number))
  })

  const limited = writableFieldsOf(resource).filter(({ maxLength }) => maxLength !== undefined)
  const texts = limited.filter(({ kind }) => kind !== 'json')

  test(`the texts of ${resource} are stored code point for code point, untrimmed`, async () => {
    const word = mark()
    for (const { field } of texts) {
      const value = ` \t${word} Jose\u0301 José ﬁ 🦊\u200d🔥 \u202e\u00a0\r\n'";--<b>&amp;\\u0000\\ ${field} `
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: value })
      assert.equal(row[field], value, field)
      assert.equal(object(await get(`/v1/${resource}/${row.id}`))[field], value, field)
    }
  })

  for (const { field, kind, maxLength: longest = 0 } of limited) {
    test(`${resource}.${field} takes a text of ${longest} characters`, async () => {
      const value = kind === 'json' ? JSON.stringify(noise(longest - 2)) : noise(longest)
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: value })
      assert.equal(row[field], value)
      assert.equal(object(await get(`/v1/${resource}/${row.id}`))[field], value)
    })
  }

  for (const { field } of texts.filter(({ notBlank }) => !notBlank)) {
    test(`${resource}.${field} may be empty or blank and stays so`, async () => {
      for (const value of ['', '  ']) {
        const row = await created(resource, { ...(await minimalBody(resource)), [field]: value })
        assert.equal(row[field], value)
      }
    })
  }
}

function expectNow(time: unknown): void {
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'a time made by the service has whole seconds')
  const apartMs = Math.abs(Date.now() - Date.parse(String(time)))
  assert.ok(apartMs < 300_000, `${time} is not now`)
}

test('lengths are counted in characters, not in bytes or halves of a pair', async () => {
  const slug = `${'🦊'.repeat(180)}${mark().slice(0, 18)}zq`
  assert.equal([...slug].length, 200)
  assert.equal((await created('organizations', { name: 'é'.repeat(500), slug })).slug, slug)
})

test('explicit null keeps a date null that would be today when left out', async () => {
  for (const resource of creatable) {
    for (const field of daysOfCreation(resource)) {
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: null })
      assert.equal(row[field], null, `${resource}.${field}`)
    }
  }
})

test('status and stage take any text that is not blank, in any case', async () => {
  for (const { resource, field } of writableOfKind('state')) {
    for (const value of ['Made Up Value', 'ÜBERPRÜFT', ' padded ', '0', 'null', 'a,b']) {
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: value })
      assert.equal(row[field], value)
    }
  }
})

const integerLiterals: [string, number][] = [
  ['1.0', 1],
  ['1e2', 100],
  ['1E+2', 100],
  ['0', 0],
  ['-0', 0],
  ['-7', -7],
  ['250e-1', 25],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
]
for (const [literal, value] of integerLiterals) {
  test(`the number ${literal} is the integer ${value}`, async () => {
    const row = await created('career-sites', withLiteral(await minimalBody('career-sites'), 'is_active', literal))
    assert.equal(row.is_active, value)
    assert.equal(object(await get(`/v1/career-sites/${row.id}`)).is_active, value)
  })
}

test('a reference may be written as a number with an empty fraction', async () => {
  const organization = await anchor('organizations')
  const body = withLiteral(await minimalBody('organization-teams'), 'organization_id', `${organization}.0`)
  assert.equal((await created('organization-teams', body)).organization_id, organization)
})

for (const literal of [
  '0',
  '-3',
  '2.5',
  '0.1',
  '1e-7',
  '123456789.123456',
  '1e308',
  '-1.7976931348623157e308',
  '5e-324',
]) {
  test(`the number ${literal} is stored without loss and without a range`, async () => {
    for (const { resource, field } of writableOfKind('number')) {
      const row = await created(resource, withLiteral(await minimalBody(resource), field, literal))
      assert.equal(row[field], Number(literal))
      assert.equal(object(await get(`/v1/${resource}/${row.id}`))[field], Number(literal))
    }
  })
}

const documents = [
  '{}',
  '[]',
  'null',
  '"text"',
  '0',
  '{ "b" : 1,\n\t"a" : 1.50, "a": 2, "e": 1E2 }',
  '{"e":"\\u00e9","é":"🦊","__proto__":{"a":1}}',
  ' \r\n[1 , 2] \t',
  '123456789012345678901234567890.10',
]
for (const document of documents) {
  test(`the JSON document ${JSON.stringify(document)} is stored and answered byte for byte`, async () => {
    for (const { resource, field } of writableOfKind('json')) {
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: document })
      assert.equal(row[field], document)
      assert.equal(object(await get(`/v1/${resource}/${row.id}`))[field], document)
    }
  })
}

const urls = [
  'https://polar.example/logo.svg?x=1#y',
  'http://polar.example',
  '//polar.example/a',
  '/logo.svg',
  'logo.svg',
  'data:image/png;base64,AAAA',
  'HTTPS://POLAR.EXAMPLE',
  'https://polar.example/javascript:void',
  'javascript-logo.svg',
]
for (const url of urls) {
  test(`the URL ${url} is stored as sent`, async () => {
    for (const { resource, field } of writableOfKind('url')) {
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: url })
      assert.equal(row[field], url)
    }
  })
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'Application/Json ; Charset="utf-8"',
]
for (const contentType of contentTypes) {
  test(`a body sent as ${contentType} is read`, async () => {
    const body = await markedBody('organizations', mark())
    expectCreated(await post('/v1/organizations', body, { 'content-type': contentType }))
  })
}

test('the order and the white space of a body do not matter', async () => {
  const slug = mark()
  const text = `\n\t{ "slug" :\r\n"${slug}" , "name":"\\u0041\\ud83e\\udd8a\\/"}  \n`
  const row = await created('organizations', text)
  assert.deepEqual([row.name, row.slug], ['A🦊/', slug])
})

test('a body of exactly one mebibyte is read', async () => {
  const text = JSON.stringify(await markedBody('organizations', mark()))
  expectCreated(await post('/v1/organizations', text.padEnd(1_048_576, ' ')))
})

test('a slug taken in one place is free in another', async () => {
  const slug = mark()
  const site = await created('career-sites', { name: 'One', slug })
  const other = await created('career-sites', { name: 'Two', slug: mark() })
  const one = await created('organizations', { name: 'One', slug })
  const two = await created('organizations', { name: 'Two', slug: mark() })
  await created('brands', { organization_id: one.id, name: 'One', slug })
  await created('brands', { organization_id: two.id, name: 'Two', slug })
  const job = await anchor('jobs')
  await created('job-distributions', { job_posting_id: job, career_site_id: site.id, slug })
  await created('job-distributions', { job_posting_id: job, career_site_id: site.id, slug, locale: 'fr' })
  await created('job-distributions', { job_posting_id: job, career_site_id: other.id, slug })
})

test('only slugs are unique: the same leave, application or team may be created again', async () => {
  for (const resource of creatable.filter((each) => uniqueFieldOf(each) === undefined)) {
    const body = await fullBody(resource)
    assert.notEqual((await created(resource, body)).id, (await created(resource, body)).id)
  }
})

test('creates sent at once are all stored', async () => {
  const word = mark()
  const bodies = Array.from({ length: 20 }, (_, at) => ({ leave_type: word, days: at }))
  const rows = await Promise.all(bodies.map((body) => created('leave', body)))
  assert.equal(new Set(rows.map(({ id }) => id)).size, 20)
  assert.equal((await ids('leave', { leave_type: word })).length, 20)
})

test('of creates that want the same slug at once exactly one is stored', async () => {
  const body = await markedBody('organizations', mark())
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/organizations', body)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(422)])
})
