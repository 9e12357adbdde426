/**
 * Measures the peak memory of the service and the time of health checks while 30 clients, each with its own address and one
 * connection, read pages of 100 candidates or jobs with long texts, about 4 MB each. A client that gets 503 waits for a
 * second, as `Retry-After` says.
 *
 *   DATABASE_URL=… node tools/bench/large-pages.ts [--checkout DIRECTORY] [--seconds 30]
 *
 * DATABASE_URL is that of a PostgreSQL superuser.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { root } from '../../tests/support/server-process.ts'
import { runBench, superuser } from './command.ts'
import { Databases, longTextRows } from './data.ts'
import { apiPath } from './measurement.ts'
import { startService, withServer } from './service-process.ts'

const clientCount = 30
const pageSize = 100
const probePauseMs = 20

interface Load {
  readonly origin: string
  readonly seconds: number
}

interface LoadResult {
  readonly bytes: number
  /** Number of responses by status; `broken` if the connection broke. */
  readonly statuses: Readonly<Record<string, number>>
}

const readPages = async ({ origin, seconds }: Load): Promise<LoadResult> => {
  const end = performance.now() + seconds * 1_000
  const statuses: Record<string, number> = {}
  let bytes = 0
  const readPage = async (agent: Agent, client: number, turn: number): Promise<string> => {
    const resource = (client + turn) % 2 === 0 ? 'candidates' : 'jobs'
    const offset = (client * 97 + turn * 13) % (longTextRows - pageSize)
    const url = `${origin}${apiPath}/v1/${resource}?limit=${pageSize}&offset=${offset}`
    const [response] = await once(get(url, { agent, localAddress: `127.0.0.${client + 2}` }), 'response')
    for await (const chunk of response) bytes += chunk.length
    return String(response.statusCode)
  }
  const runClient = async (client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = 0; performance.now() < end; turn += 1) {
      const status = await readPage(agent, client, turn).catch(() => 'broken')
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status !== '200') await pause(1_000)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: clientCount }, (_, client) => runClient(client)))
  return { bytes, statuses }
}

const probe = async (origin: string, signal: AbortSignal): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  while (!signal.aborted) {
    const startedAt = performance.now()
    const [response] = await once(get(`${origin}/livez`, { agent }), 'response')
    await once(response.resume(), 'end')
    times.push(performance.now() - startedAt)
    await pause(probePauseMs)
  }
  agent.destroy()
  return times.sort((a, b) => a - b)
}

const peakMegabytes = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

const measure = async (serverUrl: string): Promise<void> => {
  const { values } = parseArgs({
    options: { checkout: { type: 'string', default: root }, seconds: { type: 'string', default: '30' } },
  })
  const checkout = resolve(values.checkout)
  const seconds = Number(values.seconds)
  const database = await new Databases(serverUrl, checkout).longTexts()
  await withServer(startService(database, undefined, {}, checkout), async ({ origin, pid }) => {
    const idle = await peakMegabytes(pid)
    const loading = new AbortController()
    const probing = probe(origin, loading.signal)
    const worker = new Worker(new URL(import.meta.url), { workerData: { origin, seconds } satisfies Load })
    const [{ bytes, statuses }] = (await once(worker, 'message')) as [LoadResult]
    loading.abort()
    const times = await probing
    const percentile = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
    console.log(
      `peak memory (VmHWM) ${Math.round(await peakMegabytes(pid))} MB, ${Math.round(idle)} MB before the load`,
    )
    console.log(`/livez p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, ${times.length} requests`)
    console.log(`responses ${JSON.stringify(statuses)}, ${Math.round(bytes / seconds / 1_000_000)} MB/s`)
  })
}

if (isMainThread) await runBench(superuser, measure)
else parentPort?.postMessage(await readPages(workerData as Load))
