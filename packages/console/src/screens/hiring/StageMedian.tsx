import { Figure } from '../../components/Figure.tsx'
import { valueLabel } from '../../format/labels.ts'
import { formatDecimal } from '../../format/numbers.ts'
import styles from './StageMedian.module.css'
import type { StageTimesRow } from './StageTimes.tsx'

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

/** The median days in each stage, of an opening and of the company. */
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

interface StageMedianProps {
  readonly jobId: number
  readonly stage: string
  /** Undefined until they are loaded: the space is kept for them. */
  readonly medians: StageMedians | undefined
}

/** The median of the opening as a bar, with a tick at that of the company. */
export const StageMedian = ({ jobId, stage, medians }: StageMedianProps) => {
  if (medians === undefined) return <span className={styles.median} />
  const { byStage, longest } = medians
  const { own, company } = byStage.get(stage) ?? {}
  const part = (days: number) => `${(days / longest) * 100}%`
  const usual = Math.min(own?.days ?? 0, company?.days ?? 0)
  return (
    <span className={styles.median}>
      <span className={styles.bar} aria-hidden>
        {own === undefined ? undefined : (
          <>
            <i style={{ inlineSize: part(company === undefined ? own.days : usual) }} />
            <i style={{ inlineSize: part(company === undefined ? 0 : own.days - usual) }} />
          </>
        )}
        {company === undefined ? undefined : <b style={{ insetInlineStart: part(company.days) }} />}
      </span>
      {own === undefined ? undefined : (
        <>
          median{' '}
          <Figure
            name={`opening.${jobId}.median.${stage}`}
            value={own.days}
            link={own.link}
            what={`median in ${valueLabel(stage)} of the opening`}
          >
            {formatDecimal(own.days)} d
          </Figure>
          {company === undefined ? '' : ', '}
        </>
      )}
      {company === undefined ? undefined : (
        <>
          company{' '}
          <Figure
            name={`opening.${jobId}.company_median.${stage}`}
            value={company.days}
            link={company.link}
            what={`median in ${valueLabel(stage)} of the company`}
          >
            {formatDecimal(company.days)} d
          </Figure>
        </>
      )}
    </span>
  )
}

export const MedianKey = () => (
  <p className={styles.key}>
    <span className={styles.bar} aria-hidden>
      <i style={{ inlineSize: '50%' }} />
      <i style={{ inlineSize: '50%' }} />
      <b style={{ insetInlineStart: '50%' }} />
    </span>
    median days in this opening; the tick is the company’s
  </p>
)
