/** In charge of one set of metrics for several workers: the first process asks them all and adds up, the dead included. */
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import type { Metrics } from '../observe/metrics.ts'
import type { Snapshot } from '../observe/registry.ts'
import { lasting, merged } from '../observe/registry.ts'

const question = 'muster: metrics?'
interface Told {
  readonly metrics: Snapshot
}
/** Who does not answer by then is busy: what it has counted so far counts, and its state is not known. */
const patienceMs = 1_000

/** For the first process: what it counted itself and what its workers did, whenever it is asked for. */
export const gatherMetrics = (own: Metrics): (() => Promise<Snapshot>) => {
  const last = new Map<number, Snapshot>()
  let gone: Snapshot = {}
  let heard = new Set<number>()
  let tell = () => {}
  cluster.on('message', (worker, message: unknown) => {
    if (!isTold(message) || worker.isDead()) return
    last.set(worker.id, message.metrics)
    heard.add(worker.id)
    tell()
  })
  cluster.on('exit', (worker) => {
    gone = merged([gone, lasting(last.get(worker.id) ?? {})])
    last.delete(worker.id)
    tell()
  })

  const ask = async (): Promise<Snapshot> => {
    heard = new Set()
    const asked = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[]
    const { promise, resolve } = Promise.withResolvers<void>()
    tell = () => {
      if (asked.every((worker) => heard.has(worker.id) || worker.isDead())) resolve()
    }
    const patience = setTimeout(resolve, patienceMs)
    for (const worker of asked) worker.send(question, () => {})
    tell()
    await promise
    clearTimeout(patience)
    const living = [...last].map(([id, snapshot]) => (heard.has(id) ? snapshot : lasting(snapshot)))
    return merged([own.snapshot(), gone, ...living])
  }
  // Who asks while the workers are being asked gets the same answer.
  let asking: Promise<Snapshot> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** For a worker: answers the first process, and tells it once more at the end. */
export const answerForMetrics = (metrics: Metrics): (() => void) => {
  const tell = () => {
    if (process.connected) process.send?.({ metrics: metrics.snapshot() } satisfies Told)
  }
  process.on('message', (message) => message === question && tell())
  return tell
}

const isTold = (message: unknown): message is Told =>
  typeof message === 'object' && message !== null && 'metrics' in message
