// Covers q: which text it reads and how its terms match.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, fieldsOf, type Resource, readOnly, resources, writableFieldsOf } from '../contract/contract.ts'
import { created, mark, markedBody, minimalBody } from './bodies.ts'
import { get, type Row } from './http.ts'
import { everyRow, found, ids, page, pageOf, total, walk } from './pages.ts'
import { expectDetail, tooLong } from './refusals.ts'

for (const resource of creatable) {
  const writable = writableFieldsOf(resource)

  for (const { field } of writable.filter(({ searched }) => searched)) {
    test(`q finds a record of ${resource} by its ${field}`, async () => {
      const word = mark()
      const { id } = await created(resource, { ...(await minimalBody(resource)), [field]: `a ${word} b` })
      for (const q of [word, word.toUpperCase(), word.slice(3), word.slice(0, -3), `B ${word}`]) {
        assert.ok((await ids(resource, { q })).includes(id), q)
      }
      assert.deepEqual(await ids(resource, { q: word }), [id])
    })
  }

  for (const { field, kind } of writable.filter(({ searched, maxLength }) => !searched && maxLength !== undefined)) {
    test(`q does not read ${resource}.${field}`, async () => {
      const word = mark()
      const value = kind === 'json' ? JSON.stringify(word) : word
      await created(resource, { ...(await minimalBody(resource)), [field]: value })
      assert.deepEqual(await ids(resource, { q: word }), [])
    })
  }
}

/** The value of a field that occurs least often, as whole search terms. */
async function rarest(resource: Resource, field: string): Promise<Row> {
  const rows = (await everyRow(resource)).filter((row) => typeof row[field] === 'string' && row[field] !== '')
  const counts = Map.groupBy(rows, (row) => row[field])
  const [group] = [...counts.values()].toSorted((a, b) => a.length - b.length)
  return found(group?.[0], `${resource} with ${field}`)
}

for (const resource of readOnly) {
  for (const { field } of fieldsOf(resource).filter(({ searched }) => searched)) {
    test(`q finds a record of ${resource} by its ${field}`, async () => {
      const row = await rarest(resource, field)
      const q = [...(row[field] as string)].slice(0, 200).join('')
      const met = (await walk(resource, 200, { q })).flatMap(({ data }) => data.map(({ id }) => id))
      assert.ok(met.includes(row.id), `${JSON.stringify(q)} does not find ${row.id}`)
    })
  }
}

for (const resource of ['employees', 'candidates'] as const) {
  test(`q matches when its terms lie in different fields of a record of ${resource}`, async () => {
    const row = found(
      (await everyRow(resource)).find(({ first_name, last_name }) => first_name && last_name),
      'person with both names',
    )
    const [first, last] = [row.first_name as string, row.last_name as string]
    for (const q of [`${first} ${last}`, `${last} ${first}`, `${last.toUpperCase()}   ${first.toLowerCase()}`]) {
      assert.ok((await ids(resource, { q })).includes(row.id), q)
    }
  })

  test(`every record of ${resource} that q leaves holds the term, and every one that holds it is left`, async () => {
    const rows = await everyRow(resource)
    const term = found(
      rows.map((row) => String(row.last_name)).find((name) => /^[a-z]{4,}$/i.test(name)),
      'plain last name',
    )
    const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    const holds = (row: Row) =>
      fieldsOf(resource).some(
        ({ field, searched }) => searched && plain(String(row[field] ?? '')).includes(plain(term)),
      )
    const met = (await walk(resource, 200, { q: term })).flatMap(({ data }) => data.map(({ id }) => id))
    assert.deepEqual(
      met,
      rows.filter(holds).map(({ id }) => id),
    )
  })
}

test('every term must be found', async () => {
  const word = mark()
  await created('organizations', { name: `Red ${word}`, slug: mark() })
  assert.equal(await total('organizations', { q: `red ${word}` }), 1)
  assert.equal(await total('organizations', { q: `red ${word} ${mark()}` }), 0)
})

test('terms are split on any white space', async () => {
  const word = mark()
  const { id } = await created('organizations', { name: `Green ${word}`, slug: mark() })
  for (const blank of ['%20', '+', '%09', '%0A', '%0D%0A', '%20%20%09']) {
    const { data } = pageOf(await get(`/v1/organizations?q=${blank}${word}${blank}green${blank}`))
    assert.deepEqual(
      data.map((row) => row.id),
      [id],
      blank,
    )
  }
})

