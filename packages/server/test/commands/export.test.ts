import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listedResources, resourceAt, resources } from '@muster/model'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { exportTo } from '../../src/import-export/export.ts'

interface Contents {
  readonly rows: number
  readonly hash: string
  readonly next: string
}

/** For each resource: the number of rows, a hash over every column of every row, and the next id. */
const contentsOf = (url: string): Promise<Record<string, Contents>> =>
  withClient(url, async (client) => {
    const contentsByPath: Record<string, Contents> = {}
    for (const { path, table } of resources) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(string_agg(record::text, E'\\n' order by id)) as hash,
                (select case when is_called then last_value + 1 else last_value end from ${table}_id_seq) as next
         from ${table} as record`,
      )
      contentsByPath[path] = rows[0]
    }
    return contentsByPath
  })

describe('muster export', () => {
  let companyDatabase: TestDatabase
  let folder: string
  before(async () => {
    companyDatabase = await createSeededDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
  })
  after(async () => {
    await companyDatabase.drop()
    await rm(folder, { recursive: true })
  })

  for (const format of ['csv', 'ndjson']) {
    it(`of a whole company as ${format} gives an empty database the same rows when it is imported`, async () => {
      const exportFolder = join(folder, format)
      const exportResult = await muster(['export', '--all', exportFolder, '--format', format], {
        DATABASE_URL: companyDatabase.url,
      })
      assert.deepEqual([exportResult.code, exportResult.out], [0, ''])
      const files = [...listedResources.map(({ path }) => `${path}.${format}`), 'erased-keys.ndjson', 'manifest.json']
      assert.deepEqual((await readdir(exportFolder)).sort(), files.sort())
      const emptyDatabase = await createTestDatabase()
      const importResult = await muster(['import', '--all', exportFolder], { DATABASE_URL: emptyDatabase.url })
      assert.equal(importResult.code, 0, importResult.out + importResult.err)
      const originalContents = await contentsOf(companyDatabase.url)
      assert.ok(Object.values(originalContents).every(({ rows }) => rows > 0))
      assert.deepEqual(await contentsOf(emptyDatabase.url), originalContents)
      await emptyDatabase.drop()
    })
  }

  it('writes files that only their owner can read, and follows no link', async () => {
    const victim = join(folder, 'victim')
    await writeFile(victim, 'unchanged')
    const file = join(folder, 'links', 'employees.csv')
    await mkdir(join(folder, 'links'))
    for (const link of [`${file}.partial`, file]) await symlink(victim, link)
    const { code, err } = await muster(['export', 'employees', '-o', file, '--force'], {
      DATABASE_URL: companyDatabase.url,
    })
    assert.equal(code, 0, err)
    assert.equal(await readFile(victim, 'utf8'), 'unchanged')
    const { mode } = await lstat(file)
    assert.equal(mode & 0o777, 0o600)
    assert.deepEqual((await readdir(join(folder, 'links'))).sort(), ['employees.csv', 'employees.csv.partial'])
  })

  it('preserves strings, numbers and timestamps exactly', async () => {
    const sourceDatabase = await createTestDatabase()
    const targetDatabase = await createTestDatabase()
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
    await withClient(sourceDatabase.url, async (client) => {
      for (const text of texts)
        await client.query(`insert into candidates (first_name, notes, status) values ($1, $1, 'active')`, [text])
      await client.query(
        `insert into candidates (id, status, years_experience, consent_at, created) values
         (100, 'x', '-0', '2024-02-29 23:59:59.123456+02', null), (101, 'x', 5e-324, '0001-01-01 00:00:00+00', now()),
         (102, 'x', 1.7976931348623157e308, '9999-12-31 23:59:59+00', now()), (9000000000000000, 'x', 0.1, null, now())`,
      )
    })
    const originalContents = (await contentsOf(sourceDatabase.url)).candidates
    for (const format of ['csv', 'ndjson']) {
      const { out } = await muster(['export', 'candidates', '--format', format], { DATABASE_URL: sourceDatabase.url })
      const importResult = await muster(
        ['import', 'candidates', '--format', format],
        { DATABASE_URL: targetDatabase.url },
        out,
      )
      assert.equal(importResult.code, 0, importResult.out + importResult.err)
      assert.equal((await contentsOf(targetDatabase.url)).candidates?.hash, originalContents?.hash, format)
      await targetDatabase.execute('truncate candidates cascade')
    }
    await sourceDatabase.drop()
    await targetDatabase.drop()
  })

  it('writes all fields that the API returns, except those that are not stored', async () => {
    const { out } = await muster(['export', 'jobs', '--format', 'ndjson'], { DATABASE_URL: companyDatabase.url })
    const [firstLine] = out.split('\n')
    assert.deepEqual(
      Object.keys(JSON.parse(firstLine ?? '')),
      resourceAt('jobs').allFields.map(({ name }) => name),
    )
    const employeesExport = await muster(['export', 'employees'], { DATABASE_URL: companyDatabase.url })
    assert.match(employeesExport.out, /^id,code,first_name,.+,termination_date,alumni\b.*\n1,/)
  })

  it('exports one snapshot despite concurrent writes', async () => {
    const database = await createTestDatabase()
    const writtenChunks: string[] = []
    const collect = () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          writtenChunks.push(chunk.toString())
          done()
        },
      })
    await exportTo({
      connectionString: database.url,
      sinks: [
        { resource: resourceAt('organizations'), format: 'csv', open: async () => collect() },
        {
          resource: resourceAt('departments'),
          format: 'csv',
          open: async () => {
            await database.execute(`insert into departments (name) values ('Late')`)
            return collect()
          },
        },
      ],
    })
    assert.equal(writtenChunks.join(''), 'id,name,slug,default_locale,timezone,settings_json,created\nid,name\n')
    await database.drop()
  })

  it('derives the format from the file name, and creates the file only when it is complete', async () => {
    const file = join(folder, 'departments.ndjson')
    await muster(['export', 'departments', '-o', file], { DATABASE_URL: companyDatabase.url })
    assert.match(await readFile(file, 'utf8'), /^\{"id":1,"name":"[^"]+"\}\n/)
    const unwrittenFile = join(folder, 'never.csv')
    const failedExport = await muster(['export', 'departments', '-o', unwrittenFile], {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    })
    assert.equal(failedExport.code, 1)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('never.csv')),
      [],
    )
    const folderInPlace = join(folder, 'taken.csv')
    await mkdir(folderInPlace)
    const refusedExport = await muster(['export', 'departments', '-o', folderInPlace, '--force'], {
      DATABASE_URL: companyDatabase.url,
    })
    assert.match(refusedExport.err, /taken\.csv cannot be written \(EISDIR\): name another file\./)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('taken.csv.')),
      [],
    )
  })

  describe('of which a process was ended', () => {
    let endedFolder: string
    let file: string
    let lockHolder: Client
    before(async () => {
      endedFolder = await mkdtemp(join(tmpdir(), 'muster-export-ended-'))
      file = join(endedFolder, 'attendance.csv')
      lockHolder = new Client({ connectionString: companyDatabase.url })
      await lockHolder.connect()
    })
    after(async () => {
      await lockHolder.end()
      await rm(endedFolder, { recursive: true })
    })

    /** Starts an export that has created its partial file, and waits for a lock. */
    const startBlocked = async () => {
      const filesBefore = (await readdir(endedFolder)).length
      const started = runCommand('muster.ts', ['export', 'attendance', '-o', file, '--force'], {
        DATABASE_URL: companyDatabase.url,
      })
      await waitUntil('the partial file exists', async () => (await readdir(endedFolder)).length > filesBefore)
      return started
    }
    const block = () => lockHolder.query('begin; lock table attendance in access exclusive mode')
    const unblock = () => lockHolder.query('rollback')
    // Otherwise a failed test would make the next one wait for its lock.
    afterEach(unblock)

    it('with SIGKILL leaves a partial file, which the next export to the same file removes', async () => {
      await block()
      const running = await startBlocked()
      const killed = await startBlocked()
      killed.signal('SIGKILL')
      await killed.exitPromise
      assert.equal((await readdir(endedFolder)).length, 2)
      await unblock()
      assert.equal(await running.exitPromise, 0, running.output)
      assert.equal((await readdir(endedFolder)).length, 2)
      const { code, err } = await muster(['export', 'attendance', '-o', file, '--force'], {
        DATABASE_URL: companyDatabase.url,
      })
      assert.equal(code, 0, err)
      assert.deepEqual(await readdir(endedFolder), ['attendance.csv'])
    })

    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const)
      it(`with ${signal} leaves no partial file`, async () => {
        await rm(file, { force: true })
        await block()
        const ended = await startBlocked()
        ended.signal(signal)
        assert.equal(await ended.exitPromise, code)
        await unblock()
        assert.deepEqual(await readdir(endedFolder), [])
      })

    it('on another machine leaves a partial file, which is removed after an hour without a write', async () => {
      const files = ['old', 'new'].map((name, index) => ({
        name,
        path: `${file}.00000000-1-00000000000${index}.partial`,
      }))
      for (const { name, path } of files) {
        await writeFile(path, '')
        const hoursAgo = name === 'old' ? 1.1 : 0.9
        const time = new Date(Date.now() - hoursAgo * 3_600_000)
        await utimes(path, time, time)
      }
      const others = ['attendance.csv.partial', 'other.csv.00000000-1-000000000000.partial'].map((name) =>
        join(endedFolder, name),
      )
      for (const path of others) {
        await writeFile(path, '')
        await utimes(path, new Date(0), new Date(0))
      }
      const { code, err } = await muster(['export', 'attendance', '-o', file, '--force'], {
        DATABASE_URL: companyDatabase.url,
      })
      assert.equal(code, 0, err)
      const kept = [file, files[1]?.path ?? '', ...others]
      assert.deepEqual((await readdir(endedFolder)).map((name) => join(endedFolder, name)).sort(), kept.sort())
    })
  })

  it('prints no error if the process that reads its output closes the pipe early', async () => {
    const musterFile = fileURLToPath(new URL('../../bin/muster.ts', import.meta.url))
    const shellCommand = `"${process.execPath}" "${musterFile}" export attendance | head -n 1`
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', shellCommand], {
      env: { PATH: process.env.PATH, DATABASE_URL: companyDatabase.url },
    })
    assert.deepEqual([stdout, stderr], ['id,employee_id,att_date,status,hours\n', ''])
  })
})
