/** In charge of proving how search and the text filters compare: case, accents, wildcards, fields and length. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { Client } from 'pg'
import { migrate } from '../src/database/migrate.ts'
import type { TestDatabase } from './support/database.ts'
import { createEmptyDatabase, createTestDatabase } from './support/database.ts'
import { foldCases } from './support/fold-cases.ts'

const written = foldCases.map(([text]) => text)
const compared = foldCases.map(([, text]) => text)

let database: TestDatabase
let client: Client

before(async () => {
  database = await createTestDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const foldAll = async (values: readonly string[], on: Client = client): Promise<string[]> => {
  const { rows } = await on.query(
    'select public.muster_fold(value) as folded from unnest($1::text[]) with ordinality as given(value, n) order by n',
    [values],
  )
  return rows.map((row) => row.folded)
}

const one = async <T>(sql: string, values: unknown[] = []): Promise<T> => {
  const { rows } = await client.query(sql, values)
  return rows[0]?.answer
}

/** Any text PostgreSQL can hold, weighted towards what folding touches. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...written.flatMap((text) => [...text])) }),
    fc.string({ unit: fc.integer({ min: 1, max: 0x24f }).map((point) => String.fromCodePoint(point)) }),
  )
  .map((text) => text.replaceAll('\u0000', ''))
const manyTexts = fc.array(anyText, { minLength: 1, maxLength: 100 })

test('folding takes away case and accents as the table says', async () => {
  assert.deepEqual(await foldAll(written), compared)
})

test('folding what is folded changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(manyTexts, async (texts) => {
      const folded = await foldAll(texts)
      assert.deepEqual(await foldAll(folded), folded)
    }),
    { numRuns: 200 },
  )
})

test('the short way for ASCII gives what the long way gives', async () => {
  const ascii = fc.array(fc.string({ unit: fc.integer({ min: 1, max: 127 }).map((n) => String.fromCharCode(n)) }))
  await fc.assert(
    fc.asyncProperty(ascii, async (texts) => {
      const long = await foldAll(texts.map((text) => `${text} 東`))
      assert.deepEqual(
        (await foldAll(texts)).map((folded) => `${folded} 東`),
        long,
      )
    }),
  )
})

test('folding any single character twice changes nothing', async () => {
  const characters = Array.from({ length: 0xffff }, (_, n) => String.fromCodePoint(n + 1))
  const folded = await foldAll(characters.filter((character) => character.isWellFormed()))
  assert.deepEqual(await foldAll(folded), folded)
})

/**
 * The iota written below a Greek vowel counts as an accent, although its upper case is a letter beside the vowel;
 * the lambda with a stroke got its upper case in Unicode 16, which not every server knows.
 */
const hasItsOwnRule = (letter: string): boolean => letter.normalize('NFD').includes('\u0345') || letter === 'ƛ'

test('every Latin, Greek and Cyrillic letter is found by its upper and its lower case', async () => {
  const letters: string[] = []
  for (const [first, last] of [
    [0x41, 0x24f],
    [0x370, 0x52f],
    [0x1e00, 0x1fff],
    [0x2c60, 0x2c7f],
  ] as const) {
    for (let point = first; point <= last; point += 1) letters.push(String.fromCodePoint(point))
  }
  const told = letters.filter((letter) => /\p{L}/u.test(letter) && !hasItsOwnRule(letter))
  const folded = await foldAll(told)
  const upper = await foldAll(told.map((letter) => letter.toUpperCase()))
  const lower = await foldAll(told.map((letter) => letter.toLowerCase()))
  const astray = told.filter((_, n) => folded[n] !== upper[n] || folded[n] !== lower[n])
  assert.deepEqual(astray, [])
})

test('composed and decomposed spellings fold alike', async () => {
  await fc.assert(
    fc.asyncProperty(manyTexts, async (texts) => {
      // Above U+FFFF Unicode still adds composed letters, and Node may know more of them than the server.
      const known = texts.map((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''))
      const composed = await foldAll(known.map((text) => text.normalize('NFC')))
      assert.deepEqual(await foldAll(known.map((text) => text.normalize('NFD'))), composed)
    }),
  )
})

test('folding does not depend on the locale of the database', async () => {
  for (const locale of ['C', 'C.UTF-8']) {
    const other = await createEmptyDatabase({ locale })
    const elsewhere = new Client({ connectionString: other.url })
    try {
      await migrate(other.url)
      await elsewhere.connect()
      const folded = await foldAll(written, elsewhere)
      assert.deepEqual(folded, compared, locale)
    } finally {
      await elsewhere.end()
      await other.drop()
    }
  }
})

test('a term is found wherever it stands, and percent, underscore and backslash are ordinary characters', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', '%', '_', '\\') })
  await fc.assert(
    fc.asyncProperty(text, text, async (haystack, term) => {
      const found = await one('select public.muster_fold($1) like public.muster_like($2) as answer', [haystack, term])
      const plain = (value: string) => value.toLowerCase().replaceAll('é', 'e').replaceAll('ß', 'ss')
      assert.equal(found, plain(haystack).includes(plain(term)))
    }),
    { numRuns: 300 },
  )
})

