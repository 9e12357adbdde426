/**
 * Restores a dump while clients poll two services. Afterwards every page equals the SQL result, no older ETag gets
 * 304 for a page that has changed, and every older cursor of the change feed gets 410.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../../packages/server/src/postgres/schema/migrate.ts'
import type { Mutation } from '../../mutations/mutation.ts'
import { insertBaseRows } from '../../support/base-rows.ts'
import type { PostgresInstallation, PostgresServer } from '../../support/cluster/postgres.ts'
import { openInstallation, startPrimary } from '../../support/cluster/postgres.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { isReady, openClient } from '../client.ts'
import { readCursor, statusOfCursor } from '../cursors.ts'
import type { Environment } from '../environment.ts'
import { mutations } from '../mutations.ts'
import type { ClientCache } from '../pages.ts'
import { compareAllServices, pages, pollPage } from '../pages.ts'

/** Restores a dump. While they run, the methods leave the database in different intermediate states. */
type RestoreMethod = (
  installation: PostgresInstallation,
  connectionArguments: readonly string[],
  dumpFile: string,
) => Promise<unknown>

const restoreMethods: Readonly<Record<string, RestoreMethod>> = {
  psql: async (installation, connectionArguments, dumpFile) => {
    const sqlFile = `${dumpFile}.sql`
    await installation.runTool('pg_restore', ['--clean', '--if-exists', `--file=${sqlFile}`, dumpFile])
    await installation.runTool('psql', [
      '--quiet',
      '--set=ON_ERROR_STOP=1',
      ...connectionArguments,
      `--file=${sqlFile}`,
    ])
  },
  jobs: (installation, connectionArguments, dumpFile) =>
    installation.runTool('pg_restore', ['--clean', '--if-exists', '--jobs=4', ...connectionArguments, dumpFile]),
  pg_restore: (installation, connectionArguments, dumpFile) =>
    installation.runTool('pg_restore', ['--clean', '--if-exists', ...connectionArguments, dumpFile]),
  'single transaction': (installation, connectionArguments, dumpFile) =>
    installation.runTool('pg_restore', [
      '--clean',
      '--if-exists',
      '--single-transaction',
      ...connectionArguments,
      dumpFile,
    ]),
}

/**
 * Number of rows in a filler table. pg_restore loads tables by name, so this one prolongs the phase between
 * muster_table_versions and organizations.
 */
const fillerRowCount = 100_000

interface RestoreDatabase {
  readonly installation: PostgresInstallation
  readonly server: PostgresServer
  readonly url: string
}

/** The services connect as the owner of the tables, because pg_restore restores the grants of other roles last. */
const makeDatabase = async (environment: Environment): Promise<RestoreDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-restore-'))
  environment.addCleanup(() => rm(folder, { recursive: true, force: true }))
  const installation = await openInstallation(folder)
  const server = await startPrimary(installation, ['fsync=off'])
  environment.addCleanup(() => server.stop())
  await server.execute('postgres', "create role restoring login password 'restoring'")
  await server.execute('postgres', 'create database muster owner restoring')
  const url = `postgres://restoring:restoring@127.0.0.1:${server.port}/muster`
  await migrate(url)
  await withClient(url, async (client) => {
    await insertBaseRows(client)
    await client.query(
      `create table muster_z_filler as select n, repeat('x', 50) as filler from generate_series(1, ${fillerRowCount}) n`,
    )
  })
  return { installation, server, url }
}

/**
 * Makes the same number of changes each time with different values, so a table version that is used twice would stand
 * for different data.
 */
const changeRows = (url: string, marker: string): Promise<unknown> =>
  withClient(url, async (client) => {
    await client.query('update organizations set name = $1 where id <= 15', [marker])
    await client.query('update recruitment_brands set name = $1 where id <= 15', [marker])
    await client.query('update departments set name = $1 where id <= 15', [marker])
  })

