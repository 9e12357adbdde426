import type { Application, Candidate } from '@muster/client'
import { daysBetween, waitingDays } from '@muster/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { Button } from '../../kit/Button.tsx'
import { Popover } from '../../kit/Popover.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { cardsByStage, cardsPerStage, foldedCards, isComplete } from './board.ts'
import type { StageCount } from './openings.ts'
import styles from './StageBoard.module.css'
import { StageHistory } from './StageDays.tsx'
import { StageMedian } from './StageMedian.tsx'
import type { StageMedians } from './stage-medians.ts'

export type BoardApplication = Pick<Application, 'id' | 'stage' | 'applied_on' | 'stage_entered_on'> & {
  readonly candidate: Candidate
}

export const cardFields = { fields: ['id', 'stage', 'applied_on', 'stage_entered_on'], expand: ['candidate'] } as const

interface StageBoardProps {
  readonly jobId: number
  readonly asOf: string
  readonly columns: readonly StageCount[]
  /** The applications that wait longest, of all stages. */
  readonly waiting: readonly BoardApplication[]
  /** Undefined if there are none. The space is kept for them while they are loaded. */
  readonly medians: StageMedians | 'loading' | undefined
  /** The stage in which applications stay longest beyond the usual days. */
  readonly slowest: string | undefined
}

/** The active applications as columns, one for each stage. */
export const StageBoard = ({ jobId, asOf, columns, waiting, medians, slowest }: StageBoardProps) => {
  const cards = cardsByStage(waiting)
  return (
    <div className={styles.scroll}>
      <div className={styles.board}>
        {columns.map((column) => (
          <Column
            key={column.stage}
            jobId={jobId}
            asOf={asOf}
            column={column}
            median={
              medians === undefined ? undefined : (
                <StageMedian
                  jobId={jobId}
                  stage={column.stage}
                  medians={medians === 'loading' ? undefined : medians}
                  isSlowest={column.stage === slowest}
                />
              )
            }
            cards={cards.get(column.stage) ?? []}
          />
        ))}
      </div>
    </div>
  )
}

interface ColumnProps {
  readonly jobId: number
  readonly asOf: string
  readonly column: StageCount
  /** How long applications stay here. */
  readonly median: ReactNode
  readonly cards: readonly BoardApplication[]
}

const Column = ({ jobId, asOf, column, median, cards }: ColumnProps) => {
  const id = useId()
  const [isUnfolded, setIsUnfolded] = useState(false)
  const query = { job_id: jobId, status: 'active', stage: column.stage, sort: 'stage_entered_on' } as const
  const isShort = !isComplete(column, cards)
  const rest = useList('applications', { ...cardFields, ...query, limit: cardsPerStage }, { enabled: isShort })
  const known = isShort ? (rest.data?.data ?? cards) : cards
  const shown = isUnfolded ? known : known.slice(0, foldedCards)
  const link = listPath('applications', query)
  return (
    <section aria-labelledby={id}>
      <div className={styles.head}>
        <h3 className={styles.stage} id={id}>
          {valueLabel(column.stage)}
        </h3>
        <Figure
          name={`opening.${jobId}.stage.${column.stage}`}
          value={column.count}
          link={link}
          what={`applications in ${valueLabel(column.stage)}`}
        />
        {median}
      </div>
      {column.count === 0 ? <p className={styles.nobody}>No applications in this stage.</p> : undefined}
      <ul>
        {shown.map((application) => (
          <Card key={application.id} application={application} asOf={asOf} />
        ))}
      </ul>
      {known.length > shown.length ? (
        <Button kind="more" onPress={() => setIsUnfolded(true)}>
          {formatInteger(known.length - shown.length)} more
          <span className="visually-hidden"> in {valueLabel(column.stage)}</span>
        </Button>
      ) : column.count > shown.length && shown.length > 0 ? (
        <Link className={styles.all} {...dataLocation(link)}>
          All {formatInteger(column.count)}
          <span className="visually-hidden"> applications in {valueLabel(column.stage)}</span>
        </Link>
      ) : undefined}
    </section>
  )
}

const Card = ({ application, asOf }: { readonly application: BoardApplication; readonly asOf: string }) => {
  const { candidate, stage_entered_on: since } = application
  const days = since === null ? undefined : daysBetween(since, asOf)
  return (
    <li className={styles.card}>
      <span className={styles.name}>
        <PersonName person={candidate} kind="Candidate" />
      </span>
      <span className={styles.meta}>
        <span>{candidate.source === null ? 'No source' : valueLabel(candidate.source)}</span>
        {days === undefined ? undefined : (
          <span className={days > waitingDays ? styles.late : undefined}>
            {days < 0 ? (
              `since ${formatDay(since ?? '')}`
            ) : (
              <Popover
                title="Days in each stage"
                width="small"
                placement="bottom end"
                trigger={
                  <Button kind="own" className={styles.here}>
                    <Figure name={`opening.application.${application.id}.days_here`} value={days}>
                      {formatInteger(days)} d here
                    </Figure>
                  </Button>
                }
              >
                <StageHistory application={application} asOf={asOf} />
              </Popover>
            )}
          </span>
        )}
      </span>
    </li>
  )
}
