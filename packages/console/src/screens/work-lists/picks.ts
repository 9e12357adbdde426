/** The filters of a work list, with the number of records of each value as the server has counted it. */
import type { Counts } from '@muster/client'
import type { SearchParameters } from '../../search-parameters.ts'

export interface CountedValue {
  readonly value: string
  readonly count: number
}

export interface CountedPick {
  /** The search parameter, which is a filter of the API with the same name. */
  readonly parameter: string
  readonly title: string
  /** The largest first. Records without a value are in no option, because the API has no filter for them. */
  readonly values: readonly CountedValue[]
  readonly selected: string | undefined
  /** How many records there are without this filter. */
  readonly total: number
}

interface CountedGroup {
  readonly [name: string]: string | number | null
  readonly count: number
}

/** The counts are those with all filters except the one of the pick. */
export const countedPick = (
  parameter: string,
  title: string,
  search: SearchParameters,
  { data, meta }: Counts<CountedGroup>,
): CountedPick => ({
  parameter,
  title,
  values: data
    .flatMap(({ [parameter]: value = null, count }) =>
      value === null || String(value).trim() === '' ? [] : [{ value: String(value), count }],
    )
    .toSorted((a, b) => b.count - a.count),
  // Counts fold texts to lower case.
  selected: search[parameter]?.toLowerCase(),
  total: meta.total,
})

/** The number of records that match all filters. */
export const matchingTotal = (picks: readonly CountedPick[]): number => {
  const pick = picks.find(({ selected }) => selected !== undefined)
  return pick === undefined ? (picks[0]?.total ?? 0) : countOf(pick)
}

const countOf = ({ values, selected }: CountedPick): number =>
  values.find(({ value }) => value === selected)?.count ?? 0
