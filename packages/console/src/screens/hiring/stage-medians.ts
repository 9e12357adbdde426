/** The median days in each stage, of an opening and of the company. */
import type { ReportRows } from '@muster/client'

type StageTimesRow = ReportRows['timeInStage']

interface Median {
  readonly days: number
  readonly link: string | undefined
}

export interface StageMedians {
  readonly byStage: ReadonlyMap<string, { readonly own?: Median | undefined; readonly company?: Median | undefined }>
  /** The end of the scale that all stages share. */
  readonly longest: number
}

const medianOf = (rows: readonly StageTimesRow[], stage: string): Median | undefined => {
  const row = rows.find((candidate) => candidate.stage === stage)
  return row === undefined || row.median_days === null
    ? undefined
    : { days: row.median_days, link: row.links.median_days }
}

export const stageMedians = (
  own: readonly StageTimesRow[] = [],
  company: readonly StageTimesRow[] = [],
): StageMedians => {
  const byStage = new Map(
    company.flatMap(({ stage }) =>
      stage === null ? [] : [[stage, { own: medianOf(own, stage), company: medianOf(company, stage) }] as const],
    ),
  )
  const all = [...byStage.values()].flatMap((medians) => [medians.own?.days ?? 0, medians.company?.days ?? 0])
  return { byStage, longest: Math.max(1, ...all) }
}

/** Smaller differences of medians are chance. */
const minExcess = 0.25

/** The stage whose median is most days above that of the company. Undefined if none is clearly above it. */
export const slowestStage = (stages: readonly string[], { byStage }: StageMedians): string | undefined => {
  const excessOf = (stage: string): number => {
    const { own, company } = byStage.get(stage) ?? {}
    if (own === undefined || company === undefined || own.days <= company.days * (1 + minExcess)) return 0
    return own.days - company.days
  }
  const [slowest] = stages.toSorted((a, b) => excessOf(b) - excessOf(a))
  return slowest !== undefined && excessOf(slowest) > 0 ? slowest : undefined
}
