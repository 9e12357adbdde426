import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Legend, Swatch } from '../../kit/Legend.tsx'
import { listPath } from '../../service/requests.ts'
import type { StageCount } from './openings.ts'
import styles from './StageBar.module.css'
import { stageColors } from './stage-colors.ts'

interface StageLegendProps {
  readonly stages: readonly string[]
  /** More marks. */
  readonly children?: ReactNode
}

export const StageLegend = ({ stages, children }: StageLegendProps) => (
  <Legend label="Colours of the stages">
    {stages.map((stage) => (
      <li key={stage}>
        <Swatch className={styles.swatch} style={stageColors(stage)} />
        {valueLabel(stage)}
      </li>
    ))}
    {children}
  </Legend>
)

interface StageBarProps {
  readonly jobId: number
  readonly stages: readonly StageCount[]
  /** The number of applications for which a bar has the full width. */
  readonly longest: number
}

/**
 * Active applications of an opening by stage. The parts are shortcuts for the mouse, many of them too small for
 * anything else; with the keyboard, the same lists open from the screen of the opening.
 */
export const StageBar = ({ jobId, stages, longest }: StageBarProps) => {
  const total = stages.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <span className="visually-hidden">
        {stages.map(({ stage, count }) => `${formatInteger(count)} ${valueLabel(stage)}`).join(', ')}
      </span>
      <span className={styles.bar} style={{ inlineSize: `${(total / longest) * 100}%` }} aria-hidden>
        {stages.map(({ stage, count }) => (
          <Link
            key={stage}
            className={styles.part}
            style={{ flexGrow: count, ...stageColors(stage) }}
            data-figure={`hiring.openings.${jobId}.stage.${stage}`}
            data-value={count}
            tabIndex={-1}
            title={`${formatInteger(count)} ${valueLabel(stage)}`}
            {...dataLocation(
              listPath('applications', { job_id: jobId, status: 'active', stage, sort: 'stage_entered_on' }),
            )}
          >
            {count / longest >= 0.055 * String(count).length ? formatInteger(count) : undefined}
          </Link>
        ))}
      </span>
    </>
  )
}
