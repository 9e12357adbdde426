/**
 * Point-in-time recovery from a base backup and the WAL archive. After the recovery no service returns rows written
 * after that point.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { chownTo } from '@muster/demo-data/embedded-postgres'
import { openCleanup } from '../support/cluster/cleanup.ts'
import type { DatabaseFiles } from '../support/cluster/database.ts'
import { createDeploymentDatabase, runMuster } from '../support/cluster/database.ts'
import type { PostgresInstallation, PostgresServer } from '../support/cluster/postgres.ts'
import { openInstallation, startPrimary, startServer } from '../support/cluster/postgres.ts'
import { post, sendRequest } from '../support/http.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer as startProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait.ts'

describe('a backup', () => {
  const cleanup = openCleanup()
  let installation: PostgresInstallation
  let server: PostgresServer
  let files: DatabaseFiles
  let service: ServerProcess
  let walArchive: string
  let baseBackup: string
  let token: string

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
    cleanup.add(() => rm(folder, { recursive: true, force: true }))
    const serverFolder = await mkdtemp(join(tmpdir(), 'muster-pg-'))
    cleanup.add(() => rm(serverFolder, { recursive: true, force: true }))
    installation = await openInstallation(serverFolder)
    walArchive = join(installation.folder, 'archive')
    await mkdir(walArchive)
    await chownTo(walArchive, installation.account)
    server = await startPrimary(installation, [
      'archive_mode=on',
      `archive_command=test ! -f ${walArchive}/%f && cp %p ${walArchive}/.%f && mv ${walArchive}/.%f ${walArchive}/%f`,
    ])
    cleanup.add(() => server.stop())
    files = await createDeploymentDatabase(server, join(folder, 'secrets'))
    await runMuster(files, ['seed', '--size', 'small'])
    token = await files.readSecret('api_token')
    service = await startProcess({
      args: ['packages/server/bin/muster.js', 'serve'],
      env: { ...files.env, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
    cleanup.add(() => service.stop())
    baseBackup = join(installation.folder, 'base')
  })
  after(() => cleanup.clear())

  const createOrganization = async (slug: string): Promise<void> => {
    const { status, text } = await post(
      `${service.origin}/api/v1/organizations`,
      { name: 'Kept', slug },
      { authorization: `Bearer ${token}` },
    )
    assert.equal(status, 201, text)
  }
  const listOrganizations = (etag?: string) =>
    sendRequest(
      `${service.origin}/api/v1/organizations?limit=200`,
      etag === undefined ? {} : { headers: { 'if-none-match': etag } },
    )
  const readEtag = async (): Promise<string> => (await listOrganizations()).headers.get('etag') as string
  const getChanges = (query = '') => sendRequest(`${service.origin}/api/v1/changes${query}`)
  const readCursor = async (): Promise<string> => (await getChanges()).json.meta.next
  /** Exports every resource and returns the CSV text by file name. */
  const exportAll = async (): Promise<Record<string, string>> => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
    await runMuster(files, ['export', '--all', folder])
    const names = (await readdir(folder)).sort()
    const csvByFile = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    )
    await rm(folder, { recursive: true })
    return Object.fromEntries(csvByFile)
  }
  const countOrganizationLines = (csvByFile: Record<string, string>): number =>
    csvByFile['organizations.csv']?.split('\n').length ?? 0

  it('restores the rows of a point in time with correct row counts while the service keeps running', async () => {
    await createOrganization('before-the-backup')
    await server.execute('postgres', 'checkpoint')
    // Connects as the role of the standby, the only role that may replicate over the network.
    await installation.runTool('pg_basebackup', [
      `--dbname=${await files.readSecret('standby_url')}`,
      `--pgdata=${baseBackup}`,
      '--wal-method=none',
      '--checkpoint=fast',
      '--no-manifest',
    ])
    await createOrganization('after-the-backup')
    const rowsAtTarget = await exportAll()
    const etagAtTarget = await readEtag()
    const cursorAtTarget = await readCursor()
    const targetTime = await server.execute('postgres', 'select clock_timestamp()')

    await createOrganization('after-the-moment')
    const etagLater = await readEtag()
    const cursorLater = await readCursor()
    assert.equal((await listOrganizations(etagLater)).status, 304)
    await server.execute('muster', "delete from leave_requests; update employees set last_name = 'Oops'")
    const rowsLater = await exportAll()
    assert.notDeepEqual(rowsLater, rowsAtTarget)
    assert.equal(countOrganizationLines(rowsLater), countOrganizationLines(rowsAtTarget) + 1)
    const lastWalFile = await server.execute('postgres', 'select pg_walfile_name(pg_switch_wal())')
    await waitUntil('the last WAL file is archived', async () => (await readdir(walArchive)).includes(lastWalFile))
    await server.stop()

    await writeFile(join(baseBackup, 'recovery.signal'), '')
    await chownTo(join(baseBackup, 'recovery.signal'), installation.account)
    server = await startServer(installation, baseBackup, server.port, [
      `restore_command=cp ${walArchive}/%f %p`,
      `recovery_target_time=${targetTime}`,
      'recovery_target_action=promote',
      'archive_mode=off',
    ])
    await waitUntil(
      'the server is a primary',
      async () => (await server.execute('postgres', 'select pg_is_in_recovery()')) === 'f',
    )

    assert.deepEqual(await exportAll(), rowsAtTarget)
    // The client with this cursor has read a create that is lost.
    await waitUntil('the change feed is served', async () => (await getChanges(`?after=${cursorLater}`)).status !== 503)
    assert.equal((await getChanges(`?after=${cursorLater}`)).status, 410)
    const { status, json } = await getChanges(`?after=${cursorAtTarget}`)
    assert.deepEqual([status, json.data], [200, []])
    // The service takes the reset for a start of the server, whose recovery it has recorded before.
    await createOrganization('after-the-recovery')
    const cursorAfterRecovery = await readCursor()
    await server.execute('postgres', "select pg_stat_reset_shared('bgwriter')")
    await waitUntil(
      'the start is recorded',
      async () => (await server.execute('muster', 'select count(*) > 2 from muster_server_starts')) === 't',
    )
    assert.equal((await getChanges(`?after=${cursorAfterRecovery}`)).status, 200)
    await server.execute('muster', "delete from organizations where slug = 'after-the-recovery'")
    const doctorOutput = await runMuster(files, ['doctor', '--repair'])
    assert.match(doctorOutput, /The row counts were correct\. .*\n$/)
    assert.equal([...doctorOutput.matchAll(/off by 0\n/g)].length, Object.keys(rowsAtTarget).length)

    // The service was not restarted: the process from before the recovery handles the following requests.
    await waitUntil('the service responds 200 again', async () => (await listOrganizations()).status === 200)
    const listAfterRecovery = await listOrganizations(etagLater)
    assert.equal(listAfterRecovery.status, 200)
    assert.equal(listAfterRecovery.json.meta.total, countOrganizationLines(rowsAtTarget) - 2)
    // Without a new epoch, this create would give the table the same version as the create that recovery discarded.
    await createOrganization('another-in-its-place')
    const listAfterCreate = await listOrganizations(etagLater)
    assert.equal(listAfterCreate.status, 200)
    assert.ok(
      listAfterCreate.text.includes('another-in-its-place') && !listAfterCreate.text.includes('after-the-moment'),
    )
    assert.notEqual(await readEtag(), etagAtTarget)
  })
})
