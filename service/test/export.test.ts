/** What goes out comes in again as it was: every record of every resource, in either format, all of one moment. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { resourceAt, resources } from '@muster/model'
import { exportTo } from '../src/transfer/export.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from './support/database.ts'
import { muster } from './support/muster.ts'

interface Contents {
  readonly rows: number
  readonly hash: string
  readonly next: string
}

/** Every column of every row, and the id that the next record would get. */
const contents = (url: string): Promise<Record<string, Contents>> =>
  withClient(url, async (client) => {
    const found: Record<string, Contents> = {}
    for (const { path, table } of resources) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(string_agg(record::text, E'\\n' order by id)) as hash,
                (select case when is_called then last_value + 1 else last_value end from ${table}_id_seq) as next
         from ${table} as record`,
      )
      found[path] = rows[0]
    }
    return found
  })

describe('an export', () => {
  let company: TestDatabase
  let folder: string
  before(async () => {
    company = await createSeededDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
  })
  after(async () => {
    await company.drop()
    await rm(folder, { recursive: true })
  })

  for (const format of ['csv', 'ndjson']) {
    it(`of the whole company as ${format} makes the same rows of it in an empty database`, async () => {
      const place = join(folder, format)
      const out = await muster(['export', '--all', place, '--format', format], { DATABASE_URL: company.url })
      assert.deepEqual([out.code, out.out], [0, ''])
      assert.deepEqual((await readdir(place)).sort(), resources.map(({ path }) => `${path}.${format}`).sort())
      const empty = await createTestDatabase()
      const back = await muster(['import', '--all', place], { DATABASE_URL: empty.url })
      assert.equal(back.code, 0, back.out + back.err)
      const original = await contents(company.url)
      assert.ok(Object.values(original).every(({ rows }) => rows > 0))
      assert.deepEqual(await contents(empty.url), original)
      await empty.drop()
    })
  }

  it('keeps texts, numbers and times to the last character', async () => {
    const from = await createTestDatabase()
    const to = await createTestDatabase()
    const texts = [
      '',
      ' ',
      'a "b", c',
      'line\nbreak\r\n\ttab',
      '\\N',
      '\\.',
      'NULL',
      "D'Angelo",
      '漢字 𝒳 👩🏽‍💻',
      '\u2028\u0001',
      '\uFEFF',
      'e\u0301',
    ]
    await withClient(from.url, async (client) => {
      for (const text of texts)
        await client.query(`insert into candidates (first_name, notes, status) values ($1, $1, 'active')`, [text])
      await client.query(
        `insert into candidates (id, status, years_experience, consent_at, created) values
         (100, 'x', '-0', '2024-02-29 23:59:59.123456+02', null), (101, 'x', 5e-324, '0001-01-01 00:00:00+00', now()),
         (102, 'x', 1.7976931348623157e308, '9999-12-31 23:59:59+00', now()), (9000000000000000, 'x', 0.1, null, now())`,
      )
    })
    const original = (await contents(from.url)).candidates
    for (const format of ['csv', 'ndjson']) {
      const { out } = await muster(['export', 'candidates', '--format', format], { DATABASE_URL: from.url })
      const back = await muster(['import', 'candidates', '--format', format], { DATABASE_URL: to.url }, out)
      assert.equal(back.code, 0, back.out + back.err)
      assert.equal((await contents(to.url)).candidates?.hash, original?.hash, format)
      await to.execute('truncate candidates cascade')
    }
    await from.drop()
    await to.drop()
  })

  it('writes fields as the interface answers them, and only those that are stored', async () => {
    const { out } = await muster(['export', 'jobs', '--format', 'ndjson'], { DATABASE_URL: company.url })
    const [first] = out.split('\n')
    assert.deepEqual(
      Object.keys(JSON.parse(first ?? '')),
      resourceAt('jobs').all.map(({ name }) => name),
    )
    const people = await muster(['export', 'employees'], { DATABASE_URL: company.url })
    assert.match(people.out, /^id,code,first_name,.+,termination_date,alumni\n1,/)
  })

  it('shows one moment, whatever is written meanwhile', async () => {
    const database = await createTestDatabase()
    const written: string[] = []
    const gather = () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          written.push(chunk.toString())
          done()
        },
      })
    await exportTo({
      connectionString: database.url,
      sinks: [
        { resource: resourceAt('organizations'), format: 'csv', open: async () => gather() },
        {
          resource: resourceAt('departments'),
          format: 'csv',
          open: async () => {
            await database.execute(`insert into departments (name) values ('Late')`)
            return gather()
          },
        },
      ],
    })
    assert.equal(written.join(''), 'id,name,slug,default_locale,timezone,settings_json,created\nid,name\n')
    await database.drop()
  })

  it('takes the format from the name of the file, which appears only when it is complete', async () => {
    const file = join(folder, 'departments.ndjson')
    await muster(['export', 'departments', '-o', file], { DATABASE_URL: company.url })
    assert.match(await readFile(file, 'utf8'), /^\{"id":1,"name":"[^"]+"\}\n/)
    const unwritten = join(folder, 'never.csv')
    const said = await muster(['export', 'departments', '-o', unwritten], {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    })
    assert.equal(said.code, 1)
    assert.equal((await readdir(folder)).includes('never.csv'), false)
  })

  it('says nothing when its reader has seen enough', async () => {
    const file = fileURLToPath(new URL('../bin/muster.ts', import.meta.url))
    const line = `"${process.execPath}" "${file}" export attendance | head -n 1`
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], {
      env: { PATH: process.env.PATH, DATABASE_URL: company.url },
    })
    assert.deepEqual([stdout, stderr], ['id,employee_id,att_date,status,hours\n', ''])
  })
})
