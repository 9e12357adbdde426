/** Which commit `npm test -- upgrade` and the chaos case `cluster` run as the earlier release. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findEarlierRelease } from '../support/earlier-release.ts'

describe('the earlier release', () => {
  let parent: string
  let checkout: string
  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'muster-history-'))
  })
  after(() => rmSync(parent, { recursive: true }))

  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: checkout,
      encoding: 'utf8',
    }).trim()
  const write = (files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files))
      writeFileSync(
        name.endsWith('.sql') ? join(checkout, 'packages/server/migrations', name) : join(checkout, name),
        text,
      )
  }
  /** Returns the new commit. */
  const commit = (files: Record<string, string> = {}): string => {
    write(files)
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--no-gpg-sign', '--message', 'test')
    return git('rev-parse', 'HEAD')
  }
  let firstCommit: string
  beforeEach(() => {
    checkout = mkdtempSync(join(parent, 'checkout-'))
    mkdirSync(join(checkout, 'packages/server/migrations'), { recursive: true })
    git('init', '--quiet')
    firstCommit = commit({ '0001-tables.sql': 'create table a ();', '0002-rules.sql': 'create table b ();' })
  })
  /** Another series of migrations, one of which has an old name, and one an old content. */
  const replaceMigrations = (): void => {
    git('rm', '-r', '--quiet', '--', 'packages/server/migrations')
    mkdirSync(join(checkout, 'packages/server/migrations'), { recursive: true })
    write({ '0001-tables.sql': 'create table c ();', '0003-all.sql': 'create table b ();' })
  }

  it('is the last commit before the newest migration', async () => {
    const expected = commit({ code: '1' })
    commit({ '0003-more.sql': '-- expands\ncreate table c ();', code: '2' })
    commit({ code: '3' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: ['0003-more.sql'] })
  })

  it('is the current commit if the newest migration is not committed yet', async () => {
    const expected = commit({ '0003-more.sql': '-- expands\ncreate table c ();' })
    write({ '0004-other.sql': '-- expands\ncreate table d ();' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: ['0004-other.sql'] })
  })

  it('is the first commit with the current series if that replaced another one', async () => {
    commit({ '0004-other.sql': '-- expands\ncreate table d ();' })
    replaceMigrations()
    const expected = commit()
    commit({ code: '1' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: [] })
  })

  it('is never from before the current series', async () => {
    replaceMigrations()
    const expected = commit()
    commit({ '0004-more.sql': '-- no-transaction\n-- expands\ncreate table d ();' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: ['0004-more.sql'] })
  })

  it('is the commit that changed a migration, because databases from before it cannot be upgraded', async () => {
    const expected = commit({ '0002-rules.sql': 'create table changed ();' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: [] })
  })

  it('is the commit with a migration that does more than expand the schema, because older services do not run on it', async () => {
    const expected = commit({ '0003-more.sql': 'drop table a; -- expands' })
    commit({ code: '1' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: expected, missingMigrations: [] })
  })

  it('is the first commit if there are no other migrations', async () => {
    commit({ code: '1' })
    assert.deepEqual(await findEarlierRelease(checkout), { commit: firstCommit, missingMigrations: [] })
  })

  it('does not exist while another series is not committed', async () => {
    replaceMigrations()
    await assert.rejects(findEarlierRelease(checkout), /commit them first/)
  })
})
