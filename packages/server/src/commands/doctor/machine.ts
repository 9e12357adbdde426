import { statfs } from 'node:fs/promises'
import { databaseCheck, isLocalUrl, ok, wrong } from './finding.ts'

const maxSkewMs = 2_000

export const clockCheck = databaseCheck('clock', async (client) => {
  const startedAt = Date.now()
  const { rows } = await client.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now')
  const endedAt = Date.now()
  const skewMs = Math.round(Number(rows[0]?.now) - (startedAt + endedAt) / 2)
  const difference = Math.abs(skewMs) < 1000 ? `${Math.abs(skewMs)} ms` : `${(Math.abs(skewMs) / 1000).toFixed(1)} s`
  if (Math.abs(skewMs) <= maxSkewMs + (endedAt - startedAt) / 2)
    return ok(`The clocks of the database and of this machine differ by ${difference}.`)
  return wrong(
    `The clock of the database is ${difference} ${skewMs > 0 ? 'ahead of' : 'behind'} that of this machine: synchronize both with NTP.`,
  )
})

const minFreeBytes = 1024 ** 3
const minFreeShare = 0.05

export const diskCheck = databaseCheck('disk', async (client, { databaseUrl = '' }) => {
  const { rows } = await client.query<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  )
  const folder = rows[0]?.folder
  const isReadable = isLocalUrl(databaseUrl) && folder !== undefined
  const stats = isReadable ? await statfs(folder).catch(() => undefined) : undefined
  if (stats === undefined || folder === undefined)
    return { verdict: 'unknown', sentence: 'The free disk space of the database server cannot be read from here.' }
  const freeBytes = stats.bavail * stats.bsize
  const freeShare = stats.bavail / Math.max(1, stats.blocks)
  const freeText = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB (${Math.round(freeShare * 100)} %) free on the disk of the database`
  return freeBytes < minFreeBytes || freeShare < minFreeShare
    ? wrong(`Only ${freeText}: free some space in ${folder}, or use a larger disk.`)
    : ok(`${freeText}.`)
})
