/**
 * Backups and restores with pgBackRest and deploy/patroni/pgbackrest.conf. After a point-in-time recovery no service
 * returns rows written after that point.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listedResources } from '@muster/model'
import { openCleanup } from '../support/cluster/cleanup.ts'
import type { DatabaseFiles } from '../support/cluster/database.ts'
import { createDeploymentDatabase, runMuster } from '../support/cluster/database.ts'
import { runPgbackrest, writePgbackrestConfig } from '../support/cluster/pgbackrest.ts'
import type { PostgresInstallation, PostgresServer } from '../support/cluster/postgres.ts'
import { openInstallation, startPrimary, startServer } from '../support/cluster/postgres.ts'
import { post, sendRequest } from '../support/http.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer as startProcess } from '../support/server-process.ts'
import { stablePort } from '../support/stable-port.ts'
import { waitUntil } from '../support/wait.ts'

describe('a backup', () => {
  const cleanup = openCleanup()
  let installation: PostgresInstallation
  let server: PostgresServer
  let files: DatabaseFiles
  let service: ServerProcess
  let backupConfig: string
  let token: string

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
    cleanup.add(() => rm(folder, { recursive: true, force: true }))
    const serverFolder = await mkdtemp(join(tmpdir(), 'muster-pg-'))
    cleanup.add(() => rm(serverFolder, { recursive: true, force: true }))
    installation = await openInstallation(serverFolder)
    // The server retries the command until the file exists.
    const archiveCommand = `pgbackrest --config=${join(installation.folder, 'pgbackrest.conf')} --stanza=muster archive-push %p`
    server = await startPrimary(installation, ['archive_mode=on', `archive_command=${archiveCommand}`])
    cleanup.add(() => server.stop())
    backupConfig = await writePgbackrestConfig(installation, installation.folder, {
      dataFolder: server.folder,
      port: server.port,
    })
    await pgbackrest('stanza-create')
    files = await createDeploymentDatabase(server, join(folder, 'secrets'))
    await runMuster(files, ['seed', '--size', 'small'])
    token = await files.readSecret('api_token')
    service = await startProcess({
      args: ['packages/server/bin/muster.js', 'serve'],
      env: { ...files.env, MUSTER_LOG_LEVEL: 'error' },
      readyPath: '/readyz',
    })
    cleanup.add(() => service.stop())
  })
  after(() => cleanup.clear())

  const pgbackrest = (...args: readonly string[]) => runPgbackrest(installation, backupConfig, args)
  const waitUntilPrimary = (restored: PostgresServer) =>
    waitUntil(
      'the server is a primary',
      async () => (await restored.execute('postgres', 'select pg_is_in_recovery()')) === 'f',
    )
  /** All columns of all rows, by table. */
  const readTables = async ({ execute }: PostgresServer): Promise<Record<string, string>> => {
    const rowsByTable: Record<string, string> = {}
    for (const { table } of listedResources)
      rowsByTable[table] = await execute('muster', `copy (select * from ${table} order by id) to stdout`)
    return rowsByTable
  }

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
    const textByFile = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    )
    await rm(folder, { recursive: true })
    return Object.fromEntries(textByFile)
  }
  const countOrganizationLines = (csvByFile: Record<string, string>): number =>
    csvByFile['organizations.csv']?.split('\n').length ?? 0

  it('restores a full and an incremental backup with equal rows', async () => {
    await createOrganization('before-the-full-backup')
    const rowsByType = { full: await readTables(server), incr: {} }
    await pgbackrest('--type=full', 'backup')
    await createOrganization('before-the-incremental-backup')
    rowsByType.incr = await readTables(server)
    await pgbackrest('--type=incr', 'backup')
    await createOrganization('after-both-backups')
    const [stanza] = JSON.parse(await pgbackrest('--output=json', 'info')) as [
      { backup: { label: string; type: 'full' | 'incr' }[] },
    ]
    assert.deepEqual(
      stanza.backup.map(({ type }) => type),
      ['full', 'incr'],
    )
    for (const { label, type } of stanza.backup) {
      const folder = join(installation.folder, `restored-${type}`)
      // The state at the end of the backup, without later WAL.
      await pgbackrest(
        `--pg1-path=${folder}`,
        `--set=${label}`,
        '--type=immediate',
        '--target-action=promote',
        'restore',
      )
      const restored = await startServer(installation, folder, await stablePort(), ['archive_mode=off'])
      try {
        await waitUntilPrimary(restored)
        assert.deepEqual(await readTables(restored), rowsByType[type])
      } finally {
        await restored.stop()
      }
    }
    assert.notDeepEqual(rowsByType.incr, rowsByType.full)
  })

  it('restores the rows of a point in time with correct row counts while the service keeps running', async () => {
    await createOrganization('before-the-backup')
    await pgbackrest('--type=incr', 'backup')
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
    await waitUntil(
      'the last WAL file is archived',
      async () =>
        (await server.execute('postgres', `select last_archived_wal >= '${lastWalFile}' from pg_stat_archiver`)) ===
        't',
    )
    await server.stop()

    await pgbackrest('--delta', '--type=time', `--target=${targetTime}`, '--target-action=promote', 'restore')
    server = await startServer(installation, server.folder, server.port, ['archive_mode=off'])
    await waitUntilPrimary(server)

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
    assert.equal([...doctorOutput.matchAll(/off by 0\n/g)].length, listedResources.length)

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
