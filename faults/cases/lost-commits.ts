/** A backend is killed and the server loses commits made with synchronous_commit = off: no version stands for two states. */
import pg from 'pg'
import { openClient } from '../client.ts'
import { crashBackend, withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import type { Held } from '../pages.ts'
import { differencesThrough, pages, pollAll } from '../pages.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { isReady, until } from '../wait.ts'

const name = 'select name from organizations where id = 1'

const lose = async (house: House, rounds: number, plant?: Plant): Promise<Outcome> => {
  // Only synchronous commits flush the write-ahead log in the meantime.
  const { url } = await house.cluster(['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'])
  const start = () => house.service({ databaseUrl: url, plant })
  const services = [await start(), await start()]
  const clients = services.map(({ origin }) => openClient(origin))
  const held = clients.map((): Held => new Map())
  const wrong: string[] = []
  let lost = 0
  for (let round = 0; round < rounds; round += 1) {
    const writer = new pg.Client({ connectionString: url })
    writer.on('error', () => {})
    await writer.connect()
    const pid: number = (await writer.query('select pg_backend_pid() as pid')).rows[0].pid
    await writer.query('set synchronous_commit = off')
    await writer.query('update organizations set name = $1', [`lost ${round}`])
    const polled = pages.filter(({ table }) => table === 'organizations')
    await pollAll(clients, held, polled)
    await crashBackend(url, pid)
    const after = await withClient(url, async (client): Promise<string> => (await client.query(name)).rows[0].name)
    if (after !== `lost ${round}`) lost += 1
    await withClient(url, (client) => client.query('update organizations set name = $1', [`kept ${round}`]))
    for (const client of clients) await until('the service is ready again', () => isReady(client))
    wrong.push(...(await differencesThrough(clients, held, url)))
  }
  for (const client of clients) client.close()
  return {
    ...nothing,
    fired: lost,
    stale: wrong.length,
    broken: unless([wrong.length === 0, 'nothing stale', wrong.slice(0, 3).join('; ')]),
    notes: [`${rounds} crashes, ${lost} of them lost a commit`],
  }
}

export const lostCommits: Fault = {
  name: 'lost-commits',
  run: (house) => lose(house, house.size(20, 4)),
  control: {
    about: 'an epoch without the reset time of statistics',
    breaks: 'nothing stale',
    run: (house) => lose(house, 3, plants.epochWithoutCrashes),
  },
}
