/** Overload: three times the searches the service can do; it does what it can, says no at once to the rest, and other reads go on. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from '../client.ts'
import { openClient } from '../client.ts'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { percentile, rateOf, schedule } from '../load.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'

/** A client that waits no longer: what comes later is of no use. */
const patienceMs = 1_000
const longestRefusalMs = 600
const longestPlainMs = 500

let searches = 0

/** Every search is another one, and its words are too short for an index: each costs a walk through the table. */
const search = (client: Client): Promise<Answer> => {
  searches += 1
  const words = [searches % 16, (searches >> 4) % 16, (searches >> 8) % 16].map((digit) => `${digit.toString(16)}e`)
  return client.ask(`/api/v1/candidates?limit=1&q=${words.join('+')}+${(searches >> 12).toString(16)}`)
}

const isUseful = ({ status, ms }: Answer): boolean => status === 200 && ms <= patienceMs

const overloaded = async (house: House, plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  await withClient(url, (client) =>
    client.query(
      `insert into candidates (status, first_name, notes)
       select 'active', md5(n::text), md5(random()::text) || md5(random()::text) from generate_series(1, 60000) n`,
    ),
  )
  const { origin } = await house.service({ databaseUrl: url, plant })
  const client = openClient(origin, Number.POSITIVE_INFINITY)
  const seconds = house.size(30, 10)
  await rateOf(8, 2, () => search(client))
  const peak = await rateOf(8, house.size(8, 4), () => search(client), isUseful)

  const plain: Answer[] = []
  const health: Answer[] = []
  let isOver = false
  const probe = async (path: string, into: Answer[]): Promise<void> => {
    while (!isOver) {
      into.push(await client.ask(path))
      await pause(50)
    }
  }
  const probing = [probe('/api/v1/leave?limit=20', plain), probe('/api/v1/health', health)]
  const answers = await schedule(3 * peak, seconds, () => search(client))
  isOver = true
  await Promise.all(probing)
  const useful = answers.filter(isUseful).length / seconds
  const refused = answers.filter(({ status }) => status === 503)
  const others = answers.filter(({ status }) => status !== 200 && status !== 503)
  const refusal = percentile(refused, 1)

  const crowd = openClient(origin, 200)
  let honest = 0
  let honestRefused = 0
  await rateOf(200, house.size(10, 4), async () => {
    const answer = await crowd.ask('/api/v1/leave?limit=20')
    honest += 1
    if (answer.status !== 200) honestRefused += 1
    return answer
  })
  crowd.close()
  client.close()
  const slowPlain = [...plain, ...health].filter(({ status, ms }) => status !== 200 || ms > longestPlainMs).length
  return {
    ...nothing,
    fired: refused.length + answers.filter((answer) => answer.status === 200 && !isUseful(answer)).length,
    acknowledged: Math.round(useful * seconds),
    slowestMs: percentile(answers, 1),
    broken: unless(
      [
        useful >= 0.8 * peak,
        'in time',
        `${useful.toFixed(1)} useful answers a second of ${peak.toFixed(1)} at the peak`,
      ],
      [refusal <= longestRefusalMs, 'answers', `a refusal took ${Math.round(refusal)} ms`],
      [others.length === 0, 'answers', `${others.length} answers were neither 200 nor 503`],
      [slowPlain === 0, 'answers', `${slowPlain} plain lists and health checks took over ${longestPlainMs} ms`],
      [honestRefused === 0, 'answers', `${honestRefused} of ${honest} plain lists of a crowd were refused`],
    ),
    notes: [
      `peak ${peak.toFixed(1)}/s, offered ${(answers.length / seconds).toFixed(1)}/s, useful ${useful.toFixed(1)}/s (${Math.round((100 * useful) / peak)} %)`,
      `refused ${refused.length}: p50 ${Math.round(percentile(refused, 0.5))} ms, p99 ${Math.round(percentile(refused, 0.99))} ms, slowest ${Math.round(refusal)} ms`,
      `plain lists p99 ${Math.round(percentile(plain, 0.99))} ms, health p99 ${Math.round(percentile(health, 0.99))} ms; a crowd of 200: ${honestRefused} of ${honest} refused`,
    ],
  }
}

export const overload: Fault = {
  name: 'overload',
  onlyLong: true,
  run: (house) => overloaded(house),
  control: {
    about: 'no bound on the wait for a connection',
    breaks: 'in time',
    run: (house) => overloaded(house, plants.endlessWait),
  },
}
