/** In charge of series for promtool: what the service answers to scrape after scrape, each written down as one step of Prometheus. */
import type { Samples } from '../../service/test/support/scrape.ts'
import { scrape } from '../../service/test/support/scrape.ts'

/** Scrapes in order; undefined where the service did not answer. */
export type Capture = readonly (Samples | undefined)[]

/** Acts and scrapes, time after time. */
export const capture = async (
  address: string,
  steps: number,
  act: (step: number) => Promise<void>,
): Promise<(Samples | undefined)[]> => {
  const scrapes = []
  for (let step = 0; step < steps; step += 1) {
    await act(step)
    scrapes.push(await scrape(address).catch(() => undefined))
  }
  return scrapes
}

export interface InputSeries {
  readonly series: string
  readonly values: string
}

/** As Prometheus would have stored them, with the labels that it adds, and whether there was an answer. */
export const inputSeries = (scrapes: Capture): InputSeries[] => {
  const names = new Set(scrapes.flatMap((samples) => [...(samples?.keys() ?? [])]))
  const target = 'instance="127.0.0.1:9464",job="muster"'
  return [
    { series: `up{${target}}`, values: scrapes.map((samples) => (samples === undefined ? 0 : 1)).join(' ') },
    ...[...names].map((name) => ({
      series: name.includes('{') ? name.replace(/\}$/, `,${target}}`) : `${name}{${target}}`,
      values: scrapes.map((samples) => samples?.get(name) ?? '_').join(' '),
    })),
  ]
}