test('keys ignore case, keep accents and stay short', async () => {
  const keys = (...values: string[]) =>
    one<number>('select count(distinct public.muster_key(value))::int as answer from unnest($1::text[]) value', [
      values,
    ])
  assert.equal(await keys('Active', 'ACTIVE', 'active'), 1)
  assert.equal(await keys('ÉTÉ', 'été', 'Été'), 1)
  assert.equal(await keys('été', 'ete'), 2)
  const long = 'x'.repeat(19_999)
  assert.equal(await keys(`${long}A`, `${long}a`), 1)
  assert.equal(await keys(`${long}a`, `${long}b`), 2)
  assert.equal(await one<number>('select length(public.muster_key($1)) as answer', ['é'.repeat(200)]), 200)
  assert.ok((await one<number>('select octet_length(public.muster_key($1)) as answer', ['𝔘'.repeat(20_000)])) < 1_000)
})

test('a text of 20,000 characters is stored, searched and filtered', async () => {
  // Random, because a repeated character would be compressed into any index.
  const type = fc.sample(fc.string({ unit: 'grapheme-composite', minLength: 20_000, maxLength: 20_000 }), 1)[0] ?? ''
  const stored = [...type].slice(0, 20_000).join('')
  await client.query('insert into leave_requests (leave_type) values ($1)', [stored])
  assert.equal(
    await one<string>(
      'select count(*) as answer from leave_requests where public.muster_key(leave_type) = public.muster_key($1)',
      [stored],
    ),
    '1',
  )
})

test('search looks into every text field, and a term never spans two of them', async () => {
  await client.query(
    `insert into employees (code, first_name, last_name, email, designation, branch, status, gender, employment_type)
     values ('E-7', 'José', 'García', 'jose@example.com', 'Chef', 'Zürich', 'Active', 'male', 'full_time')`,
  )
  const found = async (term: string) =>
    one<string>('select count(*) as answer from employees where search_text like public.muster_like($1)', [term])
  for (const term of ['e-7', 'JOSE', 'garcía', '@example', 'chef', 'zurich', 'ACTIVE', 'male', 'full_'])
    assert.equal(await found(term), '1', term)
  for (const term of ['josegarcia', 'jose garcia', 'maleful']) assert.equal(await found(term), '0', term)
})

test('the public search text holds no personal field', async () => {
  await client.query(
    `insert into employees (code, first_name, last_name, email, designation, branch, status, gender, employment_type)
     values ('shown1', 'hidden1', 'hidden2', 'hidden3', 'shown2', 'shown3', 'shown4', 'hidden4', 'shown5')`,
  )
  await client.query(
    `insert into candidates (first_name, last_name, email, phone, location, headline, current_title, current_employer,
                             linkedin_url, source, status, notes)
     values ('hidden1', 'hidden2', 'hidden3', 'hidden4', 'hidden5', 'shown1', 'shown2', 'hidden6',
             'never', 'shown3', 'shown4', 'hidden7')`,
  )
  await client.query(`insert into leave_requests (leave_type, status, reason) values ('shown1', 'shown2', 'hidden1')`)
  await client.query(`insert into job_openings (title, headcount, filled, status) values ('t', 1, 0, 's')`)
  await client.query(
    `insert into applications (candidate_id, job_id, stage, status, rejection_reason)
     select candidates.id, job_openings.id, 'shown1', 'shown2', 'hidden1' from candidates, job_openings`,
  )
  const shown = { employees: 5, candidates: 4, leave_requests: 2, applications: 2 }
  const hidden = { employees: 4, candidates: 7, leave_requests: 1, applications: 1 }
  for (const table of Object.keys(shown) as (keyof typeof shown)[]) {
    const { rows } = await client.query(
      `select search_text as full, search_text_public as public from ${table} where search_text like '%shown1%'`,
    )
    assert.equal(rows.length, 1, table)
    assert.equal(rows[0].public.match(/shown/g)?.length, shown[table], table)
    assert.equal(rows[0].full.match(/shown/g)?.length, shown[table], table)
    assert.equal(rows[0].full.match(/hidden/g)?.length, hidden[table], table)
    assert.doesNotMatch(rows[0].public, /hidden|never/, table)
    assert.doesNotMatch(rows[0].full, /never/, table)
  }
})

test('search and the text filters can be answered from an index', async () => {
  await client.query('begin')
  await client.query('set local enable_seqscan = off')
  for (const [condition, index] of [
    ["search_text like public.muster_like('Zürich')", 'employees_search_text_idx'],
    ["search_text_public like public.muster_like('Zürich')", 'employees_search_text_public_idx'],
    ["public.muster_key(email) = public.muster_key('A@example.com')", 'employees_email_idx'],
    ["public.muster_key(status) = any(array['active', 'pending'])", 'employees_status_idx'],
    ['manager_id = 7', 'employees_manager_id_idx'],
  ]) {
    const { rows } = await client.query(`explain (costs off) select id from employees where ${condition}`)
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(`\\b${index}\\b`))
  }
  await client.query('rollback')
})
