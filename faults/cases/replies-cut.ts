/** Replies that never arrive: the record is stored, whoever asked is not told, and the retry makes no second one. */
import { openClient } from '../client.ts'
import { markOf, repeatable } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import { randomNumbers } from '../random.ts'
import { openRelay } from '../relay.ts'
import { until } from '../wait.ts'
import { startWriters } from '../writers.ts'

/** One of so many replies is cut off. */
const oneOf = 8
const writerCount = 16

/** Where replies are cut, and how those are known that say that a record is stored. */
type Hop = 'client' | 'database'
const saysDone: Readonly<Record<Hop, (answer: Buffer, asked: Buffer) => boolean>> = {
  client: (answer) => answer.includes('HTTP/1.1 201'),
  // The statement is named so, and answers with the record, which the server sends after the commit.
  database: (answer, asked) => asked.includes('create ') && answer.includes(markOf('')),
}

interface Cuts {
  readonly hop: Hop
  readonly atLeast: number
  readonly keys: boolean
}

const withCuts = async (house: House, { hop, atLeast, keys }: Cuts): Promise<Outcome> => {
  const cluster = await house.cluster()
  const random = randomNumbers(house.seed)
  let cut = 0
  const relayTo = async (address: URL): Promise<void> => {
    const relay = await openRelay({
      to: Number(address.port),
      cuts(answer, asked) {
        const isCut = saysDone[hop](answer, asked) && random(oneOf) === 0
        if (isCut) cut += 1
        return isCut
      },
    })
    house.afterwards(() => relay.close())
    address.port = String(relay.port)
  }
  const database = new URL(cluster.url)
  if (hop === 'database') await relayTo(database)
  const service = new URL((await house.service({ databaseUrl: database.href })).origin)
  if (hop === 'client') await relayTo(service)

  const client = openClient(service.origin, writerCount)
  const history = openHistory()
  // Where a slug kept the second record out, there would be nothing for a key to do.
  const writers = startWriters({ client, history, count: writerCount, keys, among: repeatable })
  house.afterwards(() => writers.stop())
  await until(`${atLeast} replies were cut`, async () => cut >= atLeast, 120_000)
  await writers.stop()
  client.close()
  return judgeHistory(history, cluster.url, {
    fired: cut,
    besides: hop === 'client' ? ['503', 'none'] : ['503'],
    notes: [`${cut} replies cut`],
  })
}

const cutting = (name: string, hop: Hop): Fault => ({
  name,
  run: (house) => withCuts(house, { hop, atLeast: house.size(500, 60), keys: true }),
  control: {
    about: 'retries without keys',
    breaks: 'nothing twice',
    run: (house) => withCuts(house, { hop, atLeast: 20, keys: false }),
  },
})

export const repliesCut = cutting('replies-cut', 'client')
export const commitsCut = cutting('commits-cut', 'database')
