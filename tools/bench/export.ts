/**
 * Compares the duration of an export with COPY of the same columns. Also measures the memory of the service while a
 * client does not read its export, and how soon the query ends after a client disconnects.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { runBench } from './command.ts'
import { runSql } from './data.ts'
import { measurePeakMemory } from './peak-memory.ts'
import { median } from './results.ts'
import { startService, withServer } from './service-process.ts'
import { runProgram } from './tools.ts'

const rounds = 3
const slowSeconds = 10
const columns = 'id, employee_id, att_date, status, hours'
const exportPath = '/api/v1/attendance?format='

const measureTime = async <T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> => {
  const started = performance.now()
  const result = await work()
  return { ms: performance.now() - started, result }
}

const copyWithPsql = (url: string): Promise<string> =>
  runProgram('psql', [
    url,
    '-q',
    '-o',
    '/dev/null',
    '-c',
    `copy (select ${columns} from attendance order by id) to stdout`,
  ])

const startExport = async (service: ServerProcess, format: string) => {
  const outgoing = request(`${service.origin}${exportPath}${format}`, { agent: false }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { outgoing, response, total: Number(response.headers['x-total-count']) }
}

/** Downloads an export and counts its lines; throws if the export is cut off. */
const countLines = async (service: ServerProcess, format: string) => {
  const { response, total } = await startExport(service, format)
  let lines = 0
  for await (const chunk of response as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return { lines, total }
}

const countRunningCopies = (url: string) =>
  runSql(
    url,
    `select pid from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'copy %'`,
  )

const measure = async (url: string, service: ServerProcess): Promise<void> => {
  for (const format of ['csv', 'ndjson']) {
    const ratios: number[] = []
    const peaks: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const copyResult = await measureTime(() => copyWithPsql(url))
      const { peak, result } = await measurePeakMemory(service, () => measureTime(() => countLines(service, format)))
      const { lines, total } = result.result
      if (lines !== total + (format === 'csv' ? 1 : 0)) throw new Error(`${lines} lines for ${total} records`)
      ratios.push(copyResult.ms / result.ms)
      peaks.push(peak)
      console.log(
        `${format}: ${total} records, COPY ${Math.round(copyResult.ms)} ms, export ${Math.round(result.ms)} ms, at most ${Math.round(peak)} MB`,
      )
    }
    console.log(`${format}: ${median(ratios).toFixed(2)} × COPY, at most ${Math.round(Math.max(...peaks))} MB`)
  }
  const memoryBefore = await service.memory()
  const slowExport = await startExport(service, 'csv')
  slowExport.response.pause()
  const { peak } = await measurePeakMemory(service, () => pause(slowSeconds * 1_000))
  console.log(`slow client: ${Math.round(memoryBefore)} MB before, at most ${Math.round(peak)} MB in ${slowSeconds} s`)
  slowExport.outgoing.destroy()
  const cancellation = await measureTime(async () => {
    while ((await countRunningCopies(url)).length > 0);
  })
  console.log(`client disconnected: its query ended within ${Math.round(cancellation.ms)} ms`)
}

await runBench('a migrated database with many attendance records, whose role may read pg_stat_activity', (url) =>
  withServer(startService(url), (service) => measure(url, service)),
)
