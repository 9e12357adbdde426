/** Back up and restore: a base backup and the archive bring back every row of one moment, and no service serves what came after it. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ServerProcess } from '../../bench/child-server.ts'
import { startServer as startProcess } from '../../bench/child-server.ts'
import { until } from '../../faults/wait.ts'
import { give } from '../../scripts/embedded-postgres.ts'
import { ask, post } from '../../service/test/support/http.ts'
import type { DatabaseFiles } from '../cluster/database.ts'
import { makeDatabase, muster } from '../cluster/database.ts'
import { openDuties } from '../cluster/duties.ts'
import type { PostgresHome, PostgresServer } from '../cluster/postgres.ts'
import { openHome, startPrimary, startServer } from '../cluster/postgres.ts'

describe('a backup', () => {
  const duties = openDuties()
  let home: PostgresHome
  let server: PostgresServer
  let files: DatabaseFiles
  let service: ServerProcess
  let archive: string
  let base: string
  let token: string

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
    duties.add(() => rm(folder, { recursive: true, force: true }))
    const place = await mkdtemp(join(tmpdir(), 'muster-pg-'))
    duties.add(() => rm(place, { recursive: true, force: true }))
    home = await openHome(place)
    archive = join(home.folder, 'archive')
    await mkdir(archive)
    await give(archive, home.account)
    server = await startPrimary(home, [
      'archive_mode=on',
      `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`,
    ])
    duties.add(() => server.stop())
    files = await makeDatabase(server, join(folder, 'secrets'))
    await muster(files, ['seed', '--size', 'small'])
    token = await files.read('api_token')
    service = await startProcess({
      args: ['service/bin/muster.js', 'serve'],
      env: { ...files.env, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
    duties.add(() => service.stop())
    base = join(home.folder, 'base')
  })
  after(() => duties.clear())

  const create = async (slug: string): Promise<void> => {
    const { status, text } = await post(
      `${service.origin}/api/v1/organizations`,
      { name: 'Kept', slug },
      { authorization: `Bearer ${token}` },
    )
    assert.equal(status, 201, text)
  }
  const list = (tag?: string) =>
    ask(
      `${service.origin}/api/v1/organizations?limit=200`,
      tag === undefined ? {} : { headers: { 'if-none-match': tag } },
    )
  const tagOf = async (): Promise<string> => (await list()).headers.get('etag') as string
  /** Every row of every resource, as text. */
  const everything = async (): Promise<Record<string, string>> => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
    await muster(files, ['export', '--all', folder])
    const names = (await readdir(folder)).sort()
    const texts = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    )
    await rm(folder, { recursive: true })
    return Object.fromEntries(texts)
  }
  const rowsIn = (texts: Record<string, string>): number => texts['organizations.csv']?.split('\n').length ?? 0

  it('brings back what was there at a moment, with books that agree, to a service that runs', async () => {
    await create('before-the-backup')
    await server.execute('postgres', 'checkpoint')
    // As the role of the standby, the only one that may copy a server over the network.
    await home.tool('pg_basebackup', [
      `--dbname=${await files.read('standby_url')}`,
      `--pgdata=${base}`,
      '--wal-method=none',
      '--checkpoint=fast',
      '--no-manifest',
    ])
    await create('after-the-backup')
    const then = await everything()
    const tagThen = await tagOf()
    const moment = await server.execute('postgres', 'select clock_timestamp()')

    await create('after-the-moment')
    const tagLater = await tagOf()
    assert.equal((await list(tagLater)).status, 304)
    await server.execute('muster', "delete from leave_requests; update employees set last_name = 'Oops'")
    const later = await everything()
    assert.notDeepEqual(later, then)
    assert.equal(rowsIn(later), rowsIn(then) + 1)
    const last = await server.execute('postgres', 'select pg_walfile_name(pg_switch_wal())')
    await until('the last of it is archived', async () => (await readdir(archive)).includes(last))
    await server.stop()

    await writeFile(join(base, 'recovery.signal'), '')
    await give(join(base, 'recovery.signal'), home.account)
    server = await startServer(home, base, server.port, [
      `restore_command=cp ${archive}/%f %p`,
      `recovery_target_time=${moment}`,
      'recovery_target_action=promote',
      'archive_mode=off',
    ])
    await until('it is a primary', async () => (await server.execute('postgres', 'select pg_is_in_recovery()')) === 'f')

    assert.deepEqual(await everything(), then)
    const repaired = await muster(files, ['doctor', '--repair'])
    assert.match(repaired, /The row counts were right\. .*\n$/)
    assert.equal([...repaired.matchAll(/off by 0\n/g)].length, Object.keys(then).length)

    // The service was told nothing of all this.
    await until('it serves again', async () => (await list()).status === 200)
    const restored = await list(tagLater)
    assert.equal(restored.status, 200)
    assert.equal(restored.json.meta.total, rowsIn(then) - 2)
    // As many changes as there were in the time that never happened: the same count, and another version.
    await create('another-in-its-place')
    const other = await list(tagLater)
    assert.equal(other.status, 200)
    assert.ok(other.text.includes('another-in-its-place') && !other.text.includes('after-the-moment'))
    assert.notEqual(await tagOf(), tagThen)
  })
})
