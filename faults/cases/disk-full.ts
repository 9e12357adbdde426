/** A full disk: creates are told to come back later, reads go on, and once there is room so do creates, without a restart. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { copyFolder } from '../cluster.ts'
import { markOf, readStored } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { unless } from '../fault.ts'
import type { History } from '../history.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { until } from '../wait.ts'

const run = promisify(execFile)
const megabyte = 1_048_576

/** Moves the tables onto a disk of their own with little room. The write-ahead log stays: without it no server runs. */
const crowd = async (house: House, cluster: Cluster): Promise<{ relieve(): Promise<unknown> }> => {
  await cluster.stop()
  const tables = join(cluster.folder, 'cluster', 'base')
  const away = join(cluster.folder, 'base-before')
  const { uid, gid } = await stat(tables)
  await rename(tables, away)
  await run('mkdir', ['--mode=700', tables])
  const { stdout } = await run('du', ['-sm', away])
  const size = (spare: number) => `size=${(Number.parseInt(stdout, 10) + spare) * megabyte}`
  await run('mount', ['-t', 'tmpfs', '-o', `${size(12)},mode=700,uid=${uid},gid=${gid}`, 'tmpfs', tables])
  house.afterwards(async () => {
    await cluster.kill()
    await run('umount', [tables])
  })
  await copyFolder(away, tables)
  await cluster.start()
  return { relieve: () => run('mount', ['-o', `remount,${size(64)}`, tables]) }
}

let made = 0

/** Sends one large record, and never again what was refused. */
const send = async (client: Client, history: History): Promise<number | undefined> => {
  made += 1
  const mark = markOf(`${made}-${randomBytes(9_000).toString('base64')}`)
  const start = performance.now()
  const answer = await client
    .ask('/api/v1/leave', { method: 'POST', body: { leave_type: 'annual', reason: mark } })
    .catch(() => undefined)
  const done = answer?.status === 201 ? { id: (JSON.parse(answer.text) as { id: number }).id } : {}
  history.attempted({ route: 'leave', mark, start, end: performance.now(), status: answer?.status, ...done })
  return answer?.status
}

const untilFull = async (house: House, plant?: Plant): Promise<Outcome> => {
  const cluster = await house.cluster()
  const { relieve } = await crowd(house, cluster)
  const { origin } = await house.service({ databaseUrl: cluster.url, plant })
  const client = openClient(origin)
  const history = openHistory()
  let refused = 0
  const fill = async (): Promise<void> => {
    while (refused < 100) if ((await send(client, history)) !== 201) refused += 1
  }
  await Promise.all([fill(), fill(), fill(), fill()])
  const reads = await Promise.all(
    Array.from({ length: 50 }, (_, number) => client.ask(`/api/v1/leave?limit=5&offset=${number}`)),
  )
  const readsRefused = reads.filter(({ status }) => status !== 200).length
  await relieve()
  const recoveryMs = await until('a create is acknowledged again', async () => (await send(client, history)) === 201)
  client.close()
  const stored = (await readStored(cluster.url)).length
  const outcome = await judgeHistory(history, cluster.url, {
    fired: refused,
    besides: ['503'],
    broken: unless([readsRefused === 0, 'answers', `${readsRefused} of ${reads.length} reads were refused`]),
    notes: [
      `${reads.length} reads while it was full; a create acknowledged ${Math.round(recoveryMs)} ms after there was room`,
    ],
  })
  const { acknowledged } = outcome
  return {
    ...outcome,
    broken: [
      ...outcome.broken,
      // What found no room was undone, so that nothing is left open here.
      ...unless([stored === acknowledged, 'nothing twice', `${acknowledged} acknowledged and ${stored} stored`]),
    ],
  }
}

export const diskFull: Fault = {
  name: 'disk-full',
  onlyLong: true,
  run: (house) => untilFull(house),
  control: {
    about: 'a lack of room taken for a wrong value',
    breaks: 'answers',
    run: (house) => untilFull(house, plants.lackTakenForRefusal),
  },
}
