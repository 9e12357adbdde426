/** A long time at work: memory does not grow with it, and afterwards descriptors and sessions are as many as before. */
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from '../client.ts'
import { openClient } from '../client.ts'
import { withClient } from '../cluster.ts'
import { creates, markOf } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import { percentile, rateOf, schedule } from '../load.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { until } from '../wait.ts'

const share = 0.6
/** Growth between the second quarter of the time and the last that is still the noise of a collector. */
const noiseMb = 24
const samplesPerMinute = 60

let turn = 0

/** Nine reads of all kinds, and a create; two of three clients accept compressed responses. */
const work = (client: Client): Promise<Answer> => {
  turn += 1
  const { route, body } = creates[turn % creates.length] as (typeof creates)[number]
  const headers = { 'accept-encoding': ['br', 'gzip', 'identity'][turn % 3] as string }
  switch (turn % 10) {
    case 0:
      return client.ask(`/api/v1/${route}`, { method: 'POST', body: body(markOf(`soak-${turn}`)) })
    case 1:
    case 2:
      return client.ask(`/api/v1/${route}?q=${turn}`, { headers })
    case 3:
    case 4:
      return client.ask(`/api/v1/${route}?limit=20&offset=${turn % 1_000}`, { headers })
    case 5:
      return client.ask(`/api/v1/${route}/${1 + (turn % 20)}`, { headers })
    default:
      return client.ask(`/api/v1/${route}?limit=20`, { headers })
  }
}

/** Least squares, per hour. */
const slope = (samples: readonly number[]): number => {
  const middle = (samples.length - 1) / 2
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length
  const covariance = samples.reduce((sum, each, index) => sum + (index - middle) * (each - mean), 0)
  const variance = samples.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  return (covariance / variance) * samplesPerMinute * 60
}

const meanOf = (samples: readonly number[], from: number, to: number): number => {
  const part = samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
  return part.reduce((sum, each) => sum + each, 0) / part.length
}

const tenthsOf = (samples: readonly number[]): string =>
  Array.from({ length: 10 }, (_, tenth) => meanOf(samples, tenth / 10, (tenth + 1) / 10).toFixed(0)).join(', ')

const soaked = async (house: House, minutes: number, plant?: Plant): Promise<Outcome> => {
  const { url } = await house.cluster()
  // A small memory for answers is full soon, and grows no more.
  const service = await house.service({ databaseUrl: url, plant, env: { MUSTER_CACHE_MB: '8' } })
  const client = openClient(service.origin)
  const sessions = () =>
    withClient(url, async (database) => {
      const { rows } = await database.query(
        `select count(*)::int as sessions from pg_stat_activity where application_name like 'muster%'`,
      )
      return rows[0].sessions as number
    })
  const files = async () => (await readdir(`/proc/${service.pid}/fd`)).length
  // Opens every connection the service will ever want.
  const peak = await rateOf(64, 5, () => work(client))
  client.close()
  await pause(1_000)
  const before = { sessions: await sessions(), files: await files() }

  const load = openClient(service.origin)
  const memory: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      memory.push(await service.memory())
      await pause(60_000 / samplesPerMinute)
    }
  })()
  const counts = { done: 0, other: 0, slowestMs: 0 }
  // In slices, so that the answers of half an hour need not be kept.
  for (let slice = 0; slice < minutes * 12; slice += 1) {
    const answers = await schedule(peak * share, 5, () => work(load))
    for (const { status } of answers) {
      if (status === 200 || status === 201) counts.done += 1
      else counts.other += 1
    }
    counts.slowestMs = Math.max(counts.slowestMs, percentile(answers, 1))
  }
  isOver = true
  await watching
  load.close()
  const isLevel = async () => (await files()) <= before.files && (await sessions()) <= before.sessions
  const level = await until('descriptors and sessions are back', isLevel, 120_000).then(
    () => true,
    () => false,
  )
  const after = { sessions: await sessions(), files: await files() }
  const grownMb = meanOf(memory, 0.75, 1) - meanOf(memory, 0.25, 0.5)
  return {
    ...nothing,
    fired: counts.done + counts.other,
    acknowledged: counts.done,
    slowestMs: counts.slowestMs,
    broken: unless(
      [level, 'level', `before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`],
      [grownMb < noiseMb, 'level', `memory grew by ${grownMb.toFixed(1)} MB from the second quarter to the last`],
      [counts.other === 0, 'answers', `${counts.other} answers were neither 200 nor 201`],
    ),
    notes: [
      `${minutes} minutes at ${Math.round(peak * share)} requests a second, ${Math.round(share * 100)} % of the peak`,
      `memory ${meanOf(memory, 0.25, 0.5).toFixed(0)} MB, then ${meanOf(memory, 0.75, 1).toFixed(0)} MB; slope of the last three quarters ${slope(memory.slice(memory.length / 4)).toFixed(1)} MB an hour`,
      `memory in MB by tenths of the time: ${tenthsOf(memory)}`,
      `before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`,
    ],
  }
}

export const soak: Fault = {
  name: 'soak',
  onlyByName: true,
  run: (house) => soaked(house, house.minutes),
  control: {
    about: 'something kept of every request',
    breaks: 'level',
    run: (house) => soaked(house, 1, plants.leak),
  },
}
