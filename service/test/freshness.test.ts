/** Nothing that is answered from memory is older than a write that ended before the question, whichever process is asked. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { buildApp } from '../src/app.ts'
import { noTokens } from '../src/config.ts'
import { openBooks } from '../src/database/books.ts'
import { openFreshAnswers } from '../src/http/fresh-answers.ts'
import { openLog } from '../src/log.ts'
import { openServices } from '../src/services.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

/** Reads of one record in four ways; each is stale where it does not show the write before it. */
const reads: [
  name: string,
  path: (id: number, mark: string) => string,
  shows: (json: Json, mark: string) => boolean,
][] = [
  ['by id', (id) => `organizations/${id}`, (json, mark) => json.slug === mark],
  ['by list', () => 'organizations?limit=1', (json, mark) => json.meta.total >= Number(mark.split('-')[1])],
  ['by filter', (_, mark) => `organizations?slug=${mark}`, (json) => json.meta.total === 1],
  ['by q', (_, mark) => `organizations?q=${mark}`, (json) => json.meta.total >= 1],
]
// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
type Json = any

describe('fresh answers', () => {
  let database: TestDatabase
  let writer: RunningService
  let reader: RunningService
  before(async () => {
    database = await createTestDatabase()
    writer = await startService(database.url)
    reader = await startService(database.url)
  })
  after(async () => {
    await writer.stop()
    await reader.stop()
    await database.drop()
  })

  it('show every write to every reader: 4,000 reads right after a write by another process, none stale', async () => {
    let written = 0
    const stale: string[] = []
    let compared = 0
    const work = async (): Promise<void> => {
      while (written < 1_000) {
        written += 1
        const mark = `mark-${written}-x`
        // Asked twice before the write too, so that there is an answer in memory that is about to be old.
        for (const [, path] of [...reads, ...reads]) await ask(`${reader.base}/v1/${path(written, mark)}`)
        const { json, status } = await post(`${writer.base}/v1/organizations`, { name: 'Fresh', slug: mark })
        assert.equal(status, 201)
        const floor = (await ask(`${writer.base}/v1/organizations?limit=1`)).json.meta.total
        for (const [name, path, shows] of reads) {
          const answer = await ask(`${reader.base}/v1/${path(json.id, mark)}`)
          compared += 1
          const shown = name === 'by list' ? answer.json.meta.total >= floor : shows(answer.json, mark)
          if (!shown) stale.push(`${name} ${answer.text.slice(0, 120)}`)
        }
      }
    }
    await Promise.all([work(), work(), work(), work()])
    assert.ok(compared >= 4_000)
    assert.deepEqual(stale, [])
  })

  it('are answered from memory: an unchanged list is read from the database twice', async () => {
    const url = `${reader.base}/v1/organizations?limit=3`
    await ask(url)
    await ask(url)
    const calls = async (): Promise<number> => {
      const { rows } = await reader.database.pool.query(
        `select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int as scans from pg_stat_user_tables where relname = 'organizations'`,
      )
      return rows[0].scans
    }
    await reader.database.pool.query('select pg_stat_force_next_flush()')
    const before = await calls()
    for (let round = 0; round < 50; round += 1) assert.equal((await ask(url)).status, 200)
    assert.equal(await calls(), before)
  })

  it('answer 304 to those who hold the same, and 200 again after a write', async () => {
    const url = `${reader.base}/v1/organizations?limit=2`
    const first = await ask(url)
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]{27}"$/)
    assert.equal(first.headers.get('cache-control'), 'no-cache')
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await ask(url, { headers: { 'if-none-match': held } })
      assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag])
    }
    // The other process gives the same tag: it stands for the bytes, not for who sent them.
    assert.equal((await ask(`${writer.base}/v1/organizations?limit=2`)).headers.get('etag'), tag)
    await post(`${writer.base}/v1/organizations`, { name: 'Other', slug: 'another-tag' })
    const changed = await ask(url, { headers: { 'if-none-match': tag } })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), tag)
  })

  it('are not promised for what is not there: a star is no tag', async () => {
    const statuses: [path: string, status: number][] = [
      ['organizations/999999', 404],
      ['organizations/hello', 404],
      ['organizations?limit=abc', 422],
      ['organizations?limit=1', 304],
    ]
    for (const [path, status] of statuses) {
      const answer = await ask(`${reader.base}/v1/${path}`, { headers: { 'if-none-match': '*' } })
      assert.equal(answer.status, status, path)
    }
  })

  it('and places are learnt anew from a database that took the place of the old one', async () => {
    const replaced = await createTestDatabase()
    const service = await startService(replaced.url)
    const load = (from: number) =>
      replaced.execute(
        `insert into departments (id, name) select n, 'D' from generate_series(${from}, ${from + 19_999}) n; select muster_upkeep()`,
      )
    const url = `${service.base}/v1/departments?offset=15000&limit=1`
    await load(1)
    const first = await ask(url)
    assert.equal(first.json.data[0].id, 15_001)
    await replaced.execute(
      `drop schema public cascade; create schema public authorization pg_database_owner; grant usage on schema public to public`,
    )
    assert.equal((await muster(['migrate'], replaced.env)).code, 0)
    await load(1_001)
    const deadline = Date.now() + 10_000
    let again = await ask(url)
    while (again.status !== 200 && Date.now() < deadline) again = await ask(url)
    assert.equal(again.json.data[0].id, 16_001)
    assert.notEqual(again.headers.get('etag'), first.headers.get('etag'))
    await service.stop()
    await replaced.drop()
  })

  it('are stale without the version read: the control', async () => {
    const services = openServices({
      databaseUrl: database.url,
      poolSize: 2,
      cacheBytes: 1_000_000,
      reads: 'public',
      tokens: noTokens,
    })
    services.database.setReady(true)
    const old = await openBooks(services.database).versions()
    const unchecked = openFreshAnswers({ versions: async () => old }, 1_000_000, 'public')
    const app = buildApp({ ...services, answers: unchecked }, openLog('silent'))
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const total = async (): Promise<number> => (await ask(`${address}/api/v1/organizations?limit=1`)).json.meta.total
    await total()
    let stale = 0
    for (let round = 0; round < 20; round += 1) {
      const before = await total()
      await post(`${writer.base}/v1/organizations`, { name: 'Control', slug: `control-${round}` })
      if ((await total()) === before) stale += 1
    }
    await app.close()
    await services.close()
    assert.ok(stale > 0)
  })
})
