import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { fc } from '../../../../tests/support/fast-check.ts'
import { foldingCases } from '../../../../tests/support/search-folding-cases.ts'
import { migrate } from '../../src/postgres/schema/migrate.ts'

const originals = foldingCases.map(([text]) => text)
const expectedFolds = foldingCases.map(([, text]) => text)

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

const foldAll = async (values: readonly string[], connection: Client = client): Promise<string[]> => {
  const { rows } = await connection.query(
    'select public.muster_fold(value) as folded from unnest($1::text[]) with ordinality as given(value, n) order by n',
    [values],
  )
  return rows.map((row) => row.folded)
}

const queryOne = async <T>(sql: string, values: unknown[] = []): Promise<T> => {
  const { rows } = await client.query(sql, values)
  return rows[0]?.answer
}

/** Any text that PostgreSQL can store, with many of the characters that folding changes. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...originals.flatMap((text) => [...text])) }),
    fc.string({ unit: fc.integer({ min: 1, max: 0x24f }).map((codePoint) => String.fromCodePoint(codePoint)) }),
  )
  .map((text) => text.replaceAll('\u0000', ''))
const textLists = fc.array(anyText, { minLength: 1, maxLength: 100 })

test('folding removes case and accents as listed in foldCases', async () => {
  assert.deepEqual(await foldAll(originals), expectedFolds)
})

test('folding is idempotent', async () => {
  await fc.assert(
    fc.asyncProperty(textLists, async (texts) => {
      const folded = await foldAll(texts)
      assert.deepEqual(await foldAll(folded), folded)
    }),
    { numRuns: 80 },
  )
})

test('the fast path for ASCII gives the same result as the general case', async () => {
  const asciiTexts = fc.array(fc.string({ unit: fc.integer({ min: 1, max: 127 }).map((n) => String.fromCharCode(n)) }))
  await fc.assert(
    fc.asyncProperty(asciiTexts, async (texts) => {
      const nonAsciiFolds = await foldAll(texts.map((text) => `${text} 東`))
      assert.deepEqual(
        (await foldAll(texts)).map((folded) => `${folded} 東`),
        nonAsciiFolds,
      )
    }),
  )
})

test('folding is idempotent for every single character', async () => {
  const characters = Array.from({ length: 0xffff }, (_, n) => String.fromCodePoint(n + 1))
  const folded = await foldAll(characters.filter((character) => character.isWellFormed()))
  assert.deepEqual(await foldAll(folded), folded)
})

/**
 * The iota subscript of a Greek vowel counts as an accent, although its upper case is a separate letter. The lambda
 * with stroke got an upper case only in Unicode 16, which not every server supports.
 */
const isException = (letter: string): boolean => letter.normalize('NFD').includes('\u0345') || letter === 'ƛ'

test('every Latin, Greek and Cyrillic letter folds like its upper and its lower case', async () => {
  const letters: string[] = []
  for (const [first, last] of [
    [0x41, 0x24f],
    [0x370, 0x52f],
    [0x1e00, 0x1fff],
    [0x2c60, 0x2c7f],
  ] as const) {
    for (let codePoint = first; codePoint <= last; codePoint += 1) letters.push(String.fromCodePoint(codePoint))
  }
  const testedLetters = letters.filter((letter) => /\p{L}/u.test(letter) && !isException(letter))
  const folded = await foldAll(testedLetters)
  const foldedUpper = await foldAll(testedLetters.map((letter) => letter.toUpperCase()))
  const foldedLower = await foldAll(testedLetters.map((letter) => letter.toLowerCase()))
  const differing = testedLetters.filter((_, n) => folded[n] !== foldedUpper[n] || folded[n] !== foldedLower[n])
  assert.deepEqual(differing, [])
})

test('composed and decomposed spellings fold to the same text', async () => {
  await fc.assert(
    fc.asyncProperty(textLists, async (texts) => {
      // Newer Unicode versions add composed letters above U+FFFF, and Node may know more of them than PostgreSQL.
      const bmpTexts = texts.map((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''))
      const foldedComposed = await foldAll(bmpTexts.map((text) => text.normalize('NFC')))
      assert.deepEqual(await foldAll(bmpTexts.map((text) => text.normalize('NFD'))), foldedComposed)
    }),
  )
})

test('folding does not depend on the locale of the database', async () => {
  for (const locale of ['C', 'C.UTF-8']) {
    const otherDatabase = await createEmptyDatabase({ locale })
    const otherClient = new Client({ connectionString: otherDatabase.url })
    try {
      await migrate(otherDatabase.url)
      await otherClient.connect()
      const folded = await foldAll(originals, otherClient)
      assert.deepEqual(folded, expectedFolds, locale)
    } finally {
      await otherClient.end()
      await otherDatabase.drop()
    }
  }
})

