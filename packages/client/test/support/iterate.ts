/**
 * Reads all attendance records with the client, and prints the time and memory it needed as JSON: node --expose-gc
 * packages/client/test/support/iterate.ts http://127.0.0.1:8080/api
 */
import { createClient } from '@muster/client'
import { recordRequests } from './recorded-fetch.ts'

export interface Iteration {
  readonly records: number
  readonly requests: number
  /** Size of the heap after each tenth of the records. */
  readonly heapMb: readonly number[]
  /** Memory of the process before the first record and after each tenth of the records. */
  readonly rssMb: readonly number[]
  readonly seconds: number
}

const { fetch, requests } = recordRequests()
const muster = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080/api', fetch })
const { meta } = await muster.attendance.list({ limit: 1 })
requests.splice(0)

const megabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10
const heapMb: number[] = []
const rssMb = [megabytes(process.memoryUsage.rss())]
const recordsPerTenth = Math.ceil(meta.total / 10)
const started = performance.now()
let records = 0
for await (const _ of muster.attendance.each()) {
  records += 1
  if (records % recordsPerTenth === 0 || records === meta.total) {
    rssMb.push(megabytes(process.memoryUsage.rss()))
    globalThis.gc?.()
    heapMb.push(megabytes(process.memoryUsage().heapUsed))
  }
}
const iteration: Iteration = {
  records,
  requests: requests.length,
  heapMb,
  rssMb,
  seconds: (performance.now() - started) / 1_000,
}
console.log(JSON.stringify(iteration))
