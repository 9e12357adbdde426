import assert from 'node:assert/strict'
import { sendRequest } from './http.ts'
import type { Command } from './process.ts'

/** Sample values by series, that is name and labels as written, such as `muster_pool_size{pool="reads"}`. */
export type Samples = ReadonlyMap<string, number>

/** The metrics URL of a service that runs with MUSTER_METRICS_PORT=0, read from its output. */
export const readMetricsUrl = async (service: Pick<Command, 'waitForOutput'>): Promise<string> => {
  const [, url] = await service.waitForOutput(/Metrics at (http:\/\/[\d.:]+\/metrics)/)
  return url as string
}

export const scrape = async (url: string): Promise<Samples> => {
  const { status, text } = await sendRequest(url)
  assert.equal(status, 200)
  return parseSamples(text)
}

export const parseSamples = (text: string): Samples => {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, series, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    assert.ok(series !== undefined && Number.isFinite(Number(value)), `not a sample: ${line}`)
    assert.ok(!samples.has(series), `duplicate series: ${series}`)
    samples.set(series, Number(value))
  }
  return samples
}

/** The sum of all series with this name and all of these labels. A label is written as `pool="read"`. */
export const sumOfSeries = (samples: Samples, name: string, ...labels: readonly string[]): number =>
  [...samples]
    .filter(([series]) => series.split('{')[0] === name && labels.every((label) => series.includes(label)))
    .reduce((sum, [, value]) => sum + value, 0)