const alike: [string, string][] = [
  ['José García', 'jose garcia'],
  ['José García', 'JOSÉ GARCÍA'],
  ['José García', 'garcía josé'],
  ['Jose Garcia', 'josé garcía'],
  ['Zoë Ångström', 'zoe angstrom'],
  ['ÑANDÚ', 'ñandú'],
  ['Müller', 'MULLER'],
  ['Čapek Dvořák', 'capek dvorak'],
  ['ΑΘΗΝΑ', 'αθηνα'],
  ['МОСКВА', 'москва'],
  ['José', 'Jose\u0301'],
  ['Jose\u0301', 'josé'],
  ['東京支社', '東京'],
]
for (const [stored, sought] of alike) {
  test(`q=${sought} finds ${stored}, whatever the case and the accents`, async () => {
    const word = mark()
    const { id } = await created('organizations', { name: `${stored} ${word}`, slug: mark() })
    assert.deepEqual(await ids('organizations', { q: `${sought} ${word}` }), [id])
  })
}

for (const sign of [
  '%',
  '_',
  '\\',
  '*',
  '?',
  '.',
  '|',
  '&',
  '!',
  '(',
  ')',
  '[',
  "'",
  '"',
  ':',
  '<->',
  '--',
  '\\%',
  '%%',
]) {
  test(`${sign} in q is an ordinary character`, async () => {
    const word = mark()
    const name = `${word} rate 100${sign}b`
    const { id } = await created('organization-teams', { ...(await minimalBody('organization-teams')), name })
    await created('organization-teams', { ...(await minimalBody('organization-teams')), name: `${word} rate 100xb` })
    assert.deepEqual(await ids('organization-teams', { q: `${word} 100${sign}b` }), [id])
    assert.deepEqual(await ids('organization-teams', { q: `${word} ${sign}` }), [id])
  })
}

test('U+0000 in q matches nothing', async () => {
  const word = mark()
  await created('organizations', await markedBody('organizations', word))
  assert.equal(await total('organizations', { q: word }), 1)
  for (const q of ['\u0000', `${word}\u0000`, `\u0000${word}`, `${word} \u0000`]) {
    assert.deepEqual(await page('organizations', { q }), { data: [], meta: { total: 0, limit: 50, offset: 0 } })
  }
})

test('a blank q filters nothing', async () => {
  for (const resource of readOnly) {
    const plain = await get(`/v1/${resource}`)
    for (const blank of ['', '%20', '+++', '%09%0A']) {
      assert.equal((await get(`/v1/${resource}?q=${blank}`)).text, plain.text, `${resource} ${blank}`)
    }
  }
})

test('a q of 200 characters is taken, one of 201 is refused on every list', async () => {
  for (const resource of resources) {
    assert.equal((await page(resource, { q: 'x'.repeat(200) })).meta.total, 0)
    const long = 'x'.repeat(201)
    expectDetail(await get(`/v1/${resource}?q=${long}`), [tooLong(['query', 'q'], long, 200)])
  }
})

test('the length of q is counted in characters, not in bytes or halves of a pair', async () => {
  assert.equal((await page('employees', { q: '🦊'.repeat(200) })).meta.total, 0)
  const long = '🦊'.repeat(201)
  expectDetail(await get(`/v1/employees?q=${encodeURIComponent(long)}`), [tooLong(['query', 'q'], long, 200)])
})

test('a q of many terms is answered', async () => {
  const word = mark()
  const { id } = await created('organizations', await markedBody('organizations', word))
  assert.deepEqual(await ids('organizations', { q: `${word} ${'z '.repeat(90)}`.trim() }), [id])
})

test('dates, timestamps and numbers are not text', async () => {
  const word = mark()
  const body = {
    leave_type: word,
    from_date: '1987-06-05',
    to_date: '1987-06-05',
    days: 73.25,
    applied_on: '1987-06-04',
  }
  await created('leave', body)
  assert.equal(await total('leave', { q: word }), 1)
  for (const term of ['1987-', '1987-06-05', '73.25'])
    assert.equal(await total('leave', { q: `${word} ${term}` }), 0, term)
  const site = mark()
  const { created: at } = await created('organizations', await markedBody('organizations', site))
  assert.equal(await total('organizations', { q: `${site} ${String(at).slice(0, 10)}` }), 0)
})

test('q that is not valid UTF-8 or badly escaped never breaks the service', async () => {
  for (const q of ['%FF', '%C3%28', '%ED%A0%80', '%', '%zz', '%E2%82']) {
    const { status } = await get(`/v1/employees?q=${q}`)
    assert.ok(status === 200 || status === 422, `${q} answers ${status}`)
  }
})