test('a search term matches at any position, and percent, underscore and backslash are literal', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', '%', '_', '\\') })
  await fc.assert(
    fc.asyncProperty(text, text, async (haystack, term) => {
      const isMatch = await queryOne('select public.muster_fold($1) like public.muster_like($2) as answer', [
        haystack,
        term,
      ])
      const simpleFold = (value: string) => value.toLowerCase().replaceAll('é', 'e').replaceAll('ß', 'ss')
      assert.equal(isMatch, simpleFold(haystack).includes(simpleFold(term)))
    }),
    { numRuns: 100 },
  )
})

test('muster_key ignores case, preserves accents and limits the length of keys', async () => {
  const distinctKeys = (...values: string[]) =>
    queryOne<number>('select count(distinct public.muster_key(value))::int as answer from unnest($1::text[]) value', [
      values,
    ])
  assert.equal(await distinctKeys('Active', 'ACTIVE', 'active'), 1)
  assert.equal(await distinctKeys('ÉTÉ', 'été', 'Été'), 1)
  assert.equal(await distinctKeys('été', 'ete'), 2)
  const longPrefix = 'x'.repeat(19_999)
  assert.equal(await distinctKeys(`${longPrefix}A`, `${longPrefix}a`), 1)
  assert.equal(await distinctKeys(`${longPrefix}a`, `${longPrefix}b`), 2)
  assert.equal(await queryOne<number>('select length(public.muster_key($1)) as answer', ['é'.repeat(200)]), 200)
  assert.ok(
    (await queryOne<number>('select octet_length(public.muster_key($1)) as answer', ['𝔘'.repeat(20_000)])) < 1_000,
  )
})

test('a text of 20,000 characters can be stored and filtered', async () => {
  // The text is random, because PostgreSQL would compress a repeated character until the text fits into an index.
  const sample = fc.sample(fc.string({ unit: 'grapheme-composite', minLength: 20_000, maxLength: 20_000 }), 1)[0] ?? ''
  const longText = [...sample].slice(0, 20_000).join('')
  await client.query('insert into leave_requests (leave_type) values ($1)', [longText])
  assert.equal(
    await queryOne<string>(
      'select count(*) as answer from leave_requests where public.muster_key(leave_type) = public.muster_key($1)',
      [longText],
    ),
    '1',
  )
})

test('search covers every text field, and a term never spans two fields', async () => {
  await client.query(
    `insert into employees (code, first_name, last_name, email, designation, branch, status, gender, employment_type)
     values ('E-7', 'José', 'García', 'jose@example.com', 'Chef', 'Zürich', 'Active', 'male', 'full_time')`,
  )
  const countMatches = async (term: string) =>
    queryOne<string>('select count(*) as answer from employees where search_text like public.muster_like($1)', [term])
  for (const term of ['e-7', 'JOSE', 'garcía', '@example', 'chef', 'zurich', 'ACTIVE', 'male', 'full_'])
    assert.equal(await countMatches(term), '1', term)
  for (const term of ['josegarcia', 'jose garcia', 'maleful']) assert.equal(await countMatches(term), '0', term)
})

test('the public search text contains no personal field', async () => {
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
  await client.query(`insert into leave_requests (leave_type, status, reason) values ('hidden1', 'shown1', 'hidden2')`)
  await client.query(`insert into job_openings (title, headcount, filled, status) values ('t', 1, 0, 's')`)
  await client.query(
    `insert into applications (candidate_id, job_id, stage, status, rejection_reason)
     select candidates.id, job_openings.id, 'shown1', 'shown2', 'hidden1' from candidates, job_openings`,
  )
  const shownFields = { employees: 5, candidates: 4, leave_requests: 1, applications: 2 }
  const hiddenFields = { employees: 4, candidates: 7, leave_requests: 2, applications: 1 }
  for (const table of Object.keys(shownFields) as (keyof typeof shownFields)[]) {
    const { rows } = await client.query(
      `select search_text as full, search_text_public as public from ${table} where search_text like '%shown1%'`,
    )
    assert.equal(rows.length, 1, table)
    assert.equal(rows[0].public.match(/shown/g)?.length, shownFields[table], table)
    assert.equal(rows[0].full.match(/shown/g)?.length, shownFields[table], table)
    assert.equal(rows[0].full.match(/hidden/g)?.length, hiddenFields[table], table)
    assert.doesNotMatch(rows[0].public, /hidden|never/, table)
    assert.doesNotMatch(rows[0].full, /never/, table)
  }
})

test('search and text filters can use an index', async () => {
  await client.query('begin')
  await client.query('set local enable_seqscan = off')
  for (const [condition, index] of [
    ["search_text like public.muster_like('Zürich')", 'employees_search_text_idx'],
    ["search_text_public like public.muster_like('Zürich')", 'employees_search_text_public_idx'],
    [`public.muster_key(email) collate "C" = public.muster_key('A@example.com')`, 'employees_email_idx'],
    ["public.muster_key(status) = any(array['active', 'pending'])", 'employees_status_idx'],
    ['manager_id = 7', 'employees_manager_id_idx'],
  ]) {
    const { rows } = await client.query(`explain (costs off) select id from employees where ${condition}`)
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(`\\b${index}\\b`))
  }
  await client.query('rollback')
})
