import { Bullet } from '../../components/Bullet.tsx'
import { Figure } from '../../components/Figure.tsx'
import { valueLabel } from '../../format/labels.ts'
import { formatDecimal } from '../../format/numbers.ts'
import styles from './StageMedian.module.css'
import type { StageMedians } from './stage-medians.ts'

interface StageMedianProps {
  readonly jobId: number
  readonly stage: string
  /** Undefined until they are loaded: the space is kept for them. */
  readonly medians: StageMedians | undefined
  /** Whether applications stay longest beyond the usual days here. */
  readonly isSlowest: boolean
}

/** The median of the opening as a bar, with a tick at that of the company. */
export const StageMedian = ({ jobId, stage, medians, isSlowest }: StageMedianProps) => {
  if (medians === undefined) return <span className={styles.median} />
  const { byStage, longest } = medians
  const { own, company } = byStage.get(stage) ?? {}
  return (
    <span className={styles.median}>
      <span className={styles.bar}>
        <Bullet value={own?.days} usual={company?.days} end={longest} />
      </span>
      {own === undefined ? undefined : (
        <span className={isSlowest ? styles.long : undefined}>
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
        </span>
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
  <span className={styles.key}>
    <span className={styles.bar}>
      <Bullet value={2} usual={1} end={2} />
    </span>
    median days in this opening; the tick is the company’s
  </span>
)
