/** In charge of asking for metrics as Prometheus does, and of reading what comes back. */
import assert from 'node:assert/strict'
import { ask } from './http.ts'
import type { Command } from './process.ts'

/** Every sample by its name and labels as written: `muster_pool_size{pool="reads"}`. */
export type Samples = ReadonlyMap<string, number>

/** Where a service with MUSTER_METRICS_PORT=0 answers Prometheus. */
export const metricsAddress = async (service: Command): Promise<string> => {
  const [, address] = await service.says(/Metrics at (http:\/\/[\d.:]+\/metrics)/)
  return address as string
}

export const scrape = async (address: string): Promise<Samples> => {
  const { status, text } = await ask(address)
  assert.equal(status, 200)
  return readSamples(text)
}

export const readSamples = (text: string): Samples => {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, series, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    assert.ok(series !== undefined && Number.isFinite(Number(value)), `no sample: ${line}`)
    assert.ok(!samples.has(series), `twice: ${series}`)
    samples.set(series, Number(value))
  }
  return samples
}

/** The sum over all series of a name whose labels hold every given text. */
export const sumOf = (samples: Samples, name: string, ...labels: readonly string[]): number =>
  [...samples]
    .filter(([series]) => series.split('{')[0] === name && labels.every((label) => series.includes(label)))
    .reduce((sum, [, value]) => sum + value, 0)