interface RestoreOptions {
  readonly setupSql?: string
  readonly mutation?: Mutation
  /** Ends after the first restore that leads to a stale read. */
  readonly untilStale?: boolean
}

const restoreRepeatedly = async (
  environment: Environment,
  methodNames: readonly string[],
  { setupSql = '', mutation, untilStale = false }: RestoreOptions = {},
): Promise<Outcome> => {
  const { installation, server, url } = await makeDatabase(environment)
  if (setupSql !== '') await withClient(url, (client) => client.query(setupSql))
  const connection = [
    `--host=${installation.folder}`,
    `--port=${server.port}`,
    '--username=postgres',
    '--dbname=muster',
  ]
  const dump = join(installation.folder, 'dump')
  await installation.runTool('pg_dump', ['--format=custom', `--file=${dump}`, ...connection])
  const startService = () => environment.service({ databaseUrl: url, mutation })
  const services = [await startService(), await startService()]
  const clients = services.map(({ origin }) => openClient(origin))
  const caches = clients.map((): ClientCache => new Map())
  let isPolling = true
  let servedPageCount = 0
  const keepPolling = async (client: Client, cache: ClientCache): Promise<void> => {
    while (isPolling)
      for (const page of pages) if ((await pollPage(client, page, cache).catch(() => 0)) === 200) servedPageCount += 1
  }
  const differences: string[] = []
  const cursors: string[] = []
  let restoreCount = 0
  for (const name of methodNames) {
    await changeRows(url, `changed before ${name}`)
    for (const client of clients) cursors.push(await readCursor(client))
    isPolling = true
    const pollers = clients.map((client, index) => keepPolling(client, caches[index] as ClientCache))
    await restoreMethods[name]?.(installation, connection, dump)
    restoreCount += 1
    await Promise.all(clients.map((client) => waitUntil('the service is ready again', () => isReady(client))))
    isPolling = false
    await Promise.all(pollers)
    const comparePages = async (stage: string): Promise<void> => {
      const newDifferences = await compareAllServices(clients, caches, url)
      differences.push(...newDifferences.map((difference) => `${stage} ${name}: ${difference}`))
    }
    await comparePages('after')
    for (const client of clients)
      for (const cursor of cursors) {
        const status = await statusOfCursor(client, cursor)
        if (status !== 410) differences.push(`after ${name}: the cursor ${cursor} got ${status}`)
      }
    await changeRows(url, `changed after ${name}`)
    await comparePages('after a change after')
    if (untilStale && differences.length > 0) break
  }
  for (const client of clients) client.close()
  return {
    ...emptyOutcome,
    faultCount: servedPageCount === 0 ? 0 : restoreCount,
    staleCount: differences.length,
    violations: failedChecks([differences.length === 0, 'no stale reads', differences.slice(0, 3).join('; ')]),
    notes: [
      `${restoreCount} restores (${methodNames.slice(0, restoreCount).join(', ')}), ${servedPageCount} pages sent meanwhile, ${pages.length} pages and ${cursors.length} cursors checked`,
    ],
  }
}

export const restore: ChaosCase = {
  name: 'restore',
  run: (environment) =>
    restoreRepeatedly(
      environment,
      environment.isShort
        ? ['psql', 'jobs']
        : [...Object.keys(restoreMethods), ...Object.keys(restoreMethods), ...Object.keys(restoreMethods)],
    ),
  control: {
    description: 'an epoch that is restored with the tables, and triggers unchecked',
    brokenGuarantee: 'no stale reads',
    run: (environment) =>
      // On a busy machine most restores pass the state that is missing here between two requests for the same page.
      restoreRepeatedly(environment, Array<string>(12).fill('psql'), {
        untilStale: true,
        mutation: mutations.uncheckedTriggers,
        setupSql: `drop materialized view muster_epoch; create table muster_epoch as select 'fixed'::text as epoch`,
      }),
  },
}
