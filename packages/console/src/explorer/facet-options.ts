/** The options of a facet, from the groups of a count. */
import type { FacetOption } from '../kit/Facet.tsx'

export interface CountedGroup {
  readonly [name: string]: string | number | null
  readonly count: number
}

export interface FacetOptions {
  readonly options: FacetOption[]
  /** Records without a value, or with one that no filter can select. */
  readonly others: number
  /** Whether all of `others` have null, so that the filter `<field>_is_null` selects them. */
  readonly othersAreNull: boolean
}

/** Longer texts are counted under their beginning and a digest, which is no value of the filter. */
const longestValue = 200

/** Counts fold texts to lower case, so `labelOf` may know another spelling. */
export const facetOptions = (
  name: string,
  groups: readonly CountedGroup[],
  selected: readonly string[],
  labelOf: (value: string, group: CountedGroup | undefined) => string,
): FacetOptions => {
  const options: FacetOption[] = []
  const others: CountedGroup[] = []
  for (const group of groups) {
    const value = group[name] ?? null
    if (value === null || String(value).trim() === '' || String(value).length > longestValue) others.push(group)
    else options.push({ value: String(value), label: labelOf(String(value), group), count: group.count })
  }
  const isCounted = (value: string) => options.some((option) => option.value === value.toLowerCase())
  const missing = selected.filter((value) => !isCounted(value))
  return {
    options: [
      ...options.toSorted((a, b) => b.count - a.count),
      ...missing.map((value) => ({ value, label: labelOf(value, undefined), count: 0 })),
    ],
    others: others.reduce((sum, { count }) => sum + count, 0),
    othersAreNull: others.every((group) => group[name] === null),
  }
}
