/** In charge of the numbers behind the metrics: a few places in a typed array for each series, put together over processes. */
import type { Family, FamilyKey } from './families.ts'
import { families } from './families.ts'

/** One place for a counter or gauge; for a histogram one per bound, one for what is beyond, and one for the sum. */
export type Series = Float64Array

/** Everything at one moment: by family, by the text of the labels. Plain, so that it can be sent from process to process. */
export type Snapshot = Partial<Record<FamilyKey, Readonly<Record<string, readonly number[]>>>>

/** Whatever labels may come: a family has no more series than these, and the rest is counted as one. */
const maxSeries = 1_000

export class Registry {
  readonly #series = new Map<FamilyKey, Map<string, Series>>()

  constructor() {
    for (const key of Object.keys(families) as FamilyKey[]) this.#series.set(key, new Map())
  }

  /** The series of a family with these labels, to be kept by those who add to it often. */
  at(key: FamilyKey, ...values: readonly string[]): Series {
    const all = this.#series.get(key) as Map<string, Series>
    const labels = labelText(families[key], values)
    const known = all.get(labels)
    if (known !== undefined) return known
    if (all.size >= maxSeries && !values.every((value) => value === 'other'))
      return this.at(key, ...values.map(() => 'other'))
    const series = new Float64Array(boundsOf(families[key]).length + (families[key].kind === 'histogram' ? 2 : 1))
    all.set(labels, series)
    return series
  }

  set(key: FamilyKey, value: number, ...labels: readonly string[]): void {
    this.at(key, ...labels)[0] = value
  }

  snapshot(): Snapshot {
    return Object.fromEntries(
      [...this.#series].map(([key, all]) => [
        key,
        Object.fromEntries([...all].map(([labels, series]) => [labels, [...series]])),
      ]),
    )
  }
}

export const boundsOf = (family: Family): readonly number[] => family.bounds ?? []

export const count = (series: Series, by = 1): void => {
  series[0] = (series[0] as number) + by
}

export const observe = (series: Series, bounds: readonly number[], value: number): void => {
  let place = 0
  while (place < bounds.length && value > (bounds[place] as number)) place += 1
  series[place] = (series[place] as number) + 1
  series[bounds.length + 1] = (series[bounds.length + 1] as number) + value
}

/** The numbers of several processes as those of one. */
export const merged = (snapshots: readonly Snapshot[]): Snapshot => {
  const result: Record<string, Record<string, readonly number[]>> = {}
  for (const snapshot of snapshots) {
    for (const [key, all] of Object.entries(snapshot)) {
      const family = families[key as FamilyKey]
      result[key] ??= {}
      const into = result[key]
      for (const [labels, values] of Object.entries(all))
        into[labels] = into[labels]?.map((value, place) => combine(family, value, values[place] ?? 0)) ?? values
    }
  }
  return result
}

const combine = ({ merge }: Family, one: number, other: number): number =>
  merge === undefined ? one + other : Math[merge](one, other)

/** What a process that is gone has counted: a sum that forgot it would go backwards. Its gauges are gone with it. */
export const lasting = (snapshot: Snapshot): Snapshot =>
  Object.fromEntries(Object.entries(snapshot).filter(([key]) => families[key as FamilyKey].kind !== 'gauge'))

const labelText = ({ labels }: Family, values: readonly string[]): string =>
  labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`).join(',')

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
