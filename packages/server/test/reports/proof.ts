/**
 * Compares a report with a reference in plain SQL, for random parameters and three companies: the JSON response, the
 * CSV response, and the total of every linked list.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import pg from 'pg'
import { sendUntilServed } from '../../../../tests/support/http.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pickSome, randomNumbers } from '../../../../tests/support/random.ts'
import type { Companies } from './companies.ts'
import { startCompanies } from './companies.ts'

/** Parameters of a request; undefined means that the parameter is not sent. */
export type Query = Readonly<Record<string, string | undefined>>

export interface Reference {
  /** A select with the columns of the report, in their order and types. */
  readonly text: string
  readonly values?: readonly unknown[]
  /** What `meta.excluded` must be; 0 by default. */
  readonly excluded?: string
}

export interface ReportProof {
  readonly report: string
  /** Parameters of one request. `as_of` must always be sent. */
  readonly randomQuery: (random: Random, run: (text: string) => Promise<readonly string[]>) => Promise<Query> | Query
  /** Written from the definition of the report, not from its SQL function. */
  readonly reference: (query: Query) => Reference
  /** Columns whose link leads to the records that were summed or compared, so that the total is another figure. */
  readonly inexactLinks?: readonly string[]
  /** The total of a link that leads to a known number of other records. Undefined if the total is the figure. */
  readonly linkTotal?: (row: Readonly<Record<string, unknown>>, column: string) => unknown
  /** Columns with a link. A figure of such a column that is not null must have one, unless `mayLackLinks`. */
  readonly linkedColumns: readonly string[]
  /** Whether a row may lack links, because no filter selects its group. */
  readonly mayLackLinks?: (row: Readonly<Record<string, unknown>>, query: Query) => boolean
}

/** Parameter sets for each of the three companies; `npm test -- reports` has 67, which are 201 together. */
const setsPerCompany = Number(process.env.REPORT_SETS ?? 6)
/** Rows of each response, chosen at random, whose links are followed. */
const followedRows = process.env.REPORT_SETS === undefined ? 3 : 6

export const proveReport = (proof: ReportProof): void => {
  let companies: Companies
  before(async () => {
    companies = await startCompanies()
  })
  after(() => companies?.stop())

  it('equals a reference in SQL, as JSON and as CSV, and each linked list has as many records as its figure', async (t) => {
    const totals = new Map<string, number>()
    let [rowCount, linkCount] = [0, 0]
    for (const [index, { database, baseUrl }] of companies.all.entries()) {
      const random = randomNumbers(index + 1)
      // Compiling a reference takes longer than running it.
      const client = new pg.Client({ connectionString: database.url, options: '-c jit=off' })
      await client.connect()
      const run = async (text: string): Promise<readonly string[]> =>
        (await client.query({ text, rowMode: 'array' })).rows.map(([value]) => String(value))
      for (let set = 0; set < setsPerCompany; set += 1) {
        const query = await proof.randomQuery(random, run)
        const url = `${baseUrl}/v1/reports/${proof.report}?${queryString(query)}`
        const { status, json } = await sendUntilServed(url)
        assert.equal(status, 200, `${url} ${JSON.stringify(json)}`)
        const { text, values = [], excluded = '0' } = proof.reference(query)
        const { rows, fields } = await client.query({ text: `select * from (${text}) reference`, values: [...values] })
        const expected = rows.map((row) => fields.map(({ name }) => normalize(row[name])))
        const names = fields.map(({ name }) => name)
        const received = json.data.map((row: Record<string, unknown>) => names.map((name) => normalize(row[name])))
        assert.deepEqual(received, expected, url)
        if (json.data.length > 0) assert.deepEqual(Object.keys(json.data[0]), [...names, 'links'])
        const {
          rows: [excludedRow],
        } = await client.query({ text: `select (${excluded})::int as n`, values: excluded === '0' ? [] : [...values] })
        assert.equal(json.meta.excluded, excludedRow.n, url)
        const csv = await sendUntilServed(`${url}&format=csv`)
        assert.deepEqual(
          parseCsv(csv.text),
          [names, ...expected.map((row) => row.map((value) => (value === null ? '' : asCell(value))))],
          url,
        )
        rowCount += rows.length
        for (const row of pickSome<Record<string, unknown>>(random, json.data, followedRows)) {
          const links = row.links as Record<string, string>
          for (const column of proof.linkedColumns) {
            if (row[column] === null || links[column] !== undefined) continue
            assert.ok(proof.mayLackLinks?.(row, query), `${url} has no link for ${column}: ${JSON.stringify(row)}`)
          }
          for (const [column, link] of Object.entries(links)) {
            const linked = `${baseUrl.replace(/\/api$/, '')}${link}`
            const total = totals.get(linked) ?? (await totalOf(linked))
            totals.set(linked, total)
            linkCount += 1
            if (!proof.inexactLinks?.includes(column))
              assert.equal(
                total,
                proof.linkTotal?.(row, column) ?? row[column],
                `${url} ${column} ${link} ${JSON.stringify(row)}`,
              )
          }
        }
      }
      await client.end()
    }
    assert.ok(rowCount > setsPerCompany && linkCount > setsPerCompany, `${rowCount} rows, ${linkCount} links`)
    t.diagnostic(`${setsPerCompany * companies.all.length} parameter sets, ${rowCount} rows, ${linkCount} links`)
  })
}

const totalOf = async (url: string): Promise<number> => {
  const { status, json } = await sendUntilServed(`${url}${url.includes('?') ? '&' : '?'}limit=1`, {
    headers: { prefer: 'handling=strict' },
  })
  assert.equal(status, 200, `${url} ${JSON.stringify(json)}`)
  return json.meta.total
}

const queryString = (query: Query): string =>
  String(new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)))

/** The driver returns bigint and numeric as text; dates must be selected as text. */
const normalize = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** As in exports, text that a spreadsheet could take for a formula is preceded by an apostrophe. */
const asCell = (value: string): string => (/^[=+@-]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value)

const parseCsv = (text: string): string[][] => {
  const rows: string[][] = []
  for (let rest = text; rest !== ''; ) {
    const row: string[] = []
    for (let end = ','; end === ','; ) {
      const [cell, quoted, plain, separator] = /^(?:"((?:""|[^"])*)"|([^",\n]*))(,|\n)/.exec(rest) as RegExpExecArray
      row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
      rest = rest.slice(cell.length)
      end = separator as string
    }
    rows.push(row)
  }
  return rows
}
