/** Freshness across processes: a read that starts after a write has ended shows it, whichever process is asked. */
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'

interface Page {
  readonly meta: { readonly total: number }
}

const json = async <T>(client: Client, path: string): Promise<T> => {
  const { status, text } = await client.ask(`/api/v1/${path}`)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return JSON.parse(text) as T
}

const freshness = async (house: House, rounds: number, plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  const processes = await Promise.all([1, 2].map(() => house.service({ databaseUrl: url, plant })))
  const clients = processes.map(({ origin }) => openClient(origin))
  const pairs = { id: 0, list: 0, filter: 0, q: 0 }
  const stale: string[] = []
  const compare = (kind: keyof typeof pairs, shown: boolean, mark: string): void => {
    pairs[kind] += 1
    if (!shown) stale.push(`${kind} of ${mark}`)
  }
  let done = 0
  const started = performance.now()
  const work = async (): Promise<void> =>
    withClient(url, async (database) => {
      while (done < rounds) {
        done += 1
        const mark = `mark-${done}-x`
        // In turns: each process is sometimes the one that wrote and sometimes the other.
        const [writer, reader] = (done % 2 === 0 ? clients : clients.toReversed()) as [Client, Client]
        const before = await json<Page>(reader, 'organizations?limit=1')
        // Asked before the write too, and twice, so that there is an answer in memory that is about to be old.
        for (const narrowing of [`slug=${mark}`, `q=${mark}`, `slug=${mark}`, `q=${mark}`])
          await json(reader, `organizations?${narrowing}`)
        const created = await writer.ask('/api/v1/organizations', {
          method: 'POST',
          body: { name: 'Fresh', slug: mark },
        })
        if (created.status !== 201) throw new Error(`a create answered ${created.status}`)
        const { id } = JSON.parse(created.text) as { id: number }
        compare('list', (await json<Page>(reader, 'organizations?limit=1')).meta.total > before.meta.total, mark)
        compare('filter', (await json<Page>(reader, `organizations?slug=${mark}`)).meta.total === 1, mark)
        compare('q', (await json<Page>(reader, `organizations?q=${mark}`)).meta.total === 1, mark)
        for (const client of [...clients, ...clients]) await json(client, `organizations/${id}`)
        await database.query('update organizations set name = $1 where id = $2', [mark, id])
        for (const client of clients)
          compare('id', (await json<{ name: string }>(client, `organizations/${id}`)).name === mark, mark)
      }
    })
  await Promise.all([1, 2, 3, 4].map(work))
  for (const client of clients) client.close()
  const figures = Object.entries(pairs).map(([kind, count]) => `${count} by ${kind}`)
  return {
    ...nothing,
    fired: Object.values(pairs).reduce((sum, count) => sum + count, 0),
    acknowledged: done,
    stale: stale.length,
    broken: unless([stale.length === 0, 'nothing stale', stale.slice(0, 3).join(', ')]),
    notes: [`${figures.join(', ')} in ${((performance.now() - started) / 1_000).toFixed(1)} s`],
  }
}

export const freshAcrossProcesses: Fault = {
  name: 'fresh',
  run: (house) => freshness(house, house.size(2_000, 250)),
  control: {
    about: 'answers from memory unchecked',
    breaks: 'nothing stale',
    run: (house) => freshness(house, 50, plants.uncheckedAnswers),
  },
}
