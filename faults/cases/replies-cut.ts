/** Replies that never arrive: the record is stored, the client is not told, and its retry makes no second one. */
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '../client.ts'
import { repeatable } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import { randomNumbers } from '../random.ts'
import { openRelay } from '../relay.ts'
import { startWriters } from '../writers.ts'

/** One of so many acknowledgements is cut off. */
const oneOf = 8

const withCuts = async (house: House, cuts: number, keys: boolean): Promise<Outcome> => {
  const cluster = await house.cluster()
  const { origin } = await house.service({ databaseUrl: cluster.url })
  const random = randomNumbers(house.seed)
  let cut = 0
  const relay = await openRelay({
    to: Number(new URL(origin).port),
    cuts(piece) {
      // The service has said it: whatever it promises by that is stored.
      const isCut = piece.includes('HTTP/1.1 201') && random(oneOf) === 0
      if (isCut) cut += 1
      return isCut
    },
  })
  house.afterwards(() => relay.close())
  const client = openClient(`http://127.0.0.1:${relay.port}`, 16)
  const history = openHistory()
  // Where a slug kept the second record out, there would be nothing for a key to do.
  const writers = startWriters({ client, history, count: 16, keys, among: repeatable })
  while (cut < cuts) await pause(20)
  await writers.stop()
  client.close()
  return judgeHistory(history, cluster.url, { fired: cut, besides: ['503', 'none'], notes: [`${cut} replies cut`] })
}

export const repliesCut: Fault = {
  name: 'replies-cut',
  run: (house) => withCuts(house, house.size(500, 60), true),
  control: {
    about: 'retries without keys',
    breaks: 'nothing twice',
    run: (house) => withCuts(house, house.size(60, 20), false),
  },
}
