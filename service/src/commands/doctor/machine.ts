/** In charge of the checks of the machines: whether two clocks agree, and whether the database has room to grow. */
import { statfs } from 'node:fs/promises'
import { connected, isLocal, ok, wrong } from './finding.ts'

const mostSkewMs = 2_000

export const clock = connected('clock', async (client) => {
  const before = Date.now()
  const { rows } = await client.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now')
  const after = Date.now()
  const skewMs = Math.round(Number(rows[0]?.now) - (before + after) / 2)
  const told = Math.abs(skewMs) < 1000 ? `${Math.abs(skewMs)} ms` : `${(Math.abs(skewMs) / 1000).toFixed(1)} s`
  if (Math.abs(skewMs) <= mostSkewMs + (after - before) / 2)
    return ok(`The clocks of the database and of this machine are ${told} apart.`)
  return wrong(
    `The clock of the database is ${told} ${skewMs > 0 ? 'ahead of' : 'behind'} that of this machine.`,
    'sudo timedatectl set-ntp true',
  )
})

const leastFreeBytes = 1024 ** 3
const leastFreeShare = 0.05

export const disk = connected('disk', async (client, { databaseUrl = '' }) => {
  const { rows } = await client.query<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  )
  const folder = rows[0]?.folder
  const here = isLocal(databaseUrl) && folder !== undefined
  const room = here ? await statfs(folder).catch(() => undefined) : undefined
  if (room === undefined || folder === undefined)
    return { verdict: 'unknown', sentence: 'The free space where the database lies cannot be seen from here.' }
  const free = room.bavail * room.bsize
  const share = room.bavail / Math.max(1, room.blocks)
  const told = `${(free / 1024 ** 3).toFixed(1)} GiB (${Math.round(share * 100)} %) free where the database lies`
  return free < leastFreeBytes || share < leastFreeShare
    ? wrong(`Only ${told}: make room, or give it a larger disk.`, `df -h ${folder}`)
    : ok(`${told}.`)
})
