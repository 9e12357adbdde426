import { daysBetween, isPastTarget } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Icon } from '../../components/Icon.tsx'
import tableStyles from '../../components/Table.module.css'
import { formatDay, formatShortDay } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { listPath } from '../../service/requests.ts'
import styles from './Openings.module.css'
import type { OpeningRow, StageCount } from './openings.ts'
import { sumCounts } from './openings.ts'
import { StageBar } from './StageBar.tsx'
import type { OpeningsSearch } from './search.ts'
import type { OpeningJob, OpeningsPage } from './useOpenings.ts'

interface OpeningsTableProps {
  readonly page: OpeningsPage
  readonly asOf: string
  readonly sort: string | undefined
  /** Undefined until they are loaded. */
  readonly stages: ReadonlyMap<number, readonly StageCount[]> | undefined
}

export const OpeningsTable = ({ page, asOf, sort, stages }: OpeningsTableProps) => {
  const longest = Math.max(1, ...page.openings.map(({ job }) => sumCounts(stages?.get(job.id) ?? [])))
  return (
    <div className={styles.openings}>
      <table className={`${tableStyles.table} ${styles.table}`}>
        <thead>
          <tr>
            <SortHead field="code" sort={sort} className={styles.code}>
              Code
            </SortHead>
            <SortHead field="title" sort={sort} className={styles.opening}>
              Opening
            </SortHead>
            <th scope="col" className={styles.department}>
              Department, location
            </th>
            <th scope="col" className={`${tableStyles.figure} ${styles.filled}`}>
              Filled
            </th>
            <SortHead field="opened_on" sort={sort} className={`${tableStyles.figure} ${styles.openFor}`}>
              Open for
            </SortHead>
            <SortHead field="target_date" sort={sort} className={`${tableStyles.figure} ${styles.target}`}>
              Target
            </SortHead>
            <SortHead field={undefined} sort={sort} className={`${tableStyles.figure} ${styles.wait}`}>
              Longest wait
            </SortHead>
            <th scope="col" className={styles.stages}>
              Active by stage
            </th>
            <th scope="col" className={`${tableStyles.figure} ${styles.active}`}>
              Active
            </th>
          </tr>
        </thead>
        <tbody>
          {page.openings.map(({ job, wait }) => (
            <tr key={job.id}>
              <td className={`number muted ${styles.code}`}>{job.code ?? 'null'}</td>
              <th scope="row" className={styles.opening}>
                <Link
                  to="/hiring/openings/$id"
                  params={{ id: String(job.id) }}
                  className={`${styles.title} ${styles.lines}`}
                >
                  <bdi>{job.title}</bdi>
                </Link>
              </th>
              <td className={styles.department}>
                <bdi>{job.department?.name ?? 'No department'}</bdi>{' '}
                {job.location === null ? undefined : <bdi className={styles.location}>{job.location}</bdi>}
              </td>
              <td className={`${tableStyles.figure} ${styles.filled}`}>
                <Figure name={`hiring.openings.${job.id}.filled`} value={job.filled} /> of{' '}
                <Figure name={`hiring.openings.${job.id}.places`} value={job.headcount} />
              </td>
              <td className={`${tableStyles.figure} ${styles.openFor}`}>{openDays(job, asOf)}</td>
              <td className={`${tableStyles.figure} ${styles.target}`}>
                <Target job={job} asOf={asOf} />
              </td>
              <td className={`${tableStyles.figure} ${styles.wait}`}>
                <LongestWait wait={wait} />
              </td>
              <StageCells
                job={job}
                stages={stages === undefined ? undefined : (stages.get(job.id) ?? [])}
                longest={longest}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const StageCells = ({
  job,
  stages,
  longest,
}: {
  readonly job: OpeningJob
  readonly stages: readonly StageCount[] | undefined
  readonly longest: number
}) => (
  <>
    <td className={styles.stages}>
      {stages === undefined ? undefined : <StageBar jobId={job.id} stages={stages} longest={longest} />}
    </td>
    <td className={`${tableStyles.figure} ${styles.active}`}>
      {stages === undefined ? undefined : (
        <Figure
          name={`hiring.openings.${job.id}.active`}
          value={sumCounts(stages)}
          link={listPath('applications', { job_id: job.id, status: 'active', sort: 'stage_entered_on' })}
        />
      )}
    </td>
  </>
)

const openDays = ({ id, opened_on }: OpeningJob, asOf: string): ReactNode => {
  if (opened_on === null) return <span className="muted">null</span>
  const days = daysBetween(opened_on, asOf)
  return days < 0 ? (
    <span className="muted">from {formatShortDay(opened_on)}</span>
  ) : (
    <Figure name={`hiring.openings.${id}.open_days`} value={days}>
      {formatInteger(days)} d
    </Figure>
  )
}

const Target = ({ job, asOf }: { readonly job: OpeningJob; readonly asOf: string }) => {
  const { id, target_date } = job
  if (target_date === null) return <span className="muted">none</span>
  return isPastTarget(job, asOf) ? (
    <Badge kind="warning">
      <Figure name={`hiring.openings.${id}.days_past_target`} value={daysBetween(target_date, asOf)} /> d past
    </Badge>
  ) : (
    <span className="muted">
      {target_date.slice(0, 4) === asOf.slice(0, 4) ? formatShortDay(target_date) : formatDay(target_date)}
    </span>
  )
}

const LongestWait = ({ wait }: { readonly wait: OpeningRow | undefined }) =>
  wait === undefined || wait.longest_wait_days === null || wait.longest_stage === null ? (
    <span className="muted">nobody waits</span>
  ) : (
    <>
      <span className="muted">
        <Figure
          name={`hiring.openings.${wait.group}.waiting`}
          value={wait.longest_stage_count ?? 0}
          link={wait.links.longest_stage_count}
        />{' '}
        in {valueLabel(wait.longest_stage)}
      </span>{' '}
      <b className={styles.days}>
        <Figure name={`hiring.openings.${wait.group}.wait_days`} value={wait.longest_wait_days} /> d
      </b>
    </>
  )

interface SortHeadProps {
  /** Undefined for the order of the report. */
  readonly field: string | undefined
  readonly sort: string | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The head of a column by which the list can be sorted. A second press reverses the order. */
const SortHead = ({ field, sort, className, children }: SortHeadProps) => {
  const isSorted = sort?.replace('-', '') === field
  const isDescending = field === undefined || sort?.startsWith('-')
  const next = isSorted && field !== undefined && !isDescending ? `-${field}` : field
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <Link
        to="."
        search={(old: OpeningsSearch) => ({ ...old, sort: next, offset: undefined })}
        className={styles.sort}
      >
        {children}
        {isSorted ? <Icon of={isDescending ? ArrowDown : ArrowUp} size={13} /> : undefined}
      </Link>
    </th>
  )
}
