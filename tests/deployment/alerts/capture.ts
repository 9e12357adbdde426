/** Captures metrics of a running service as input series for `promtool test rules`. */
import type { Samples } from '../../support/scrape.ts'
import { scrape } from '../../support/scrape.ts'

/** One scrape per step. Undefined if the service did not respond. */
export type CapturedScrapes = readonly (Samples | undefined)[]

/** Calls `act` and then scrapes the metrics, in each step. */
export const captureScrapes = async (
  url: string,
  stepCount: number,
  act: (step: number) => Promise<void>,
): Promise<(Samples | undefined)[]> => {
  const scrapes = []
  for (let step = 0; step < stepCount; step += 1) {
    await act(step)
    scrapes.push(await scrape(url).catch(() => undefined))
  }
  return scrapes
}

export interface InputSeries {
  readonly series: string
  readonly values: string
}

/** Adds what Prometheus adds when it scrapes: the target labels and the series `up`. */
export const inputSeries = (scrapes: CapturedScrapes): InputSeries[] => {
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
