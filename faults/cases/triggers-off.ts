/** Rows are changed while triggers are off: services stop serving, and after a repair no response from before is used. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openClient } from '../client.ts'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { planting } from '../house.ts'
import type { Held } from '../pages.ts'
import { differencesThrough, pages, pollAll } from '../pages.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { isReady, until } from '../wait.ts'

/** Updates leave all counts right, so only the version shows them. The last way leaves no trace at all. */
const ways = [
  'alter table organizations disable trigger all; update organizations set name = $name; alter table organizations enable trigger all',
  'drop trigger muster_books_update on organizations; update organizations set name = $name',
  'alter table organizations disable trigger muster_books_update; update organizations set name = $name; alter table organizations enable always trigger muster_books_update',
]

const repair = (url: string, plant: Plant | undefined) =>
  promisify(execFile)(process.execPath, [...planting(plant), 'service/bin/muster.js', 'doctor', '--repair'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      ...(plant === undefined ? {} : { PLANTED: JSON.stringify(plant) }),
    },
  })

const turnOff = async (house: House, rounds: number, plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  const start = () => house.service({ databaseUrl: url })
  const services = [await start(), await start()]
  const clients = services.map(({ origin }) => openClient(origin))
  const held = clients.map((): Held => new Map())
  const wrong: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await pollAll(clients, held)
    const way = ways[round % ways.length] as string
    await withClient(url, (client) => client.query(way.replace('$name', `'unseen ${round}'`)))
    if (!way.includes('always'))
      for (const client of clients) await until('the service is not ready', async () => !(await isReady(client)))
    await repair(url, plant)
    for (const client of clients) await until('the service is ready again', () => isReady(client))
    wrong.push(...(await differencesThrough(clients, held, url)))
  }
  for (const client of clients) client.close()
  return {
    ...nothing,
    fired: rounds,
    stale: wrong.length,
    broken: unless([wrong.length === 0, 'nothing stale', wrong.slice(0, 3).join('; ')]),
    notes: [`${rounds} times, ${pages.length} pages compared through two services after each repair`],
  }
}

export const triggersOff: Fault = {
  name: 'triggers-off',
  run: (house) => turnOff(house, house.size(12, 3)),
  control: {
    about: 'a repair that keeps the epoch',
    breaks: 'nothing stale',
    run: (house) => turnOff(house, 1, plants.epochKept),
  },
}
