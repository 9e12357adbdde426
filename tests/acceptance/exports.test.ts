// Covers lists as files: CSV and NDJSON hold every matching record, and say how many there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, readOnly, resources } from '../contract/contract.ts'
import { created, mark, minimalBody } from './bodies.ts'
import { get, send } from './http.ts'
import { everyRow, page, walk } from './pages.ts'
import { expectDetail } from './refusals.ts'

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** Cells of a text in the form of RFC 4180; null where there is nothing. */
function cells(text: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\n]*))(,|\n)/g)) {
    row.push(quoted === undefined ? bare || null : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

/** An apostrophe before what a spreadsheet would compute: at the start, and after a semicolon, tab or line end. */
function protectedCell(text: string): string {
  const inner = text.replace(/([;\t\r\n])("*[=+@＝＋－＠-])/g, "$1'$2")
  return /^[=+\-@\t\r\n]/.test(text) ? `'${inner}` : inner
}

for (const resource of readOnly) {
  test(`${resource} as NDJSON is every record of every page, in order`, async () => {
    const answer = await get(`/v1/${resource}?format=ndjson`)
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${resource}.ndjson"`)
    const rows = lines(answer.text).map((line) => JSON.parse(line))
    assert.deepEqual(rows, await everyRow(resource))
    assert.equal(answer.headers.get('x-total-count'), String(rows.length))
  })

  test(`${resource} as CSV is a line of names and a line per record`, async () => {
    const answer = await get(`/v1/${resource}`, { accept: 'text/csv' })
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv\b/)
    const [names, ...rows] = cells(answer.text)
    assert.deepEqual(
      names,
      fieldsOf(resource).map(({ field }) => field),
    )
    const expected = (await everyRow(resource)).map((record) =>
      (names ?? []).map((name) => {
        const value = record[String(name)]
        return typeof value === 'string' ? protectedCell(value) : value === null ? null : `${value}`
      }),
    )
    assert.deepEqual(rows, expected)
    assert.equal(answer.headers.get('x-total-count'), String(rows.length))
  })
}

for (const resource of resources) {
  test(`a file of ${resource} takes the search, the limit and the offset of a list`, async () => {
    const found = (await walk(resource, 200, { q: 'a' })).flatMap(({ data }) => data)
    const all = await get(`/v1/${resource}?q=a&format=ndjson`)
    const known = new Set(found.map(({ id }) => id))
    const rows = lines(all.text).map((line) => JSON.parse(line))
    // Others may create meanwhile, and never with a smaller id.
    assert.deepEqual(
      rows.slice(0, found.length).map(({ id }) => id),
      [...known],
    )
    const part = await get(`/v1/${resource}?limit=2&offset=1&format=ndjson`)
    assert.deepEqual(
      lines(part.text).map((line) => JSON.parse(line)),
      (await page(resource, { limit: 2, offset: 1 })).data,
    )
  })
}

test('a text that a spreadsheet would run comes with an apostrophe in CSV, and as it is in NDJSON', async () => {
  const word = mark()
  const body = { ...(await minimalBody('leave')), reason: `=${word}` }
  const { id } = await created('leave', body)
  const csv = await get(`/v1/leave?q=${word}&format=csv`)
  assert.ok(csv.text.includes(`,'=${word},`), csv.text)
  const ndjson = await get(`/v1/leave?q=${word}&format=ndjson`)
  assert.deepEqual(
    lines(ndjson.text).map((line) => {
      const { id: found, reason } = JSON.parse(line)
      return [found, reason]
    }),
    [[id, `=${word}`]],
  )
})

test('what is accepted decides, the parameter before it, and nothing is refused for it', async () => {
  const cases: [accept: string, query: string, type: string][] = [
    ['text/csv', '', 'text/csv'],
    ['application/x-ndjson', '', 'application/x-ndjson'],
    ['application/json', '', 'application/json'],
    ['*/*', '', 'application/json'],
    ['image/png', '', 'application/json'],
    ['text/csv', '&format=json', 'application/json'],
    ['application/json', '&format=csv', 'text/csv'],
  ]
  for (const [accept, query, type] of cases) {
    const { status, headers } = await get(`/v1/departments?limit=1${query}`, { accept })
    assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [200, type], `${accept} ${query}`)
  }
})

test('another format is refused', async () => {
  const answer = await get('/v1/jobs?format=xml')
  const expected = 'json, csv, ndjson'
  expectDetail(answer, [
    {
      type: 'literal_error',
      loc: ['query', 'format'],
      msg: `Input should be one of ${expected}`,
      input: 'xml',
      ctx: { expected },
    },
  ])
})

test('a file has a tag, by which it is not sent again', async () => {
  const { headers } = await get('/v1/departments?format=csv')
  const again = await get('/v1/departments?format=csv', { 'if-none-match': headers.get('etag') ?? '' })
  assert.deepEqual([again.status, again.text], [304, ''])
  const head = await send('HEAD', '/v1/departments?format=csv')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('x-total-count'), headers.get('x-total-count'))
})
