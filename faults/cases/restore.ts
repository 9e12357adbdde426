/** Restores a dump while two services are polled: afterwards every page is what SQL finds, and no old ETag gives 304 for another page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresHome, PostgresServer } from '../../deploy/cluster/postgres.ts'
import { openHome, startPrimary } from '../../deploy/cluster/postgres.ts'
import { migrate } from '../../service/src/database/migrate.ts'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import type { Held } from '../pages.ts'
import { differencesThrough, pages, poll } from '../pages.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { baseRows } from '../rows.ts'
import { isReady, until } from '../wait.ts'

/** The ways to restore a dump: each has different intermediate states. */
type Way = (home: PostgresHome, door: readonly string[], dump: string) => Promise<unknown>

const ways: Readonly<Record<string, Way>> = {
  psql: async (home, door, dump) => {
    const script = `${dump}.sql`
    await home.tool('pg_restore', ['--clean', '--if-exists', `--file=${script}`, dump])
    await home.tool('psql', ['--quiet', '--set=ON_ERROR_STOP=1', ...door, `--file=${script}`])
  },
  jobs: (home, door, dump) => home.tool('pg_restore', ['--clean', '--if-exists', '--jobs=4', ...door, dump]),
  pg_restore: (home, door, dump) => home.tool('pg_restore', ['--clean', '--if-exists', ...door, dump]),
  'single transaction': (home, door, dump) =>
    home.tool('pg_restore', ['--clean', '--if-exists', '--single-transaction', ...door, dump]),
}

/** Rows of a table that is restored between the counts and the last resources: they prolong that phase. */
const rowsBetween = 100_000

interface Place {
  readonly home: PostgresHome
  readonly server: PostgresServer
  readonly url: string
}

/** The services use the role that owns the tables: other roles cannot read before the grants are restored, which is late. */
const makePlace = async (house: House): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-restore-'))
  house.afterwards(() => rm(folder, { recursive: true, force: true }))
  const home = await openHome(folder)
  const server = await startPrimary(home, ['fsync=off'])
  house.afterwards(() => server.stop())
  await server.execute('postgres', "create role restoring login password 'restoring'")
  await server.execute('postgres', 'create database muster owner restoring')
  const url = `postgres://restoring:restoring@127.0.0.1:${server.port}/muster`
  await migrate(url)
  await withClient(url, async (client) => {
    await baseRows(client)
    await client.query(
      `insert into muster_writes (route, outcome) select 'x', 'y' from generate_series(1, ${rowsBetween})`,
    )
  })
  return { home, server, url }
}

/** The same number of changes each time, with other values: a version that is reused would stand for another state. */
const change = (url: string, mark: string): Promise<unknown> =>
  withClient(url, async (client) => {
    await client.query('update organizations set name = $1 where id <= 15', [mark])
    await client.query('update recruitment_brands set name = $1 where id <= 15', [mark])
    await client.query('update departments set name = $1 where id <= 15', [mark])
  })

const restores = async (
  house: House,
  names: readonly string[],
  { before = '', plant }: { before?: string; plant?: Plant } = {},
): Promise<Outcome> => {
  const { home, server, url } = await makePlace(house)
  if (before !== '') await withClient(url, (client) => client.query(before))
  const door = [`--host=${home.folder}`, `--port=${server.port}`, '--username=postgres', '--dbname=muster']
  const dump = join(home.folder, 'dump')
  await home.tool('pg_dump', ['--format=custom', `--file=${dump}`, ...door])
  const start = () => house.service({ databaseUrl: url, plant })
  const services = [await start(), await start()]
  const clients = services.map(({ origin }) => openClient(origin))
  const held = clients.map((): Held => new Map())
  let polling = true
  let served = 0
  const keepPolling = async (client: Client, known: Held): Promise<void> => {
    while (polling) for (const page of pages) if ((await poll(client, page, known).catch(() => 0)) === 200) served += 1
  }
  const wrong: string[] = []
  let restored = 0
  for (const name of names) {
    await change(url, `changed before ${name}`)
    polling = true
    const pollers = clients.map((client, index) => keepPolling(client, held[index] as Held))
    await ways[name]?.(home, door, dump)
    restored += 1
    await Promise.all(clients.map((client) => until('the service is ready again', () => isReady(client))))
    polling = false
    await Promise.all(pollers)
    const compare = async (when: string): Promise<void> => {
      const found = await differencesThrough(clients, held, url)
      wrong.push(...found.map((each) => `${when} ${name}: ${each}`))
    }
    await compare('after')
    await change(url, `changed after ${name}`)
    await compare('after a change after')
  }
  for (const client of clients) client.close()
  return {
    ...nothing,
    fired: served === 0 ? 0 : restored,
    stale: wrong.length,
    broken: unless([wrong.length === 0, 'nothing stale', wrong.slice(0, 3).join('; ')]),
    notes: [
      `${restored} restores (${names.join(', ')}), ${served} pages sent meanwhile, ${pages.length} pages compared`,
    ],
  }
}

export const restore: Fault = {
  name: 'restore',
  run: (house) =>
    restores(
      house,
      house.isShort ? ['psql', 'jobs'] : [...Object.keys(ways), ...Object.keys(ways), ...Object.keys(ways)],
    ),
  control: {
    about: 'an epoch that is restored with the tables, and triggers unchecked',
    breaks: 'nothing stale',
    run: (house) =>
      restores(house, ['psql', 'psql'], {
        plant: plants.uncheckedTriggers,
        before: `drop materialized view muster_epoch; create table muster_epoch as select 'fixed'::text as epoch`,
      }),
  },
}
