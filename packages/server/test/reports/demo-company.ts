/** A service with the demo company, for tests that ask it questions and compare the answers with SQL. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const maxRequests = 2

export type Row = Readonly<Record<string, string | number | null>>

export type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<Row[]>

export interface DemoCompany {
  /** The last day on which the company recorded attendance. */
  readonly today: string
  select(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Returns a function that sends requests, and fails if it is called more than twice. */
  openQuestion(): Ask
}

/** Starts the service before the tests of a suite, and stops it after them. */
export const useDemoCompany = (): DemoCompany => {
  let database: TestDatabase
  let service: RunningService
  let sql: pg.Client
  let today: string
  const select = async (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await sql.query({ text, values: [...values] })).rows
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    sql = new pg.Client({ connectionString: database.url })
    await sql.connect()
    today = String((await select('select max(att_date)::text as today from attendance'))[0]?.today)
  })
  after(async () => {
    await sql.end()
    await service.stop()
    await database.drop()
  })
  return {
    get today() {
      return today
    },
    select,
    openQuestion: () => {
      let requests = 0
      return async (path, query = {}) => {
        requests += 1
        assert.ok(requests <= maxRequests, 'too many requests')
        const url = `${service.baseUrl}/v1/${path}?${new URLSearchParams(query)}`
        const { status, json } = await sendRequest(url, { headers: { prefer: 'handling=strict' } })
        assert.equal(status, 200, `${url} ${JSON.stringify(json)}`)
        return json.data
      }
    },
  }
}
