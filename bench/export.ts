/** In charge of measuring an export: beside COPY of the same columns in the same run, with a slow reader, and with one that goes away. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from './child-server.ts'
import { sql } from './data.ts'
import { median } from './results.ts'
import { startService, using } from './service-process.ts'
import { run } from './tools.ts'

const usage =
  'Set DATABASE_URL to a migrated database with many attendance records, whose role may read pg_stat_activity.'
const rounds = 3
const slowSeconds = 10
const columns = 'id, employee_id, att_date, status, hours'
const path = '/api/v1/attendance?format='

const timed = async <T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> => {
  const started = performance.now()
  const result = await work()
  return { ms: performance.now() - started, result }
}

const copy = (url: string): Promise<string> =>
  run('psql', [url, '-q', '-o', '/dev/null', '-c', `copy (select ${columns} from attendance order by id) to stdout`])

const open = async (service: ServerProcess, format: string) => {
  const sent = request(`${service.origin}${path}${format}`, { agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, response, total: Number(response.headers['x-total-count']) }
}

/** Lines of the whole answer; a cut one throws. */
const countLines = async (service: ServerProcess, format: string) => {
  const { response, total } = await open(service, format)
  let lines = 0
  for await (const chunk of response as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return { lines, total }
}

/** The most memory seen while the work runs, in MB. */
const peakDuring = async <T>(service: ServerProcess, work: () => Promise<T>) => {
  let peak = 0
  let done = false
  const looking = (async () => {
    while (!done) {
      peak = Math.max(peak, await service.memory())
      await pause(100)
    }
  })()
  const result = await work().finally(() => {
    done = true
  })
  await looking
  return { peak, result }
}

const copiesRunning = (url: string) =>
  sql(
    url,
    `select pid from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'copy %'`,
  )

const measure = async (url: string, service: ServerProcess): Promise<void> => {
  for (const format of ['csv', 'ndjson']) {
    const ratios: number[] = []
    const peaks: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const engine = await timed(() => copy(url))
      const { peak, result } = await peakDuring(service, () => timed(() => countLines(service, format)))
      const { lines, total } = result.result
      if (lines !== total + (format === 'csv' ? 1 : 0)) throw new Error(`${lines} lines for ${total} records`)
      ratios.push(engine.ms / result.ms)
      peaks.push(peak)
      console.log(
        `${format}: ${total} records, COPY ${Math.round(engine.ms)} ms, export ${Math.round(result.ms)} ms, at most ${Math.round(peak)} MB`,
      )
    }
    console.log(`${format}: ${median(ratios).toFixed(2)} × COPY, at most ${Math.round(Math.max(...peaks))} MB`)
  }
  const before = await service.memory()
  const slow = await open(service, 'csv')
  slow.response.pause()
  const { peak } = await peakDuring(service, () => pause(slowSeconds * 1_000))
  console.log(`slow reader: ${Math.round(before)} MB before, at most ${Math.round(peak)} MB in ${slowSeconds} s`)
  slow.sent.destroy()
  const gone = await timed(async () => {
    while ((await copiesRunning(url)).length > 0);
  })
  console.log(`reader gone: its query ended within ${Math.round(gone.ms)} ms`)
}

const url = process.env.DATABASE_URL
if (url === undefined) {
  console.error(usage)
  process.exitCode = 1
} else await using(startService(url), (service) => measure(url, service))
