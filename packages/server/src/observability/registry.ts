import type { MetricDefinition, MetricKey } from './metric-definitions.ts'
import { metricDefinitions } from './metric-definitions.ts'

/** One number for a counter or gauge; for a histogram one per bound, one for +Inf, and the sum of all values. */
export type Series = Float64Array

/** The values of all series, by metric and label text. Plain objects, which can be sent between processes. */
export type Snapshot = Partial<Record<MetricKey, Readonly<Record<string, readonly number[]>>>>

/** Maximum number of series per metric. Further combinations of labels are counted as `other`. */
const maxSeries = 1_000

export class Registry {
  readonly #series = new Map<MetricKey, Map<string, Series>>()

  constructor() {
    for (const key of Object.keys(metricDefinitions) as MetricKey[]) this.#series.set(key, new Map())
  }

  /** The series of a metric with these labels. Callers that use a series often should store it. */
  at(key: MetricKey, ...values: readonly string[]): Series {
    const seriesByLabels = this.#series.get(key) as Map<string, Series>
    const labels = labelText(metricDefinitions[key], values)
    const existing = seriesByLabels.get(labels)
    if (existing !== undefined) return existing
    if (seriesByLabels.size >= maxSeries && !values.every((value) => value === 'other'))
      return this.at(key, ...values.map(() => 'other'))
    const series = new Float64Array(
      bucketBounds(metricDefinitions[key]).length + (metricDefinitions[key].kind === 'histogram' ? 2 : 1),
    )
    seriesByLabels.set(labels, series)
    return series
  }

  /** Without a value, the series is no longer exported, so that nobody takes the last one for the present one. */
  set(key: MetricKey, value: number | undefined, ...labels: readonly string[]): void {
    if (value === undefined) this.#series.get(key)?.delete(labelText(metricDefinitions[key], labels))
    else this.at(key, ...labels)[0] = value
  }

  snapshot(): Snapshot {
    return Object.fromEntries(
      [...this.#series].map(([key, seriesByLabels]) => [
        key,
        Object.fromEntries([...seriesByLabels].map(([labels, series]) => [labels, [...series]])),
      ]),
    )
  }
}

export const bucketBounds = (definition: MetricDefinition): readonly number[] => definition.bounds ?? []

export const count = (series: Series, by = 1): void => {
  series[0] = (series[0] as number) + by
}

export const observe = (series: Series, bounds: readonly number[], value: number): void => {
  let index = 0
  while (index < bounds.length && value > (bounds[index] as number)) index += 1
  series[index] = (series[index] as number) + 1
  series[bounds.length + 1] = (series[bounds.length + 1] as number) + value
}

/** Combines the snapshots of several processes into one. */
export const mergeSnapshots = (snapshots: readonly Snapshot[]): Snapshot => {
  const result: Record<string, Record<string, readonly number[]>> = {}
  for (const snapshot of snapshots) {
    for (const [key, valuesByLabels] of Object.entries(snapshot)) {
      const definition = metricDefinitions[key as MetricKey]
      result[key] ??= {}
      const mergedValues = result[key]
      for (const [labels, values] of Object.entries(valuesByLabels))
        mergedValues[labels] =
          mergedValues[labels]?.map((value, index) => combine(definition, value, values[index] ?? 0)) ?? values
    }
  }
  return result
}

const combine = ({ merge }: MetricDefinition, a: number, b: number): number =>
  merge === undefined ? a + b : Math[merge](a, b)

/** The part of a snapshot that is kept after its process exits: without the counters, the sums would decrease. */
export const countersOf = (snapshot: Snapshot): Snapshot =>
  Object.fromEntries(Object.entries(snapshot).filter(([key]) => metricDefinitions[key as MetricKey].kind !== 'gauge'))

const labelText = ({ labels }: MetricDefinition, values: readonly string[]): string =>
  labels.map((label, index) => `${label}="${escapeLabel(values[index] ?? '')}"`).join(',')

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
